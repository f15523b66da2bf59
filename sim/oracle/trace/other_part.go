package trace

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Servers usually ignore a status that a create or an update sends, and whatever else a write of the status
// sends. That is a habit of each kind, and a release can begin or end it: clients that rely on the other release
// then lose what they send, with a success and without a warning. Answers show which releases take such values.

// way is how calls send fields of a kind: in a create, an update, or a write of the status.
type way struct {
	apiVersion, kind string
	creates, status  bool
	field            string // without the keys and the places of list elements
}

func wayOf(ev *Evidence, tl *Timeline, act history.Operation, p fieldpath.Path) way {
	step := ev.Steps[act.Step].Step
	return way{VersionOf(tl, step), tl.Manifest.Kind, ev.Creates(act), WritesStatus(step), fieldsOf(p)}
}

// fieldsOf returns the fields of a path, without the keys and the places of list elements.
func fieldsOf(p fieldpath.Path) string {
	var fields fieldpath.Path
	for _, e := range p {
		if e.FieldName != nil {
			fields = append(fields, e)
		}
	}
	return path.String(fields)
}

// takenWays returns the ways in which some release of the run took a value from a client. A write of the status
// that changes the rest of the object is what the old release does, or it is a fault of the new one: such values
// of the new release are nobody's.
func takenWays(ev *Evidence) map[way]bool {
	all := map[way]bool{}
	for _, tl := range ev.Timelines {
		for _, number := range tl.Acts {
			act, step := ev.Acts[number], ev.Steps[number].Step
			if !step.Verb.Writes() || step.Verb.Deletes() || step.Adoption() || !act.Exchange.Succeeded() || ev.LacksObject(act) ||
				WritesStatus(step) && act.Role != term.Old {
				continue
			}
			for name, leaf := range offeredInVain(ev, tl, act) {
				if takes(ev, tl, act, &AckedValue{Name: name, Leaf: leaf}) {
					all[wayOf(ev, tl, act, leaf.Path)] = true
				}
			}
		}
	}
	return all
}

// offeredInVain returns the values of a call that servers of either release usually ignore.
func offeredInVain(ev *Evidence, tl *Timeline, act history.Operation) schema.Leaves {
	all := Offers(ev.Trace, tl, act, ev.Steps[act.Step].Step)
	differs := HasStatus(ev.Trace, tl, term.Old) != HasStatus(ev.Trace, tl, term.New)
	maps.DeleteFunc(all, func(_ string, leaf schema.Leaf) bool {
		usual := IsOfPart(ev.Trace, tl, act, leaf.Path) && !(differs && path.Contains(StatusPath(), leaf.Path))
		return usual || IsVoid(leaf) || !CanOffer(ev.Trace, tl, act, leaf.Path)
	})
	return all
}

// takes reports whether a server took a value from a call: the answer shows it, the object did not have it
// before, and the server does not fill it in for clients that send none.
func takes(ev *Evidence, tl *Timeline, act history.Operation, sent *AckedValue) bool {
	shows := func(answer string) bool {
		is, shown := sent.FoundIn(ev.LeavesOf(tl, answer))
		return shown && is.Semantic == sent.Leaf.Semantic
	}
	if !shows(act.Exchange.Answer) {
		return false
	}
	if ev.Creates(act) {
		return !FillsIn(ev, tl, act.Role, sent)
	}
	before := ShownBefore(ev, tl, act.Step)
	return before != "" && !shows(before)
}

// FillsIn reports whether a release answered the create of another copy of the kind with a value that the
// client did not send.
func FillsIn(ev *Evidence, tl *Timeline, role term.Role, acked *AckedValue) bool {
	return slices.ContainsFunc(ev.Timelines, func(other *Timeline) bool {
		act := ev.Acts[other.Created]
		if other.Created == 0 || act.Role != role || other.Manifest.Kind != tl.Manifest.Kind || other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Copy.Leg > 0 {
			return false
		}
		leaf, shown := acked.FoundIn(ev.LeavesOf(other, act.Exchange.Answer))
		return shown && leaf.Semantic == acked.Leaf.Semantic && !WasSent(ev, other, act, acked.Leaf.Path)
	})
}

// IsOffered reports whether a client can set the value in a call: the value is of the part that the call is for,
// or some release of the run takes it all the same.
func IsOffered(ev *Evidence, tl *Timeline, act history.Operation, p fieldpath.Path) bool {
	return CanOffer(ev.Trace, tl, act, p) && (IsOfPart(ev.Trace, tl, act, p) || ev.taken[wayOf(ev, tl, act, p)])
}

// IsOfOtherPart reports whether a value was offered although it is not of the part that its call is for.
func IsOfOtherPart(ev *Evidence, tl *Timeline, acked *AckedValue) bool {
	return !IsOfPart(ev.Trace, tl, ev.Acts[acked.Offered], acked.Leaf.Path)
}

// namedBeside returns the paths that a write of the status names outside of the status, and that some release
// takes.
func namedBeside(ev *Evidence, tl *Timeline, step plan.Step) (all []fieldpath.Path) {
	act := ev.Acts[step.Number]
	if step.Change == nil || !WritesStatus(step) {
		return nil
	}
	for _, leaf := range Offers(ev.Trace, tl, act, step) {
		if !IsOfPart(ev.Trace, tl, act, leaf.Path) && IsOffered(ev, tl, act, leaf.Path) {
			all = append(all, leaf.Path)
		}
	}
	return all
}
