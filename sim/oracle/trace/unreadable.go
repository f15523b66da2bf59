package trace

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/history"
)

// AsExchange is a trial's answer as that of a request.
func AsExchange(t history.Trial) history.Exchange {
	return history.Exchange{Code: t.Code, Reason: t.Reason, Message: t.Message, Error: t.Error}
}

// Unreadable reports whether a GET of a copy that is there found that it cannot
// be read: by its code, or by a body that is no object.
func (tr *Trace) Unreadable(tl *Timeline, op history.Operation) bool {
	x := op.Exchange
	looked := op.Purpose == history.Look || op.Purpose == history.Read
	if !looked || tl.IsGone(op.Step) || tr.LacksBody(x) {
		return false
	}
	o := OutcomeOf(op)
	noObject := x.Succeeded() && !tr.History.HasObject(x.Answer)
	return o == CannotRead || noObject && (o == Done || op.Purpose == history.Look)
}

// ValueMet is what an operation met of a copy: its name, and its change of the
// store, which is empty where none is known.
func (tr *Trace) ValueMet(tl *Timeline, op history.Operation) (string, history.Change) {
	at := op.Step
	if op.Purpose == history.Read {
		at-- // it came before the step's own write
	}
	if v := tr.StoredBy(tl, at); v != nil {
		return tr.ValueAt(tl, at), v.Change
	}
	return tr.ValueAt(tl, at), history.Change{}
}

// ValueTried is the step that stored what a trial tried, and the value's name.
func (tr *Trace) ValueTried(tl *Timeline, t history.Trial) (int, string) {
	if v := tl.Version(t.Revision); v != nil && v.Step > 0 {
		return v.Step, tr.ValueAt(tl, v.Step)
	}
	return t.Step, fmt.Sprint(t.Copy, " at ", t.Revision) // of the servers' own
}

// MayBeCutOff reports whether the run's own end may have cut a trial off.
func (tr *Trace) MayBeCutOff(t history.Trial) bool {
	return !tr.History.Complete() && t.Code == 0 && (t.Trial != history.TrialStart || t.Error != "")
}

// Presence is what is known of a value inside a stored version.
type Presence int
