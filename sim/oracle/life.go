package oracle

import (
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// milestone is a birth or a death of a copy: it can be deleted and made again.
type milestone struct {
	step int
	born bool
}

// hasPast tells whether the copy comes from an earlier leg of a chain, or goes through
// an order of operations of its own: what a call of it comes to depends on those before.
func (l *life) hasPast() bool { return l.copy.Leg > 0 || l.copy.Order > 0 }

// hadPast tells whether a call met a copy with a past: one of those, or one that
// another call of the same line had met before it.
func (e *evidence) hadPast(l *life, number int) bool {
	return l.hasPast() || e.steps[number].step.Follows
}

// addMilestones finds out which steps brought the copy into being, and took it
// away; stored are the changes of its key.
func (e *evidence) addMilestones(l *life, stored []history.Change) {
	for _, step := range l.acts {
		act := e.acts[step]
		switch verb := e.steps[step].step.Verb; {
		case verb.Deletes() && (act.Exchange.Succeeded() || unclear(act.Exchange) && e.tookAway(l, step, stored)):
			if at := l.goneAt(step); at > 0 {
				l.milestones, l.deleted = append(l.milestones, milestone{at, false}), at
			}
		case act.Exchange.Succeeded() && e.bears(act):
			l.milestones, l.deleted = append(l.milestones, milestone{step, true}), 0
			if l.created == 0 {
				l.created = step
			}
		}
	}
}

// goneAt is the step that found the copy gone after a delete: the delete's own,
// unless what was looked at right after it still shows the object. A finalizer
// holds it up then, and it is stored and served until a GET does not find it.
// 0: none did.
func (l *life) goneAt(step int) int {
	held := false
	for _, s := range l.sights {
		switch {
		case s.list() || s.wrote || s.step < step:
		case s.code == http.StatusNotFound && (held || s.step == step):
			return s.step
		case s.step == step && s.purpose == history.Look && s.ok():
			held = true
		}
	}
	if held {
		return 0
	}
	return step
}

// leaving tells whether the copy is there, and a delete that was answered with
// success is held up.
func (e *evidence) leaving(l *life, step int) bool {
	born := 0
	for _, m := range l.milestones {
		if m.born && m.step <= step {
			born = m.step
		}
	}
	return !l.gone(step) && slices.ContainsFunc(l.acts, func(number int) bool {
		return number > born && number <= step && e.steps[number].step.Verb.Deletes() && e.acts[number].Exchange.Succeeded()
	})
}

// dies tells whether a step found the copy gone.
func (l *life) dies(step int) bool { return slices.Contains(l.milestones, milestone{step, false}) }

// tookAway tells whether a delete without a clear answer was done: the store
// tells of a deletion after what was seen before it, and nothing saw the object
// in between.
func (e *evidence) tookAway(l *life, step int, stored []history.Change) bool {
	seen := l.seenBefore(step)
	return slices.ContainsFunc(stored, func(c history.Change) bool {
		return c.Deleted && c.Revision > seen && !e.seenSince(l, step, c.Revision)
	})
}

// seenSince tells whether a later step was shown the copy as it was before a
// revision: what came to be then is no doing of the step's. A LIST from a cache
// may be late, and one among operations overlaps them.
func (e *evidence) seenSince(l *life, step int, revision int64) bool {
	return slices.ContainsFunc(l.sights, func(s sight) bool {
		overlaps := s.list() && e.steps[s.step].step.Action == plan.Operate
		return s.step > step && s.dated() && s.revision < revision && !s.cached && !overlaps
	})
}

// created is the answer of a server that made the object just then.
const created = 201

// bears tells whether a successful write made the object: a create does, and so
// does any other verb that the server says to have made it, or that the plan
// has as the copy's birth.
func (e *evidence) bears(act history.Operation) bool {
	step := e.steps[act.Step].step
	return step.Verb == term.Create || step.Birth || step.Verb.Creates() && act.Exchange.Code == created
}

// gone tells whether the copy had been taken away, or not yet been made, when a
// step looked. A step that makes it, or takes it away, counts as done.
func (l *life) gone(step int) bool {
	gone := true
	for _, m := range l.milestones {
		if m.step <= step {
			gone = !m.born
		}
	}
	return gone
}

// addAsides takes in what is known of stored versions by other ways than the
// steps: events of watches, and trials of recorded bytes. They say what a
// version holds. When they came, and so what anybody was served at some step,
// they do not say.
func (e *evidence) addAsides(lives map[string]*life, changes map[int64]history.Change) {
	for _, w := range e.history.Watches {
		l := lives[w.Copy]
		shows := w.Event == history.WatchAdded || w.Event == history.WatchModified
		if l == nil || !shows || l.manifest.APIVersion != w.APIVersion || l.manifest.Kind != w.Kind {
			continue
		}
		l.asides = append(l.asides, sight{observed: &observed{
			replica: w.Replica, role: w.Role, code: 200, revision: w.Revision, answer: w.Answer, object: e.history.HasObject(w.Answer),
		}})
	}
	for _, t := range e.history.Trials {
		l := lives[t.Copy]
		if l == nil || t.Trial != history.TrialGet || l.manifest.APIVersion != t.APIVersion || l.manifest.Kind != t.Kind || !stored(t, changes) {
			continue
		}
		l.asides = append(l.asides, sight{observed: &observed{
			role: t.Role, code: t.Code, revision: t.Revision, answer: t.Answer, object: e.history.HasObject(t.Answer),
		}})
	}
}

// stored tells whether a trial read what the record says was stored.
func stored(t history.Trial, changes map[int64]history.Change) bool {
	c, ok := changes[t.Revision]
	return ok && c.Key == t.Key && c.Value == t.Value
}
