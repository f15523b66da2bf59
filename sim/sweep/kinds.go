package sweep

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// GroupKind is a kind in all its versions.
type GroupKind struct{ Group, Kind string }

// Unreadable are the kinds that a release stores in a version which the other one does not serve.
func Unreadable(whole []diff.Difference) map[GroupKind]bool {
	gone := map[string]bool{} // versions of one release alone, by group, kind and version
	for _, r := range whole {
		if k := r.Difference; k == term.VersionAdded || k == term.VersionRemoved {
			gone[r.Group+" "+r.Kind+" "+r.Version] = true
		}
	}
	all := map[GroupKind]bool{}
	for _, r := range whole {
		if r.Difference != term.StorageChanged {
			continue
		}
		for _, stored := range []string{r.Old, r.New} {
			_, version := CutAPIVersion(stored)
			if gone[r.Group+" "+r.Kind+" "+version] || gone[r.Group+"  "+version] {
				all[GroupKind{r.Group, r.Kind}] = true
			}
		}
	}
	return all
}

// Reachable reports whether a difference can be used at default settings, as far as trusted
// sources say so: a gate that a name or a description suggests may be another field's.
func Reachable(d diff.Difference) bool {
	for _, g := range d.Gates {
		state := cmp.Or(g.New, g.Old)
		trusted := g.Source == term.FromLifecycle || g.Source == term.FromTag || d.Difference.IsGate()
		if trusted && state != nil && !state.Default {
			return false
		}
	}
	return true
}

// IsPermitted reports whether servers at default settings may take an object that uses what is behind a
// gate. A value that a hint names needs the gate. Of a field that a gate guards it is to be seen:
// servers may store it while the gate is off.
func IsPermitted(gate diff.Difference) bool {
	isOn := func(s *diff.GateState) bool { return s != nil && s.Default }
	return len(gate.Gates) == 0 || slices.ContainsFunc(gate.Gates, func(g diff.Gate) bool { return g.Source != "" || isOn(g.Old) || isOn(g.New) })
}

// Behind returns the values of an enum at a place that are behind a gate in one release alone, as
// far as differences name them.
func Behind(gate diff.Difference, at diff.Place, whole []diff.Difference) (values []string) {
	for _, d := range whole {
		isValue := d.Difference == term.EnumValueAdded || d.Difference == term.EnumValueRemoved
		named := slices.ContainsFunc(d.Gates, func(g diff.Gate) bool { return g.Name == gate.Name })
		if isValue && named && slices.Contains(d.Places, at) && !slices.Contains(values, d.Name) {
			values = append(values, d.Name)
		}
	}
	return values
}
