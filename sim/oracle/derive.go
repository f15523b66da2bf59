package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// derived is what several checks and the ledger go by. It is found out before
// any of them judges, so that their order changes nothing.
type derived struct {
	read          marks     // the encodings and versions that a release was seen to read
	unread        illegible // the values that a release was seen not to read
	back          []comeback
	disagreements []disagreement // values that the releases serve differently
	disagreeAt    map[string]int // by copy and path: the step in which the new release does
	compared      int            // stored versions of which both releases were seen to serve something
	// losses and conversions are what nothing-lost and rule-4 come to: what they
	// tell of a value, no other check tells again.
	losses, conversions judged
}

func (e *evidence) derive() {
	c := e.calls
	c.read = e.formsRead()
	c.unread = e.illegibleValues()
	c.back = e.comebacks()
	c.losses, c.conversions = nothingLost(e), rule4(e)
	c.remember(c.losses.findings, c.conversions.findings)
	c.disagreements, c.compared = e.readings()
	c.disagreeAt = map[string]int{}
	for _, a := range c.disagreements {
		c.disagreeAt[a.l.copy.Name+" "+a.name] = a.new.step
	}
}

// illegibleValues are the values that releases were seen not to read, by GETs of
// replicas and of trials.
func (e *evidence) illegibleValues() illegible {
	all := illegible{}
	for _, op := range e.history.Operations {
		if l := e.calls.lives[op.Copy]; l != nil && e.unreadable(l, op) {
			value, c := e.valueMet(l, op)
			all.add(op.Role, value, e.unreadCause(op.Role, c))
		}
	}
	changes := e.changes()
	for _, t := range e.history.Trials {
		if l := e.calls.lives[t.Copy]; l != nil && t.Trial == history.TrialGet && !e.cutOff(t) && outcomeOfAnswer(asked(t)) == cannotRead {
			_, value := e.valueTried(l, t)
			all.add(t.Role, value, e.unreadCause(t.Role, changes[t.Revision]))
		}
	}
	return all
}

// unreadable tells whether a GET of a copy that is there found that it cannot
// be read: by its code, or by a body that is no object.
func (e *evidence) unreadable(l *life, op history.Operation) bool {
	x := op.Exchange
	looked := op.Purpose == history.Look || op.Purpose == history.Read
	if !looked || l.gone(op.Step) || e.lacks(x) {
		return false
	}
	o := outcomeOf(op)
	noObject := x.Succeeded() && !e.history.HasObject(x.Answer)
	return o == cannotRead || noObject && (o == done || op.Purpose == history.Look)
}

// valueMet is what an operation met of a copy: its name, and its change of the
// store, which is empty where none is known.
func (e *evidence) valueMet(l *life, op history.Operation) (string, history.Change) {
	at := op.Step
	if op.Purpose == history.Read {
		at-- // it came before the step's own write
	}
	if v := e.storedBy(l, at); v != nil {
		return e.valueAt(l, at), v.change
	}
	return e.valueAt(l, at), history.Change{}
}

// valueTried is the step that stored what a trial tried, and the value's name.
func (e *evidence) valueTried(l *life, t history.Trial) (int, string) {
	if v := l.version(t.Revision); v != nil && v.step > 0 {
		return v.step, e.valueAt(l, v.step)
	}
	return t.Step, fmt.Sprint(t.Copy, " at ", t.Revision) // of the servers' own
}

// cutOff tells whether the run's own end may have cut a trial off.
func (e *evidence) cutOff(t history.Trial) bool {
	return !e.history.Complete() && t.Code == 0 && (t.Trial != history.TrialStart || t.Error != "")
}

// comeback is a value that a rollback hid from every replica, and that was
// served again.
type comeback struct {
	l      *life
	n      *entry
	shown  sight
	hidden stageView
}

// comebacks are those of copies that nothing wrote, in the order of the plan.
func (e *evidence) comebacks() []comeback {
	var all []comeback
	if !comesBack(e, e.planned()) {
		return nil
	}
	for _, l := range e.byCopy {
		if l.copy.Role != term.Untouched {
			continue
		}
		for _, n := range slices.DeleteFunc(slices.Clone(l.entries), func(n *entry) bool { return !n.acknowledged }) {
			if found, ok := e.comebackOf(l, n); ok {
				n.resurrected = found.shown.step // the ledger shows it
				all = append(all, found)
			}
		}
	}
	return all
}

// comebackOf walks the stages of one value.
func (e *evidence) comebackOf(l *life, n *entry) (comeback, bool) {
	hidden := stageView{}
	for _, s := range e.byStage(l, n) {
		switch {
		case s.shown == nil && s.hid.role == term.Old && s.everybody(len(e.history.Header.Plan.Replicas)):
			hidden = s // a new release that hides it is no rollback
		case s.shown != nil && hidden.hid != nil:
			return comeback{l, n, *s.shown, hidden}, true
		}
	}
	return comeback{}, false
}
