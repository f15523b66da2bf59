package train

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// The API versions.
const (
	v5      = "v5"
	v6      = "v6"
	v7beta1 = "v7beta1"
)

// edit changes the release before into the next one.
type edit func(*release.Release)

// twins are edits by the name of the mistake they make. Each takes the place of
// the right one, which it applies and then spoils in one respect.
type twins map[string]edit

// stop is one release of the train, and how it can be made wrong.
type stop struct {
	name  string
	right edit
	twins twins
}

// stops are the releases, the oldest first. A further edit is a file of its own,
// and a line here.
func stops() []stop {
	return []stop{
		{"1.0", base, nil},
		{"1.1", addField, addFieldTwins()},
		{"1.2", gatedField, gatedFieldTwins()},
		{"1.3", serveVersion, serveVersionTwins()},
		{"1.4", storeVersion, storeVersionTwins()},
		{"1.5", preferVersion, preferVersionTwins()},
		{"1.6", plural, pluralTwins()},
		{"1.7", rename, renameTwins()},
		{"1.8", policy, policyTwins()},
		{"1.9", policyTolerated, policyToleratedTwins()},
		{"1.10", policyAllowed, policyAllowedTwins()},
		{"1.11", policyRetired, policyRetiredTwins()},
		{"1.12", ratchet, ratchetTwins()},
		{"1.13", union, unionTwins()},
		{"1.14", unionMember, unionMemberTwins()},
		{"1.15", material, materialTwins()},
		{"1.16", expressive, expressiveTwins()},
		{"1.17", colour, colourTwins()},
		{"1.18", gateBeta, gateBetaTwins()},
		{"1.19", gateStable, gateStableTwins()},
		{"1.20", glow, glowTwins()},
		{"1.21", glowGone, glowGoneTwins()},
		{"1.22", shine, shineTwins()},
		{"1.23", annotation, annotationTwins()},
		{"1.24", promoted, promotedTwins()},
		{"1.25", prefix, prefixTwins()},
		{"1.26", prefixReal, prefixRealTwins()},
		{"1.27", prefixGone, prefixGoneTwins()},
		{"1.28", alphaVersion, alphaVersionTwins()},
		{"1.29", unserveVersion, unserveVersionTwins()},
		{"1.30", removeVersion, removeVersionTwins()},
	}
}

// Names lists the right releases, the oldest first.
func Names() []string {
	var all []string
	for _, s := range stops() {
		all = append(all, s.name)
	}
	return all
}

// Twins lists the twins of a release, sorted.
func Twins(name string) []string {
	for _, s := range stops() {
		if s.name == name {
			return slices.Sorted(maps.Keys(s.twins))
		}
	}
	return nil
}

// Find makes a release by its name: 1.1, or 1.1+required for a twin, as a variant
// is named too. The releases before it are right. The error names the twins that
// there are.
func Find(name string) (*release.Release, error) {
	number, twin, isTwin := strings.Cut(name, "+")
	r := &release.Release{}
	for _, s := range stops() {
		if s.name != number {
			s.right(r)
			continue
		}
		apply := s.right
		if isTwin {
			if apply = s.other(twin); apply == nil {
				return nil, fmt.Errorf("release %q: %s has no twin %q (twins: %s)", name, number, twin, list(Twins(number)))
			}
		}
		apply(r)
		r.Name, r.Twin = number, twin
		return r, nil
	}
	return nil, fmt.Errorf("release %q: not on the train (releases: %s)", name, list(Names()))
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// serve gives a release its form of a version: in the place of the form that the
// release before had of it, or as a new version, which is the least preferred.
func serve(r *release.Release, v release.Version) {
	if before, known := r.Version(v.Name); known {
		v.Labels, v.Disabled, v.Deprecated = before.Labels, before.Disabled, before.Deprecated
		*before = v
		return
	}
	r.Versions = append(r.Versions, v)
}

// prefer makes a version the first that discovery names.
func prefer(r *release.Release, version string) {
	i := slices.IndexFunc(r.Versions, func(v release.Version) bool { return v.Name == version })
	preferred := r.Versions[i]
	r.Versions = slices.Insert(slices.Delete(r.Versions, i, i+1), 0, preferred)
}

// remove takes a version out of the code.
func remove(r *release.Release, version string) {
	r.Versions = slices.DeleteFunc(r.Versions, func(v release.Version) bool { return v.Name == version })
}

// part gives a release what it says of a struct, in the place of what the release
// before said of it.
func part(r *release.Release, said release.Part) {
	for i := range r.Parts {
		if r.Parts[i].Same(said) {
			r.Parts[i] = said
			return
		}
	}
	r.Parts = append(r.Parts, said)
}

// fill gives a field that is absent its default.
func fill(into **int32, value int32) {
	if *into == nil {
		*into = &value
	}
}

// gate gives a release a feature gate of its own, or another stage of it.
func gate(r *release.Release, name featuregate.Feature, spec featuregate.FeatureSpec) {
	if r.Gates == nil {
		r.Gates = map[featuregate.Feature]featuregate.FeatureSpec{}
	}
	r.Gates[name] = spec
}

// rule adds what an edit asks of objects to what those before it ask, in the place
// of the rule that is of the same field, if there is one.
func rule(r *release.Release, added release.Rule) {
	for i := range r.Rules {
		if added.Of != "" && r.Rules[i].Of == added.Of {
			r.Rules[i] = added
			return
		}
	}
	r.Rules = append(r.Rules, added)
}
