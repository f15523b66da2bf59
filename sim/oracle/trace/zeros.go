package trace

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// Most types omit what is empty or zero, treat a zero as absent, and then apply the default for
// an absent value. No schema shows which types distinguish a zero from an absent value, but other
// answers may.

// IsZero reports whether a value is the zero of its type, or empty.
func IsZero(leaf schema.Leaf) bool {
	return slices.Contains([]string{schema.Empty, `""`, "0", "false"}, leaf.Semantic)
}

// TellsZero reports whether a zero counts as a value: it is a number or a boolean of the change
// itself. Old fields may treat such a zero as absent; a new field must not.
func TellsZero(tr *Trace, tl *Timeline, acked *AckedValue) bool {
	return tr.IsChange(tl, acked.Leaf.Path) && slices.Contains([]string{"0", "false"}, acked.Leaf.Semantic)
}

// OtherDefault reports whether the release publishes another default for the path than the value.
func OtherDefault(tr *Trace, tl *Timeline, role term.Role, leaf schema.Leaf) bool {
	k, _ := tr.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	_, has := k.Default(leaf.Path)
	return has && !tr.IsPublishedDefault(tl, role, leaf)
}

// zerosLeftOut returns the zeros of the change that the client should have sent and that its own
// types omitted although they have the field: they count as sent.
func zerosLeftOut(tr *Trace, tl *Timeline, act history.Operation, sent schema.Leaves) schema.Leaves {
	role, typed := act.Client.Role()
	if !typed || len(sent) == 0 || OtherVersion(tl, tr.Steps[act.Step].Step) {
		return nil
	}
	left := LeavesIn(tl.Kind, tl.Manifest.Body)
	maps.DeleteFunc(left, func(name string, leaf schema.Leaf) bool {
		_, has := sent[name]
		return has || !tr.TypesDeclare(role, tl, leaf.Path) || !TellsZero(tr, tl, &AckedValue{Leaf: leaf})
	})
	return left
}
