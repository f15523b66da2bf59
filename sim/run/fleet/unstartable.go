package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
)

// Fault returns that the error is the user's.
func (e *OptionsError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// OptionsError reports that a release's servers do not start with the scenario's options
// for them.
type OptionsError struct {
	File      string // the scenario's
	Role      term.Role
	Reference string   // of the build
	Words     []string // the server's own
	Told      []string // for each thing that it names: its place, what is known about it, and what to do
}

// Error gives the server's own words, then what is known about the things that they name.
func (e *OptionsError) Error() string {
	return fmt.Sprintf("%s: %s: %s does not start with these options; it reports:\n  %s\n%s",
		e.File, e.Role, e.Reference, strings.Join(e.Words, "\n  "), strings.Join(e.Told, "\n"))
}

// complaint is an error message of servers about their options, and how to explain it. Its
// pattern's first group is what the message names.
type complaint struct {
	pattern *regexp.Regexp
	told    func(u *unstartable, m []string) (where, what string)
}

// complaints match the messages of k8s.io/component-base, apiserver and pflag, and of the
// reference server.
func complaints() []complaint {
	return []complaint{
		{regexp.MustCompile(`unrecognized feature gate: (\w+)`), (*unstartable).unknownGate},
		{regexp.MustCompile(`--feature-gates: release \S+ has no gate "(\w+)"`), (*unstartable).unknownGate},
		{regexp.MustCompile(`cannot set feature gate (\w+) to \w+, feature is locked to (\w+)`), (*unstartable).lockedGate},
		{regexp.MustCompile(`cannot set feature gate (\w+) to \w+, feature is PreAlpha at emulated version ([0-9.]+)`), (*unstartable).laterGate},
		{regexp.MustCompile(`(\w+) is enabled, but depends on features that are disabled: \[([^\]]*)\]`), (*unstartable).dependentGate},
		{regexp.MustCompile(`emulation version needs to be equal to binary version\(([0-9.]+)\)[^,]*, got ([0-9.]+)`), (*unstartable).noEmulation},
		{regexp.MustCompile(`emulation version (\S+) is not between \[([^\]]*)\]`), (*unstartable).emulation},
		{regexp.MustCompile(`minCompatibilityVersion version (\S+) is not between \[([^\]]*)\]`), (*unstartable).compatibility},
		{regexp.MustCompile(`unknown api (?:groups|versions) ([^\],"]+)`), (*unstartable).unknownAPI},
		{regexp.MustCompile(`unknown flag: --([a-z0-9-]+)`), (*unstartable).unknownFlag},
		{regexp.MustCompile(`(?:--|invalid argument .* for "--)([a-z0-9-]+)"? (?:flag:|"[^"]*" invalid)`), (*unstartable).badFlag},
		{regexp.MustCompile(`component not registered: ([^\s,\]]+)`), (*unstartable).unknownGlobals},
		{regexp.MustCompile(`could not parse "([^"]*)" as version`), (*unstartable).noVersion},
	}
}

// unstartable is a release whose servers do not start.
type unstartable struct {
	ctx     context.Context
	options *Options
	release plan.Release
	teller  servers.GateTeller // nil: nobody can be asked
	words   string             // the server's own
}

// Explain turns the exit of a server that does not accept its options into an OptionsError.
// It returns any other error unchanged.
func (o *Options) Explain(ctx context.Context, role term.Role, err error) error {
	var exit *servers.ExitError
	if !errors.As(err, &exit) || exit.Ready {
		return err
	}
	u := &unstartable{ctx: ctx, options: o}
	u.teller, _ = o.runtime.(servers.GateTeller)
	for _, r := range o.plan.Releases {
		if r.Role == role {
			u.release = r
		}
	}
	u.words = strings.Join(exit.Tail, "\n")
	told := u.tell()
	if len(told) == 0 {
		told = u.missing(exit.Log)
	}
	if len(told) == 0 {
		return err
	}
	return &OptionsError{File: o.plan.File, Role: role, Reference: o.builds[role].Reference, Words: exit.Tail, Told: told}
}

// unservedKind matches the message of a server that waits for a kind which it does not
// serve.
var unservedKind = regexp.MustCompile(`failed to list \*(v\w+)\.(\w+): the server could not find the requested resource`)

// missing returns the kinds that a server with gates waited for before it exited, from its
// log: some features watch kinds whose APIs are off.
func (u *unstartable) missing(log string) (told []string) {
	if len(u.release.Options.FeatureGates) == 0 && u.release.Options.Gates == "" {
		return nil
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil
	}
	kinds := map[string]bool{}
	for _, m := range unservedKind.FindAllStringSubmatch(string(text), -1) {
		kinds[m[1]+" "+m[2]] = true
	}
	if len(kinds) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: with these gates %s waits for kinds whose APIs are off (%s): switch them on, with {api/all: true} or by their groups and versions",
		u.placed(u.at("runtimeConfig")), u.version(u.release.Role), strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))}
}

func (u *unstartable) tell() (told []string) {
	add := func(where, what string) {
		if line := u.placed(where) + ": " + what; what != "" && !slices.Contains(told, line) {
			told = append(told, line)
		}
	}
	for _, c := range complaints() {
		for _, m := range c.pattern.FindAllStringSubmatch(u.words, -1) {
			add(c.told(u, m))
		}
	}
	if strings.Contains(u.words, "unrecognized feature gate") && u.teller != nil { // it names only the first
		for _, gate := range slices.Sorted(maps.Keys(u.release.Options.FeatureGates)) {
			if _, has, asked := u.has(u.release.Role, gate); asked && !has {
				add(u.unknownGate([]string{"", gate}))
			}
		}
	}
	return told
}

// placed returns a part of the scenario with its place, if that is known.
func (u *unstartable) placed(part string) string {
	adapted := u.options.builds[u.release.Role].Aggregated != nil && strings.HasPrefix(part, u.inAdapter(""))
	if u.options.place == nil || adapted {
		return part
	}
	return u.options.place(part) + ": " + part
}

func (u *unstartable) at(key string) string { return string(u.release.Role) + "." + key }

// gateAt returns where the scenario switches a gate.
func (u *unstartable) gateAt(gate string) string {
	if _, given := u.release.Options.FeatureGates[gate]; !given && u.release.Options.Gates != "" {
		return u.at("gates")
	}
	return u.at("featureGates." + gate)
}

func (u *unstartable) version(role term.Role) string { return u.options.builds[role].Version }

// other returns the role of the pair's other release; ok: it is a different release.
func (u *unstartable) other() (role term.Role, ok bool) {
	role = term.Old
	if u.release.Role == term.Old {
		role = term.New
	}
	return role, u.version(role) != u.version(u.release.Role)
}

// has returns what a release reports about a gate, "" if nothing. asked is false if no
// server can be asked, or none answered.
func (u *unstartable) has(role term.Role, gate string) (says string, has, asked bool) {
	if u.teller == nil {
		return "", false, false
	}
	says, has, err := u.teller.Gate(u.ctx, u.options.builds[role], gate)
	return says, has && err == nil, err == nil
}

// elsewhere returns what the other release reports about a gate; "" if there is no other.
func (u *unstartable) elsewhere(gate string) string {
	other, ok := u.other()
	if !ok {
		return ""
	}
	says, has, asked := u.has(other, gate)
	switch {
	case !asked:
		return ""
	case has:
		return fmt.Sprintf("; %s has it (%s)", u.version(other), says)
	}
	return fmt.Sprintf("; nor has %s", u.version(other))
}

func (u *unstartable) unknownGate(m []string) (where, what string) {
	here, elsewhere := u.version(u.release.Role), u.elsewhere(m[1])
	switch other, _ := u.other(); {
	case strings.Contains(elsewhere, " has it"):
		return u.gateAt(m[1]), fmt.Sprintf("%s has no such gate%s: switch it under %s alone", here, elsewhere, other)
	default:
		return u.gateAt(m[1]), fmt.Sprintf("%s has no such gate%s%s", here, elsewhere, u.meant(m[1]))
	}
}

// meant suggests a gate of either release.
func (u *unstartable) meant(gate string) string {
	known := map[string]string{}
	for _, role := range []term.Role{term.Old, term.New} {
		if u.teller != nil {
			gates, _ := u.teller.Gates(u.ctx, u.options.builds[role]) // without gates there is no suggestion
			maps.Copy(known, gates)
		}
	}
	if near := suggest.Nearest(gate, slices.Sorted(maps.Keys(known))); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ": leave it out"
}

func (u *unstartable) lockedGate(m []string) (where, what string) {
	elsewhere := strings.Replace(u.elsewhere(m[1]), "nor has", "there is no such gate in", 1)
	return u.gateAt(m[1]), fmt.Sprintf("%s locks it to %s%s: leave it out here", u.version(u.release.Role), m[2], elsewhere)
}

func (u *unstartable) laterGate(m []string) (where, what string) {
	says, _, _ := u.has(u.release.Role, m[1])
	return u.gateAt(m[1]), fmt.Sprintf("%s has it (%s), and %s, which it emulates, has not: leave it out, or do not emulate that",
		u.version(u.release.Role), cmp.Or(says, "unknown how"), m[2])
}

func (u *unstartable) dependentGate(m []string) (where, what string) {
	var needs []string
	for _, gate := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ' ' || r == ',' }) {
		if says, has, _ := u.has(u.release.Role, gate); has {
			gate += " (" + says + ")"
		}
		needs = append(needs, gate)
	}
	return u.gateAt(m[1]), fmt.Sprintf("in %s it depends on %s: switch that on too, or this gate off", u.version(u.release.Role), strings.Join(needs, " and "))
}

// noEmulation matches v1.31, which has the flag, and accepts only its own version.
func (u *unstartable) noEmulation(m []string) (where, what string) {
	return u.at("emulatedVersion"), fmt.Sprintf("%s emulates no other release, so not %s: leave it out, or take a later release as the %s one",
		u.version(u.release.Role), m[2], u.release.Role)
}

func (u *unstartable) emulation(m []string) (where, what string) {
	if strings.Contains(u.words, "emulation version needs to be equal") {
		return "", "" // it names versions that the server accepts none of
	}
	return u.at("emulatedVersion"), fmt.Sprintf("%s emulates releases between %s, and not %s: name one of those, or leave it out",
		u.version(u.release.Role), strings.ReplaceAll(m[2], ", ", " and "), m[1])
}

func (u *unstartable) compatibility(m []string) (where, what string) {
	if u.release.Options.MinCompatibilityVersion == "" {
		return "", "" // it follows from the emulated version
	}
	return u.at("minCompatibilityVersion"), fmt.Sprintf("with these options %s is compatible with releases between %s, and not with %s: name one of those, or leave it out",
		u.version(u.release.Role), strings.ReplaceAll(m[2], ", ", " and "), m[1])
}

func (u *unstartable) unknownAPI(m []string) (where, what string) {
	return u.at("runtimeConfig"), fmt.Sprintf("%s has no API group of %s: correct it, or leave it out", u.version(u.release.Role), m[1])
}

// keyOf returns the scenario's key of an option that has one, by its flag.
var keyOf = map[string]string{
	"feature-gates": "featureGates", "runtime-config": "runtimeConfig",
	"emulated-version": "emulatedVersion", "min-compatibility-version": "minCompatibilityVersion",
}

func (u *unstartable) unknownFlag(m []string) (where, what string) {
	if where, has := u.adapterHas(m[1]); has {
		return where, fmt.Sprintf("%s has no flag --%s, which its adapter sets: correct it there", u.version(u.release.Role), m[1])
	}
	return u.at(cmp.Or(keyOf[m[1]], "flags")), fmt.Sprintf("%s has no flag --%s: leave it out, or name a release that has it", u.version(u.release.Role), m[1])
}

func (u *unstartable) badFlag(m []string) (where, what string) {
	if where, has := u.adapterHas(m[1]); has {
		return where, fmt.Sprintf("%s does not accept this value of --%s: correct it, or name another flag", u.version(u.release.Role), m[1])
	}
	return u.at(cmp.Or(keyOf[m[1]], "flags")), fmt.Sprintf("%s does not accept this value of --%s: correct it", u.version(u.release.Role), m[1])
}

func (u *unstartable) noVersion(m []string) (where, what string) {
	key := "emulatedVersion"
	if strings.TrimPrefix(u.release.Options.MinCompatibilityVersion, "v") == m[1] {
		key = "minCompatibilityVersion"
	}
	return u.at(key), fmt.Sprintf("%q is not a version such as 1.36", m[1])
}
