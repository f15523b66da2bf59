package fuzz

import (
	"errors"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// switchable reports whether an operator may switch a gate: a stable one is locked, and a
// deprecated one will be removed.
func switchable(f client.Feature) bool { return f.Stage == "ALPHA" || f.Stage == "BETA" }

// featuresOf returns the features of a pair: the gates that a field of the kinds needs, as
// either release publishes it, and that one of them lets an operator switch. Kinds of
// manifests have none: a description that was copied into a manifest names a gate of the
// kind that it was copied from.
func featuresOf(old, new *Release, kinds []string) []string {
	var all []string
	for _, r := range []*Release{old, new} {
		for _, d := range r.Served {
			if r.Installed || !slices.Contains(kinds, KindName(d)) {
				continue
			}
			if k, ok := r.Schema.Kind(d.APIVersion, d.Kind); ok {
				all = append(all, k.Needs()...)
			}
		}
	}
	return slices.DeleteFunc(SortedUnique(all), func(name string) bool {
		return len(gatesFor(old, []string{name}, true)) == 0 && len(gatesFor(new, []string{name}, true)) == 0
	})
}

// unswitchable returns an error for each requested gate that no lap can switch.
func unswitchable(old, new *Release, names []string, given func(gate string) bool) error {
	var problems []error
	for _, name := range names {
		switch {
		case given(name):
			problems = append(problems, fault.Optionf("{features} %s: {old-feature-gates} or {new-feature-gates} sets this gate: leave it out of one of them", name))
		case len(gatesFor(old, []string{name}, true)) == 0 && len(gatesFor(new, []string{name}, true)) == 0:
			problems = append(problems, fault.Optionf("{features} %s: neither %s nor %s has an alpha or beta gate with this name, and others cannot be switched", name, old.Version, new.Version))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return &servers.RequestError{Err: err}
	}
	return nil
}

// gatesFor returns those of the named gates that a release has and lets an operator switch.
func gatesFor(r *Release, names []string, on bool) map[string]bool {
	gates := map[string]bool{}
	for _, f := range r.Features {
		if switchable(f) && slices.Contains(names, f.Name) {
			gates[f.Name] = on
		}
	}
	return gates
}

// lapPlan is one state of the pair's features. Every object travels once in each lap.
type lapPlan struct {
	name  string
	on    bool
	gates map[term.Role]map[string]bool
}

// lapsOf returns the laps of a pair: features off, then on; or a single one for a pair
// without features.
func lapsOf(releases map[term.Role]*Release, features []string) []lapPlan {
	if len(features) == 0 {
		return []lapPlan{{name: "as they are"}}
	}
	var laps []lapPlan
	for _, state := range []struct {
		name string
		on   bool
	}{{"off", false}, {"on", true}} {
		gates := map[term.Role]map[string]bool{}
		for role, r := range releases {
			gates[role] = gatesFor(r, features, state.on)
		}
		laps = append(laps, lapPlan{state.name, state.on, gates})
	}
	return laps
}
