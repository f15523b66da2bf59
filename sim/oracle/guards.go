package oracle

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// A source can name a gate that no release has: one that is gone, or that is misspelt. What
// it guards is behind nothing. A release reports all gates that it has, but one that emulates
// an earlier release does not report those that came later.

// guards are the gates that a release, or its source, says the path needs, without those
// that do not exist.
func (e *evidence) guards(l *life, role term.Role, p fieldpath.Path) []schema.Guard {
	kind, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	return e.existing(kind.Guards(p), e.mayBeLater(l, role, p))
}

// existing are the guards without those whose gate neither release reports; later says that
// they may be of gates that came after what a release emulates. Of releases that reported no
// gates, nothing is known.
func (e *evidence) existing(guards []schema.Guard, later bool) []schema.Guard {
	if later || !e.reportGates() {
		return guards
	}
	return slices.DeleteFunc(guards, func(g schema.Guard) bool { return !e.reported(g.Gate) })
}

// reportGates reports whether every release has told its gates.
func (e *evidence) reportGates() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(e.history.Releases)), func(r history.Release) bool { return len(r.Gates) == 0 })
}

// reported reports whether a release has a gate.
func (e *evidence) reported(gate string) bool {
	for _, r := range e.history.Releases {
		if _, told := r.Gates[gate]; told {
			return true
		}
	}
	return false
}

// mayBeLater reports whether a path may have come after the release that a server emulates:
// the other release does not publish it, or emulates one too.
func (e *evidence) mayBeLater(l *life, role term.Role, p fieldpath.Path) bool {
	return e.emulates(role) && (e.emulates(role.Other()) || !e.declares(role.Other(), l, p))
}

// mayBeLaterValue reports the same of a value of a field that lists its values.
func (e *evidence) mayBeLaterValue(l *life, role term.Role, leaf schema.Leaf) bool {
	other, _ := e.schemas[role.Other()].Kind(l.manifest.APIVersion, l.manifest.Kind)
	listed, isIn := other.ListsValue(leaf.Path, leaf.Value)
	return e.mayBeLater(l, role, leaf.Path) || e.emulates(role) && listed && !isIn
}

// mayBeGone reports whether it is not known that a gate exists: both releases emulate one,
// and neither reports it.
func (e *evidence) mayBeGone(gate string) bool {
	return e.emulates(term.Old) && e.emulates(term.New) && !e.reported(gate)
}
