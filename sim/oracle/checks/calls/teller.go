package calls

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// Teller names the check that tells of a call which was not answered with a
// success, so that each is told once. What a line declares of its answer goes
// first; then old clients, who owe the change nothing; then what worked before.
func Teller(tr *trace.Trace, number int) term.CheckName {
	at := tr.Steps[number]
	tl := evidence.LifeOf(tr, number)
	switch {
	case tr.Panicked(number):
		return term.CheckRule3
	case tl == nil || at.Step.Respond != nil:
		return term.Answers
	case at.Step.Verb == term.ListAll && trace.OutcomeOf(tr.Acts[number]) == trace.CannotRead:
		return term.EverythingDecodes
	case evidence.Rule5Reference(tr, tl, at) > 0:
		return term.CheckRule5
	case evidence.Rule1Reference(tr, tl, at) > 0:
		return term.CheckRule1
	case harms(tr, tl, number):
		return term.CheckRule3
	}
	return term.Answers
}

// harms tells whether a call that uses the change left a server without it
// unable to answer.
func harms(tr *trace.Trace, tl *trace.Timeline, number int) bool {
	x := tr.Acts[number].Exchange
	return !x.Succeeded() && trace.OutcomeOfAnswer(x).CallState() == term.Failed && sendsChange(tr, tl, number) && !metUnreadable(tr, tl, number)
}
