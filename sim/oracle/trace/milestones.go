package trace

import (
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// AllCopiesOf stands for all copies of an object: what a LIST is about.
func (tr *Trace) AllCopiesOf(object string) *Timeline {
	for _, tl := range tr.Timelines {
		if tl.Copy.Object == object {
			return &Timeline{Copy: plan.Copy{Object: object}, Manifest: tl.Manifest, Kind: tl.Kind}
		}
	}
	return &Timeline{Copy: plan.Copy{Object: object}}
}

// milestone is a birth or a death of a copy: it can be deleted and made again.
type milestone struct {
	step int
	born bool
}

// hasPast reports whether the copy comes from an earlier leg of a chain, or goes through
// an order of operations of its own: what a call of it comes to depends on those before.
func (tl *Timeline) hasPast() bool { return tl.Copy.Leg > 0 || tl.Copy.Order > 0 }

// HasPast reports whether a call met a copy with a past: one of those, or one that
// another call of the same line had met before it.
func (tr *Trace) HasPast(tl *Timeline, number int) bool {
	return tl.hasPast() || tr.Steps[number].Step.Follows
}

// goneAt is the step that found the copy gone after a delete: the delete's own,
// unless what was looked at right after it still shows the object. A finalizer
// holds it up then, and it is stored and served until a GET does not find it.
// 0: none did.
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

// IsBeingDeleted reports whether the copy is there, and a delete that was answered with
// success is held up.
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

// created is the answer of a server that made the object just then.
const created = 201

// Creates reports whether a successful write made the object: a create does, and so
// does any other verb that the server says to have made it, or that the plan
// has as the copy's birth.
func (tr *Trace) Creates(act history.Operation) bool {
	step := tr.Steps[act.Step].Step
	return step.Verb == term.Create || step.Birth || step.Verb.Creates() && act.Exchange.Code == created
}

// IsGone reports whether the copy had been taken away, or not yet been made, when a
// step looked. A step that makes it, or takes it away, counts as done.
func (tl *Timeline) IsGone(step int) bool {
	gone := true
	for _, m := range tl.milestones {
		if m.step <= step {
			gone = !m.born
		}
	}
	return gone
}

// A server that panics while it answers breaks the stream off, or answers 500. The record
// of such a request has the panic, as the server's log tells of it by the request's audit
// ID. Whatever is sent, that is a violation of rule-3, and no other check tells of it.

// Panicked reports whether the server panicked while it answered a call.
func (tr *Trace) Panicked(number int) bool { return tr.Acts[number].Exchange.Panic != nil }
