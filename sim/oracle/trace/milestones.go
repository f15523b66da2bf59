package trace

import (
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// AllCopiesOf returns a timeline for all copies of an object, the subject of a LIST.
func (tr *Trace) AllCopiesOf(object string) *Timeline {
	for _, tl := range tr.Timelines {
		if tl.Copy.Object == object {
			return &Timeline{Copy: plan.Copy{Object: object}, Manifest: tl.Manifest, Kind: tl.Kind}
		}
	}
	return &Timeline{Copy: plan.Copy{Object: object}}
}

// milestone is the creation or the deletion of a copy: a copy can be deleted and created again.
type milestone struct {
	step int
	born bool
}

// hasPast reports whether the copy comes from an earlier leg of a chain, or has an order of
// operations of its own: the outcome of a call on it depends on the calls before.
func (tl *Timeline) hasPast() bool { return tl.Copy.Leg > 0 || tl.Copy.Order > 0 }

// HasPast reports whether a call met a copy with a past, or a copy that another call of the same
// line had met before.
func (tr *Trace) HasPast(tl *Timeline, number int) bool {
	return tl.hasPast() || tr.Steps[number].Step.Follows
}

// goneAt returns the step that found the copy gone after a delete, 0 if none did. It is the
// delete's own step, unless an answer right after it still shows the object: a finalizer holds
// the object then, and it is stored and served until a GET does not find it.
func (tl *Timeline) goneAt(step int) int {
	held := false
	for _, obs := range tl.Observations {
		switch {
		case obs.IsListItem() || obs.wrote || obs.Step < step:
		case obs.Code == http.StatusNotFound && (held || obs.Step == step):
			return obs.Step
		case obs.Step == step && obs.Purpose == history.Look && obs.ShowsObject():
			held = true
		}
	}
	if held {
		return 0
	}
	return step
}

// IsBeingDeleted reports whether the copy still exists after a delete that was answered with
// success.
func (tr *Trace) IsBeingDeleted(tl *Timeline, step int) bool {
	born := 0
	for _, m := range tl.milestones {
		if m.born && m.step <= step {
			born = m.step
		}
	}
	return !tl.IsGone(step) && slices.ContainsFunc(tl.Acts, func(number int) bool {
		return number > born && number <= step && tr.Steps[number].Step.Verb.Deletes() && tr.Acts[number].Exchange.Succeeded()
	})
}

// EndsAt reports whether a step found the copy gone.
func (tl *Timeline) EndsAt(step int) bool {
	return slices.Contains(tl.milestones, milestone{step, false})
}

// created is the answer of a server that has just made the object.
const created = 201

// Creates reports whether a successful write made the object: a create does, and so does any
// other verb that the server answers with 201, or that the plan marks as the copy's creation.
func (tr *Trace) Creates(act history.Operation) bool {
	step := tr.Steps[act.Step].Step
	return step.CreatesCopy() || step.Verb.Creates() && act.Exchange.Code == created
}

// IsGone reports whether the copy did not exist when a step read it: not created yet, or deleted.
// A step that creates or deletes it counts as done.
func (tl *Timeline) IsGone(step int) bool {
	gone := true
	for _, m := range tl.milestones {
		if m.step <= step {
			gone = !m.born
		}
	}
	return gone
}

// A server that panics while it answers breaks the stream off or answers 500. The record of such
// a request has the panic, which is found in the server's log by the request's audit ID. A panic
// is a violation of rule-3 whatever was sent, and only rule-3 reports it.

// Panicked reports whether the server panicked while it answered a call.
func (tr *Trace) Panicked(number int) bool { return tr.Acts[number].Exchange.Panic != nil }
