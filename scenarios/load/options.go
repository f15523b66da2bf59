package load

import (
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

func (v releaseChecks) options() {
	v.optionsAt("old", v.s.Old)
	v.optionsAt("new", v.s.New)
}

// optionsAt checks the options of a release's servers.
func (v releaseChecks) optionsAt(at string, options scenarios.Options) {
	v.minorVersion(at+".emulatedVersion", options.EmulatedVersion)
	v.minorVersion(at+".minCompatibilityVersion", options.MinCompatibilityVersion)
	v.encryption(at+".encryption", options.Encryption)
	for i, flag := range options.Flags {
		if !strings.HasPrefix(flag, "--") {
			v.fail(strict.Element(at+".flags", i), `%s is not a flag such as "--v=2"`, strict.Quote(flag))
		}
	}
}

// keyName matches the name of an encryption key: stored values contain it, up to a colon.
var keyName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

func (v releaseChecks) encryption(at string, e *scenarios.Encryption) {
	if e == nil {
		return
	}
	switch {
	case v.Reported(at):
	case len(e.Resources) == 0:
		v.fail(at+".resources", "empty: name what is encrypted, such as secrets")
	case e.Provider == "" && e.Key != "":
		v.fail(at, "a key, and no provider to write with it: give it a provider, such as aescbc, or list the key under reads")
	case e.Provider != "" && e.Key == "":
		v.fail(at, "a provider, and no key: name one, such as k1")
	case e.Provider == "" && len(e.Reads) == 0:
		v.fail(at, "neither a provider with its key, nor keys to read with: leave it out")
	}
	for key, name := range map[string][]string{".key": {e.Key}, ".reads": e.Reads} {
		for _, name := range name {
			if name != "" && !keyName.MatchString(name) {
				v.fail(at+key, "%s is not a key's name, such as k1: up to 40 lower-case letters, digits and dashes", strict.Quote(name))
			}
		}
	}
}

func (v releaseChecks) minorVersion(at, text string) {
	if text != "" && text != string(term.Old) && !scenarios.MinorVersion.MatchString(text) {
		v.fail(at, `%s is neither a minor release such as "1.36", nor old`, strict.Quote(text))
	}
}
