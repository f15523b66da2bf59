package trace

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
)

// AsExchange returns a trial's answer as the exchange of a request.
func AsExchange(t history.Trial) history.Exchange {
	return history.Exchange{Code: t.Code, Reason: t.Reason, Message: t.Message, Error: t.Error}
}

// Unreadable reports whether a GET of an existing copy showed that it cannot be read: by the
// answer's code, or by a body that is not an object.
func (tr *Trace) Unreadable(tl *Timeline, op history.Operation) bool {
	x := op.Exchange
	looked := op.Purpose == history.Look || op.Purpose == history.Read
	if !looked || tl.IsGone(op.Step) || tr.LacksBody(x) {
		return false
	}
	o := OutcomeOf(op)
	noObject := x.Succeeded() && !tr.History.HasObject(x.Answer)
	return o == ruling.CannotRead || noObject && (o == ruling.Done || op.Purpose == history.Look)
}

// ValueMet returns the stored value that an operation met: its name, and its change in the store,
// which is empty if unknown.
func (tr *Trace) ValueMet(tl *Timeline, op history.Operation) (string, history.Change) {
	at := op.Step
	if op.Purpose == history.Read {
		at-- // before the step's own write
	}
	if v := tr.StoredBy(tl, at); v != nil {
		return tr.ValueAt(tl, at), v.Change
	}
	return tr.ValueAt(tl, at), history.Change{}
}

// ValueTried returns the step that stored what a trial read, and the value's name.
func (tr *Trace) ValueTried(tl *Timeline, t history.Trial) (int, string) {
	if v := tl.Version(t.Revision); v != nil && v.Step > 0 {
		return v.Step, tr.ValueAt(tl, v.Step)
	}
	return t.Step, fmt.Sprint(t.Copy, " at ", t.Revision) // written by the servers themselves
}

// MayBeCutOff reports whether the end of the run may have interrupted a trial.
func (tr *Trace) MayBeCutOff(t history.Trial) bool {
	return !tr.History.Complete() && t.Code == 0 && (t.Trial != history.TrialStart || t.Error != "")
}

// Presence is what is known of a value inside a stored version.
type Presence int
