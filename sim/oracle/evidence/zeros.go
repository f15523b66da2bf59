package evidence

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// Most types leave out what is empty or zero, and take a zero for nothing: they
// then fill in what they fill in for nothing. Which types tell a zero from
// nothing, no schema shows, but other answers may.

// IsZero reports whether a value is the zero of its type, or empty.
func IsZero(leaf schema.Leaf) bool {
	return slices.Contains([]string{schema.Empty, `""`, "0", "false"}, leaf.Semantic)
}

// AsGoodAsAbsent tells whether it means nothing that an answer does not show a
// value: it is a zero, and no answer tells it from nothing.
func AsGoodAsAbsent(ev *Evidence, tl *trace.Timeline, acked *trace.AckedValue) bool {
	role := ev.Acts[acked.Offered].Role
	instead, shown := acked.In(ev.LeavesOf(tl, ev.Acts[acked.Offered].Exchange.Answer))
	switch {
	case !IsZero(acked.Leaf):
		return false
	case shown && tellsZero(ev, tl, acked):
		return false
	case shown:
		return IsZero(instead) || !keepsZero(ev, tl, acked, trace.NewestFirst()...) && !leavesAlone(ev, tl, acked, role)
	case acked.Leaf.Semantic == schema.Empty:
		return true
	case ev.Declares(role, tl, acked.Leaf.Path):
		return !otherDefault(ev, tl, role, acked.Leaf) && !keepsZero(ev, tl, acked, role)
	}
	return !keepsZero(ev, tl, acked, trace.NewestFirst()...)
}

// tellsZero tells whether a zero can be no want of a value: it is a number or a
// truth value of the change itself. Types that take such a zero for nothing are
// a habit of old fields, and none that a new one may have.
func tellsZero(ev *Evidence, tl *trace.Timeline, acked *trace.AckedValue) bool {
	return IsChange(ev, tl, acked.Leaf.Path) && slices.Contains([]string{"0", "false"}, acked.Leaf.Semantic)
}

// otherDefault tells whether the release publishes a default for the path,
// other than the value.
func otherDefault(ev *Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	k, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	_, has := k.Default(leaf.Path)
	return has && !IsPublishedDefault(ev, tl, role, leaf)
}

// SpotOf returns the place of an acknowledged value in what a release answers.
func SpotOf(tl *trace.Timeline, acked *trace.AckedValue, role term.Role) Spot {
	return Spot{APIVersion: tl.Manifest.APIVersion, Kind: tl.Manifest.Kind, Name: acked.Name, Role: role}
}

// keepsZero tells whether one of the releases has shown a zero that it was sent
// at the path.
func keepsZero(ev *Evidence, tl *trace.Timeline, acked *trace.AckedValue, roles ...term.Role) bool {
	if ev.zeros.Kept == nil {
		ev.zeros.Kept = zerosKept(ev)
	}
	return slices.ContainsFunc(roles, func(role term.Role) bool { return ev.zeros.Kept[SpotOf(tl, acked, role)] })
}

func zerosKept(ev *Evidence) map[Spot]bool {
	kept := map[Spot]bool{}
	for _, tl := range ev.Timelines {
		for _, acked := range tl.Entries {
			if acked.Acknowledged && IsZero(acked.Leaf) {
				kept[SpotOf(tl, acked, ev.Acts[acked.Offered].Role)] = true
			}
		}
	}
	return kept
}

// leavesAlone tells whether the release fills nothing in at the path where
// nothing was sent: it made an object without it, and showed it without.
func leavesAlone(ev *Evidence, tl *trace.Timeline, acked *trace.AckedValue, role term.Role) bool {
	at := SpotOf(tl, acked, role)
	alone, asked := ev.zeros.Alone[at]
	if asked {
		return alone
	}
	if ev.zeros.Alone == nil {
		ev.zeros.Alone = map[Spot]bool{}
	}
	ev.zeros.Alone[at] = slices.ContainsFunc(ev.Timelines, func(other *trace.Timeline) bool {
		return other.Manifest.APIVersion == at.APIVersion && other.Manifest.Kind == at.Kind && madeWithout(ev, other, acked, role)
	})
	return ev.zeros.Alone[at]
}

// madeWithout tells whether the release made the copy from a body that holds
// nothing at the path, and showed what is above it with nothing there.
func madeWithout(ev *Evidence, tl *trace.Timeline, acked *trace.AckedValue, role term.Role) bool {
	act, ok := ev.Acts[tl.Created]
	if !ok || act.Role != role || act.Exchange.Sent == "" {
		return false
	}
	up := acked.Leaf.Path[:len(acked.Leaf.Path)-1]
	for _, leaves := range []schema.Leaves{ev.LeavesOf(tl, act.Exchange.Sent), ev.LeavesOf(tl, act.Exchange.Answer)} {
		if _, has := acked.In(leaves); has || !trace.Below(leaves, up) {
			return false
		}
	}
	return true
}

// zerosLeftOut are the zeros of the change that the client was to send and that
// its own types, which have a place for them, left out: it meant them.
func zerosLeftOut(ev *Evidence, tl *trace.Timeline, act history.Operation, sent schema.Leaves) schema.Leaves {
	role, typed := act.Client.Role()
	if !typed || len(sent) == 0 || trace.OtherVersion(tl, ev.Steps[act.Step].Step) {
		return nil
	}
	left := trace.LeavesIn(tl.Kind, tl.Manifest.Body)
	maps.DeleteFunc(left, func(name string, leaf schema.Leaf) bool {
		_, has := sent[name]
		return has || !ev.TypesDeclare(role, tl, leaf.Path) || !tellsZero(ev, tl, &trace.AckedValue{Leaf: leaf})
	})
	return left
}
