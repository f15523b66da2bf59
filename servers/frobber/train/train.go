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

// mutants are edits by the name of their mistake. Each replaces the correct edit: it applies
// that, and then breaks one aspect.
type mutants map[string]edit

// stop is one release of the train with its mutants.
type stop struct {
	name    string
	right   edit
	mutants mutants
}

// stops are the releases, the oldest first. A new edit is a new file, and a line here.
func stops() []stop {
	return []stop{
		{"1.0", base, nil},
		{"1.1", addField, addFieldMutants()},
		{"1.2", gatedField, gatedFieldMutants()},
		{"1.3", serveVersion, serveVersionMutants()},
		{"1.4", storeVersion, storeVersionMutants()},
		{"1.5", preferVersion, preferVersionMutants()},
		{"1.6", plural, pluralMutants()},
		{"1.7", rename, renameMutants()},
		{"1.8", policy, policyMutants()},
		{"1.9", policyTolerated, policyToleratedMutants()},
		{"1.10", policyAllowed, policyAllowedMutants()},
		{"1.11", policyRetired, policyRetiredMutants()},
		{"1.12", ratchet, ratchetMutants()},
		{"1.13", union, unionMutants()},
		{"1.14", unionMember, unionMemberMutants()},
		{"1.15", material, materialMutants()},
		{"1.16", expressive, expressiveMutants()},
		{"1.17", colour, colourMutants()},
		{"1.18", gateBeta, gateBetaMutants()},
		{"1.19", gateStable, gateStableMutants()},
		{"1.20", glow, glowMutants()},
		{"1.21", glowGone, glowGoneMutants()},
		{"1.22", shine, shineMutants()},
		{"1.23", annotation, annotationMutants()},
		{"1.24", promoted, promotedMutants()},
		{"1.25", prefix, prefixMutants()},
		{"1.26", prefixReal, prefixRealMutants()},
		{"1.27", prefixGone, prefixGoneMutants()},
		{"1.28", alphaVersion, alphaVersionMutants()},
		{"1.29", unserveVersion, unserveVersionMutants()},
		{"1.30", removeVersion, removeVersionMutants()},
	}
}

// Names lists the correct releases, the oldest first.
func Names() []string {
	var all []string
	for _, s := range stops() {
		all = append(all, s.name)
	}
	return all
}

// Mutants lists the mutants of a release, sorted.
func Mutants(name string) []string {
	for _, s := range stops() {
		if s.name == name {
			return slices.Sorted(maps.Keys(s.mutants))
		}
	}
	return nil
}

// Find makes a release by its name: 1.1, or 1.1+required for a mutant or a variant. The
// releases before it are correct. The error lists the existing mutants.
func Find(name string) (*release.Release, error) {
	number, mutant, isMutant := strings.Cut(name, "+")
	r := &release.Release{}
	for _, s := range stops() {
		if s.name != number {
			s.right(r)
			continue
		}
		apply := s.right
		if isMutant {
			if apply = s.other(mutant); apply == nil {
				return nil, fmt.Errorf("release %q: %s has no mutant %q (mutants: %s)", name, number, mutant, list(Mutants(number)))
			}
		}
		apply(r)
		r.Name, r.Mutant = number, mutant
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

// serve adds a version to a release: it replaces the release before's form of the version, or
// is a new version, the least preferred one.
func serve(r *release.Release, v release.Version) {
	if before, known := r.Version(v.Name); known {
		v.Labels, v.Disabled, v.Deprecated = before.Labels, before.Disabled, before.Deprecated
		*before = v
		return
	}
	r.Versions = append(r.Versions, v)
}

// serveAll serves the specs of v6, v5 and v7beta1.
func serveAll[S6, S5, S7beta1 any](r *release.Release) {
	serveOld[S6, S5](r)
	serve(r, release.Of[S7beta1, Status](v7beta1))
}

// serveOld serves the specs of v6 and v5.
func serveOld[S6, S5 any](r *release.Release) {
	serve(r, release.Of[S6, Status](v6))
	serve(r, release.Of[S5, Status](v5))
}

// prefer makes a version the preferred one in discovery.
func prefer(r *release.Release, version string) {
	i := slices.IndexFunc(r.Versions, func(v release.Version) bool { return v.Name == version })
	preferred := r.Versions[i]
	r.Versions = slices.Insert(slices.Delete(r.Versions, i, i+1), 0, preferred)
}

// remove removes a version.
func remove(r *release.Release, version string) {
	r.Versions = slices.DeleteFunc(r.Versions, func(v release.Version) bool { return v.Name == version })
}

// part adds the hooks for a struct, and replaces those of the release before.
func part(r *release.Release, said release.Part) {
	for i := range r.Parts {
		if r.Parts[i].Same(said) {
			r.Parts[i] = said
			return
		}
	}
	r.Parts = append(r.Parts, said)
}

// fill sets the default of an absent field.
func fill(into **int32, value int32) {
	if *into == nil {
		*into = &value
	}
}

// gate adds a feature gate, or changes its stage.
func gate(r *release.Release, name featuregate.Feature, spec featuregate.FeatureSpec) {
	if r.Gates == nil {
		r.Gates = map[featuregate.Feature]featuregate.FeatureSpec{}
	}
	r.Gates[name] = spec
}

// rule adds an edit's rule, and replaces an earlier rule for the same field.
func rule(r *release.Release, added release.Rule) {
	for i := range r.Rules {
		if added.Of != "" && r.Rules[i].Of == added.Of {
			r.Rules[i] = added
			return
		}
	}
	r.Rules = append(r.Rules, added)
}
