package trace

import (
	"cmp"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// Illegible are the values that releases were seen not to read, and why: copies,
// each with the step that had written it last.
type Illegible map[term.Role]map[string]term.Cause

// Add notes that a release does not read a value, and why.
func (u Illegible) Add(role term.Role, value string, why term.Cause) {
	if u[role] == nil {
		u[role] = map[string]term.Cause{}
	}
	u[role][value] = why
}

// Has reports whether a release does not read a value.
func (u Illegible) Has(role term.Role, value string) bool { return u[role][value] != "" }

// Cause is why a release does not read some values, where all have one cause.
func (u Illegible) Cause(role term.Role, values []string) term.Cause {
	for _, value := range values {
		if u[role][value] != u[role][values[0]] {
			return term.Unattributed
		}
	}
	if len(values) == 0 {
		return term.Unattributed
	}
	return cmp.Or(u[role][values[0]], term.Unattributed)
}

// Marks are what is noted of each release. A damaged history may name others.
type Marks map[term.Role]map[string]bool

// Add notes something of a release.
func (m Marks) Add(role term.Role, what string) {
	if m[role] == nil {
		m[role] = map[string]bool{}
	}
	m[role][what] = true
}

// Asked is a trial's answer as that of a request.
func Asked(t history.Trial) history.Exchange {
	return history.Exchange{Code: t.Code, Reason: t.Reason, Message: t.Message, Error: t.Error}
}

// derived is what several checks and the ledger go by. It is found out before
// any of them judges, so that their order changes nothing.
type derived struct {
	Read          Marks     // the encodings and versions that a release was seen to read
	Unread        Illegible // the values that a release was seen not to read
	Back          []Comeback
	Disagreements []Disagreement // values that the releases serve differently
	DisagreeAt    map[string]int // by copy and path: the step in which the new release does
	Compared      int            // stored versions of which both releases were seen to serve something
}

// Unreadable tells whether a GET of a copy that is there found that it cannot
// be read: by its code, or by a body that is no object.
func (tr *Trace) Unreadable(tl *Timeline, op history.Operation) bool {
	x := op.Exchange
	looked := op.Purpose == history.Look || op.Purpose == history.Read
	if !looked || tl.Gone(op.Step) || tr.Lacks(x) {
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

// CutOff tells whether the run's own end may have cut a trial off.
func (tr *Trace) CutOff(t history.Trial) bool {
	return !tr.History.Complete() && t.Code == 0 && (t.Trial != history.TrialStart || t.Error != "")
}

// Presence is what is known of a value inside a stored version.
type Presence int
