package blame

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// A source can name a gate that no release has: one that was removed, or that is misspelt. Such a
// gate guards nothing. A release reports all gates that it has, but one that emulates an earlier
// release does not report those that came later.

// guards returns the existing gates that the path needs, according to a release or its source.
func guards(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) []schema.Guard {
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return KnownGuards(ev, kind.Gating().Guards(p), func() bool { return MayBeLater(ev, tl, role, p) })
}

// KnownGuards drops the guards whose gate neither release reports, unless a release reported no
// gates; later, which is asked only if there are guards, says that gates may have come after the
// release that a server emulates.
func KnownGuards(ev *trace.Evidence, guards []schema.Guard, later func() bool) []schema.Guard {
	if len(guards) == 0 || later() || !reportGates(ev) {
		return guards
	}
	return slices.DeleteFunc(guards, func(g schema.Guard) bool { return !reported(ev, g.Gate) })
}

// reportGates reports whether every release has reported its gates.
func reportGates(ev *trace.Evidence) bool {
	for _, r := range ev.History.Releases {
		if len(r.Gates) == 0 {
			return false
		}
	}
	return true
}

// reported reports whether a release has a gate.
func reported(ev *trace.Evidence, gate string) bool {
	for _, r := range ev.History.Releases {
		if _, told := r.Gates[gate]; told {
			return true
		}
	}
	return false
}

// MayBeLater reports whether a path may have come after the release that a server emulates:
// the other release does not publish it, or emulates one too.
func MayBeLater(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) bool {
	return emulates(ev, role) && (emulates(ev, role.Other()) || !ev.Declares(role.Other(), tl, p))
}

// MayBeLaterValue is MayBeLater for one value of a field that lists its values.
func MayBeLaterValue(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	if !emulates(ev, role) {
		return false
	}
	other, _ := ev.Schemas[role.Other()].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	listed, isIn := other.ListsValue(leaf.Path, leaf.Value)
	return MayBeLater(ev, tl, role, leaf.Path) || listed && !isIn
}

// MayBeGone reports whether the existence of a gate is unknown: both releases emulate another
// one, and neither reports the gate.
func MayBeGone(ev *trace.Evidence, gate string) bool {
	return emulates(ev, term.Old) && emulates(ev, term.New) && !reported(ev, gate)
}
