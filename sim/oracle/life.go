package oracle

import (
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// milestone is a birth or a death of a copy: it can be deleted and made again.
type milestone struct {
	step int
	born bool
}

// addMilestones finds out which steps brought the copy into being, and took it away.
func (e *evidence) addMilestones(l *life) {
	for _, step := range l.acts {
		act := e.acts[step]
		switch verb := e.steps[step].step.Verb; {
		case !act.Exchange.Succeeded():
		case verb.Deletes():
			l.milestones, l.deleted = append(l.milestones, milestone{step, false}), step
		case e.bears(act):
			l.milestones, l.deleted = append(l.milestones, milestone{step, true}), 0
			if l.created == 0 {
				l.created = step
			}
		}
	}
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
		l.asides = append(l.asides, sight{
			replica: w.Replica, role: w.Role, code: 200, revision: w.Revision, answer: w.Answer, object: e.history.HasObject(w.Answer),
		})
	}
	for _, t := range e.history.Trials {
		l := lives[t.Copy]
		if l == nil || t.Trial != history.TrialGet || l.manifest.APIVersion != t.APIVersion || l.manifest.Kind != t.Kind || !stored(t, changes) {
			continue
		}
		l.asides = append(l.asides, sight{
			role: t.Role, code: t.Code, revision: t.Revision, answer: t.Answer, object: e.history.HasObject(t.Answer),
		})
	}
}

// stored tells whether a trial read what the record says was stored.
func stored(t history.Trial, changes map[int64]history.Change) bool {
	c, ok := changes[t.Revision]
	return ok && c.Key == t.Key && c.Value == t.Value
}
