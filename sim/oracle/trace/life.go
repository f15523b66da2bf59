package trace

import (
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Whole stands for all copies of an object: what a LIST is about.
func (tr *Trace) Whole(object string) *Timeline {
	for _, tl := range tr.ByCopy {
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

// hasPast tells whether the copy comes from an earlier leg of a chain, or goes through
// an order of operations of its own: what a call of it comes to depends on those before.
func (tl *Timeline) hasPast() bool { return tl.Copy.Leg > 0 || tl.Copy.Order > 0 }

// HadPast tells whether a call met a copy with a past: one of those, or one that
// another call of the same line had met before it.
func (tr *Trace) HadPast(tl *Timeline, number int) bool {
	return tl.hasPast() || tr.Steps[number].Step.Follows
}

// AddMilestones finds out which steps brought the copy into being, and took it
// away; stored are the changes of its key.
func (tr *Trace) AddMilestones(tl *Timeline, stored []history.Change) {
	for _, step := range tl.Acts {
		act := tr.Acts[step]
		switch verb := tr.Steps[step].Step.Verb; {
		case verb.Deletes() && (act.Exchange.Succeeded() || Unclear(act.Exchange) && tr.tookAway(tl, step, stored)):
			if at := tl.goneAt(step); at > 0 {
				tl.milestones, tl.Deleted = append(tl.milestones, milestone{at, false}), at
			}
		case act.Exchange.Succeeded() && tr.Bears(act):
			tl.milestones, tl.Deleted = append(tl.milestones, milestone{step, true}), 0
			if tl.Created == 0 {
				tl.Created = step
			}
		}
	}
}

// goneAt is the step that found the copy gone after a delete: the delete's own,
// unless what was looked at right after it still shows the object. A finalizer
// holds it up then, and it is stored and served until a GET does not find it.
// 0: none did.
func (tl *Timeline) goneAt(step int) int {
	held := false
	for _, obs := range tl.Sights {
		switch {
		case obs.List() || obs.wrote || obs.Step < step:
		case obs.Code == http.StatusNotFound && (held || obs.Step == step):
			return obs.Step
		case obs.Step == step && obs.Purpose == history.Look && obs.Ok():
			held = true
		}
	}
	if held {
		return 0
	}
	return step
}

// Leaving tells whether the copy is there, and a delete that was answered with
// success is held up.
func (tr *Trace) Leaving(tl *Timeline, step int) bool {
	born := 0
	for _, m := range tl.milestones {
		if m.born && m.step <= step {
			born = m.step
		}
	}
	return !tl.Gone(step) && slices.ContainsFunc(tl.Acts, func(number int) bool {
		return number > born && number <= step && tr.Steps[number].Step.Verb.Deletes() && tr.Acts[number].Exchange.Succeeded()
	})
}

// Dies tells whether a step found the copy gone.
func (tl *Timeline) Dies(step int) bool {
	return slices.Contains(tl.milestones, milestone{step, false})
}

// tookAway tells whether a delete without a clear answer was done: the store
// tells of a deletion after what was seen before it, and nothing saw the object
// in between.
func (tr *Trace) tookAway(tl *Timeline, step int, stored []history.Change) bool {
	seen := tl.SeenBefore(step)
	return slices.ContainsFunc(stored, func(c history.Change) bool {
		return c.Deleted && c.Revision > seen && !tr.seenSince(tl, step, c.Revision)
	})
}

// seenSince tells whether a later step was shown the copy as it was before a
// revision: what came to be then is no doing of the step's. A LIST from a cache
// may be late, and one among operations overlaps them.
func (tr *Trace) seenSince(tl *Timeline, step int, revision int64) bool {
	return slices.ContainsFunc(tl.Sights, func(obs Observation) bool {
		overlaps := obs.List() && tr.Steps[obs.Step].Step.Action == plan.Operate
		return obs.Step > step && obs.Dated() && obs.Revision < revision && !obs.cached && !overlaps
	})
}

// created is the answer of a server that made the object just then.
const created = 201

// Bears tells whether a successful write made the object: a create does, and so
// does any other verb that the server says to have made it, or that the plan
// has as the copy's birth.
func (tr *Trace) Bears(act history.Operation) bool {
	step := tr.Steps[act.Step].Step
	return step.Verb == term.Create || step.Birth || step.Verb.Creates() && act.Exchange.Code == created
}

// Gone tells whether the copy had been taken away, or not yet been made, when a
// step looked. A step that makes it, or takes it away, counts as done.
func (tl *Timeline) Gone(step int) bool {
	gone := true
	for _, m := range tl.milestones {
		if m.step <= step {
			gone = !m.born
		}
	}
	return gone
}

// AddAsides takes in what is known of stored versions by other ways than the
// steps: events of watches, and trials of recorded bytes. They say what a
// version holds. When they came, and so what anybody was served at some step,
// they do not say.
func (tr *Trace) AddAsides(lives map[string]*Timeline, changes map[int64]history.Change) {
	for _, w := range tr.History.Watches {
		tl := lives[w.Copy]
		shows := w.Event == history.WatchAdded || w.Event == history.WatchModified
		if tl == nil || !shows || tl.Manifest.APIVersion != w.APIVersion || tl.Manifest.Kind != w.Kind {
			continue
		}
		tl.Asides = append(tl.Asides, Observation{observed: &observed{
			Replica: w.Replica, Role: w.Role, Code: 200, Revision: w.Revision, Answer: w.Answer, object: tr.History.HasObject(w.Answer),
		}})
	}
	for _, t := range tr.History.Trials {
		tl := lives[t.Copy]
		if tl == nil || t.Trial != history.TrialGet || tl.Manifest.APIVersion != t.APIVersion || tl.Manifest.Kind != t.Kind || !stored(t, changes) {
			continue
		}
		tl.Asides = append(tl.Asides, Observation{observed: &observed{
			Role: t.Role, Code: t.Code, Revision: t.Revision, Answer: t.Answer, object: tr.History.HasObject(t.Answer),
		}})
	}
}

// stored tells whether a trial read what the record says was stored.
func stored(t history.Trial, changes map[int64]history.Change) bool {
	c, ok := changes[t.Revision]
	return ok && c.Key == t.Key && c.Value == t.Value
}

// A server that panics while it answers breaks the stream off, or answers 500. The record
// of such a request has the panic, as the server's log tells of it by the request's audit
// ID. Whatever is sent, that is a violation of rule-3, and no other check tells of it.

// Panicked reports whether the server panicked while it answered a call.
func (tr *Trace) Panicked(number int) bool { return tr.Acts[number].Exchange.Panic != nil }
