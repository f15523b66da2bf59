package scenarios

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// WithGiven returns the scenario with further server options, by release, which the user has
// given on the command line. They override the scenario's options key by key: a gate, an API, a
// flag, a gate stage or a version. The user cannot override encryption or forgotten manifests.
func (s *Scenario) WithGiven(given map[term.Role]Options) *Scenario {
	played := *s
	played.Given = given
	played.Old, played.New = s.Old.with(given[term.Old]), s.New.with(given[term.New])
	return &played
}

// with returns these options, overridden by the given ones.
func (o Options) with(given Options) Options {
	o.FeatureGates = LaidOver(o.FeatureGates, given.FeatureGates)
	o.RuntimeConfig = LaidOver(o.RuntimeConfig, given.RuntimeConfig)
	for own, given := range map[*string]string{
		&o.EmulatedVersion: given.EmulatedVersion, &o.MinCompatibilityVersion: given.MinCompatibilityVersion,
	} {
		if given != "" {
			*own = given
		}
	}
	if given.Gates != "" {
		o.Gates = given.Gates
	}
	named := map[string]bool{}
	for _, flag := range given.Flags {
		named[flagName(flag)] = true
	}
	if len(given.Flags) > 0 {
		own := slices.DeleteFunc(slices.Clone(o.Flags), func(flag string) bool { return named[flagName(flag)] })
		o.Flags = append(own, given.Flags...)
	}
	return o
}

// LaidOver returns one map overridden by another, such as maps of gates; nil if both are empty.
func LaidOver(own, given map[string]bool) map[string]bool {
	if len(given) == 0 {
		return own
	}
	all := maps.Clone(given)
	for name, on := range own {
		if _, decided := given[name]; !decided {
			all[name] = on
		}
	}
	return all
}

// flagName returns the name of a flag as servers parse it.
func flagName(flag string) string {
	name, _, _ := strings.Cut(flag, "=")
	return strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
}

// IsMinor reports whether text names a release as options do: 1.36, or old.
func IsMinor(text string) bool { return text == string(term.Old) || MinorVersion.MatchString(text) }

// givenAs returns the command line flag that determines a part of the scenario, such as
// new.featureGates.Glow; "" if no flag does.
func (s *Scenario) givenAs(part string) string {
	end, rest, _ := strings.Cut(part, ".")
	given, key := s.Given[term.Role(end)], rest
	name := ""
	if group, inside, ok := strings.Cut(rest, "."); ok {
		key, name = group, inside
	}
	_, gate := given.FeatureGates[name]
	for _, known := range []struct {
		key, flag string
		decided   bool
	}{
		{"featureGates", "feature-gates", gate},
		{"runtimeConfig", "runtime-config", len(given.RuntimeConfig) > 0},
		{"gates", "gate-stage", given.Gates != ""},
		{"emulatedVersion", "emulated-version", given.EmulatedVersion != ""},
		{"minCompatibilityVersion", "min-compatibility-version", given.MinCompatibilityVersion != ""},
		{"flags", "flags", len(given.Flags) > 0},
	} {
		if known.key == key && known.decided {
			return "--" + end + "-" + known.flag
		}
	}
	return ""
}

// MinorVersion is 1.36, or the word old.
var MinorVersion = regexp.MustCompile(`^v?([0-9]+\.[0-9]+)$`)
