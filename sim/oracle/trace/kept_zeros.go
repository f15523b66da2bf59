package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// AsGoodAsAbsent reports whether an answer may leave out a value: the value is a zero, and no
// answer distinguishes it from an absent one.
func AsGoodAsAbsent(ev *Evidence, tl *Timeline, acked *AckedValue) bool {
	role := ev.Acts[acked.Offered].Role
	instead, shown := acked.FoundIn(ev.LeavesOf(tl, ev.Acts[acked.Offered].Exchange.Answer))
	switch {
	case !IsZero(acked.Leaf):
		return false
	case shown && TellsZero(ev.Trace, tl, acked):
		return false
	case shown:
		return IsZero(instead) || !keepsZero(ev, tl, acked, NewestFirst()...) && !leavesAlone(ev, tl, acked, role)
	case acked.Leaf.Semantic == schema.Empty:
		return true
	case ev.Declares(role, tl, acked.Leaf.Path):
		return !OtherDefault(ev.Trace, tl, role, acked.Leaf) && !keepsZero(ev, tl, acked, role)
	}
	return !keepsZero(ev, tl, acked, NewestFirst()...)
}

// SpotOf returns the place of an acknowledged value in what a release answers.
func SpotOf(tl *Timeline, acked *AckedValue, role term.Role) Place {
	return Place{APIVersion: tl.Manifest.APIVersion, Kind: tl.Manifest.Kind, Name: acked.Name, Role: role}
}

// keepsZero reports whether one of the releases has shown a zero that it was sent at the path.
func keepsZero(ev *Evidence, tl *Timeline, acked *AckedValue, roles ...term.Role) bool {
	if ev.zeros.Kept == nil {
		ev.zeros.Kept = zerosKept(ev)
	}
	return slices.ContainsFunc(roles, func(role term.Role) bool { return ev.zeros.Kept[SpotOf(tl, acked, role)] })
}

func zerosKept(ev *Evidence) map[Place]bool {
	kept := map[Place]bool{}
	for _, tl := range ev.Timelines {
		for _, acked := range tl.AckedValues {
			if acked.Acknowledged && IsZero(acked.Leaf) {
				kept[SpotOf(tl, acked, ev.Acts[acked.Offered].Role)] = true
			}
		}
	}
	return kept
}

// leavesAlone reports whether the release sets no default at the path: it created an object
// without a value there, and showed it without one.
func leavesAlone(ev *Evidence, tl *Timeline, acked *AckedValue, role term.Role) bool {
	at := SpotOf(tl, acked, role)
	alone, asked := ev.zeros.Alone[at]
	if asked {
		return alone
	}
	if ev.zeros.Alone == nil {
		ev.zeros.Alone = map[Place]bool{}
	}
	ev.zeros.Alone[at] = slices.ContainsFunc(ev.Timelines, func(other *Timeline) bool {
		return other.Manifest.APIVersion == at.APIVersion && other.Manifest.Kind == at.Kind && madeWithout(ev, other, acked, role)
	})
	return ev.zeros.Alone[at]
}

// madeWithout reports whether the release created the copy from a body without a value at the
// path, and showed the path's parent without one.
func madeWithout(ev *Evidence, tl *Timeline, acked *AckedValue, role term.Role) bool {
	act, ok := ev.Acts[tl.Created]
	if !ok || act.Role != role || act.Exchange.Sent == "" {
		return false
	}
	up := acked.Leaf.Path[:len(acked.Leaf.Path)-1]
	for _, leaves := range []schema.Leaves{ev.LeavesOf(tl, act.Exchange.Sent), ev.LeavesOf(tl, act.Exchange.Answer)} {
		if _, has := acked.FoundIn(leaves); has || !HasBelow(leaves, up) {
			return false
		}
	}
	return true
}
