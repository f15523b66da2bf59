package requests

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

// TellsZero reports whether a zero can be no want of a value: it is a number or a
// truth value of the change itself. Types that take such a zero for nothing are
// a habit of old fields, and none that a new one may have.
func TellsZero(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue) bool {
	return tr.IsChange(tl, acked.Leaf.Path) && slices.Contains([]string{"0", "false"}, acked.Leaf.Semantic)
}

// OtherDefault reports whether the release publishes a default for the path,
// other than the value.
func OtherDefault(tr *trace.Trace, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	k, _ := tr.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	_, has := k.Default(leaf.Path)
	return has && !tr.IsPublishedDefault(tl, role, leaf)
}

// zerosLeftOut are the zeros of the change that the client was to send and that
// its own types, which have a place for them, left out: it meant them.
func zerosLeftOut(tr *trace.Trace, tl *trace.Timeline, act history.Operation, sent schema.Leaves) schema.Leaves {
	role, typed := act.Client.Role()
	if !typed || len(sent) == 0 || trace.OtherVersion(tl, tr.Steps[act.Step].Step) {
		return nil
	}
	left := trace.LeavesIn(tl.Kind, tl.Manifest.Body)
	maps.DeleteFunc(left, func(name string, leaf schema.Leaf) bool {
		_, has := sent[name]
		return has || !tr.TypesDeclare(role, tl, leaf.Path) || !TellsZero(tr, tl, &trace.AckedValue{Leaf: leaf})
	})
	return left
}
