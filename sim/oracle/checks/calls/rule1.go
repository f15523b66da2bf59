package calls

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// Repeats reports whether the plan makes a call of some verb, on what does not use the
// change, in the first stage, where it is one of the steps, and again later.
func Repeats(tr *trace.Trace, steps []int, of func(term.Verb) bool) bool {
	plain := func(number int) bool {
		tl := evidence.LifeOf(tr, number)
		return tl != nil && !evidence.UsesIn(tr.Calls, tl, number) && of(tr.Steps[number].Step.Verb)
	}
	first := map[string]bool{}
	for _, number := range steps {
		if at := tr.Steps[number]; at.Index == 0 && plain(number) {
			first[at.Sign] = true
		}
	}
	return slices.ContainsFunc(evidence.Planned(tr), func(number int) bool {
		at := tr.Steps[number]
		return at.Index > 0 && first[at.Sign] && plain(number)
	})
}

// AnyVerb accepts every verb: rule-1 judges all calls.
func AnyVerb(term.Verb) bool { return true }

// Rule1 judges that what succeeded before the upgrade succeeds after it, on
// objects that do not use the change. Its facts are the calls that were made
// with success in the first stage, each time they are made again; and servers
// that end by themselves break it, unless the change ended them.
func Rule1(tr *trace.Trace) finding.Judged {
	var j finding.Judged
	for _, number := range tr.Calls.Steps {
		at, tl := tr.Steps[number], evidence.LifeOf(tr, number)
		if tl == nil {
			continue
		}
		if before := evidence.Rule1Reference(tr, tl, at); before > 0 {
			judgeRule1(tr, tl, number, before, &j)
		}
	}
	j.Findings = append(j.Findings, Deaths(tr, term.CheckRule1)...)
	return j
}

func judgeRule1(tr *trace.Trace, tl *trace.Timeline, number, before int, j *finding.Judged) {
	judgeCall(tr, tl, number, calledBefore{term.CheckRule1, term.Rule1, "the same call", before}, j)
}

// calledBefore is the success that a call is held against, and the check that does.
type calledBefore struct {
	name term.CheckName
	rule term.Rule
	what string // the call, in words
	step int
}

// judgeCall judges that a call succeeds as its reference did, unless another
// check tells of its failure.
func judgeCall(tr *trace.Trace, tl *trace.Timeline, number int, reference calledBefore, j *finding.Judged) {
	act := tr.Acts[number]
	if finding.Interrupted(tr, act.Exchange) {
		j.Untold++
		return
	}
	if act.Done() {
		j.Facts++
		return
	}
	if Teller(tr, number) != reference.name {
		return
	}
	j.Facts++
	f := failedCall(tr, tl, reference.name, reference.rule, number)
	when := ""
	if act.Purpose == history.Read {
		when = fmt.Sprintf(", when it read through %s (%s),", f.Replica, f.Release)
	}
	f.Message = fmt.Sprintf("%s%s was answered %s%s; %s succeeded in %s; %s under %s",
		finding.Called(tr, tl, f), when, finding.CameTo(tr, tl.Manifest.Kind, act)+evidence.UnservedText(tr, tl, number), blame.RefusedSince(f.Cause), reference.what, finding.Referred(tr, reference.step), f.Class, f.Rule)
	j.Findings = append(j.Findings, f)
}

// failedCall is a finding about a call that did not come to a success.
func failedCall(tr *trace.Trace, tl *trace.Timeline, name term.CheckName, rule term.Rule, number int) result.Finding {
	f := finding.Finding(tr, tl, name, number)
	o := trace.OutcomeOf(tr.Acts[number])
	f.Rule, f.Class, f.State = rule, term.Violation, o.CallState()
	f.Cause = blame.WhyFailed(tr, tl, number)
	asRefused(tr, tl, tr.Acts[number], &f)
	if act := tr.Acts[number]; act.Purpose == history.Read { // the write was not made
		f.Replica, f.Via, f.Release = act.Replica, act.Role, tr.History.Releases[act.Role].Version
	}
	return f
}

// Deaths are the servers that ended without being asked, as far as the check
// tells of them: rule-3 where the last act without an answer used the change.
// That somebody killed one is no call's doing.
func Deaths(tr *trace.Trace, name term.CheckName) []result.Finding {
	var all []result.Finding
	for _, s := range tr.History.Servers {
		if s.Event != history.Died || s.Killed || beforeAll(tr, s) {
			continue
		}
		number := lastUnanswered(tr, s)
		tl := tr.Calls.Lives[tr.Steps[number].Step.Copy]
		by := term.CheckRule1
		if tl != nil && sendsChange(tr, tl, number) {
			by = term.CheckRule3
		}
		if by == name {
			all = append(all, died(tr, tl, s, number, name))
		}
	}
	return all
}

// beforeAll tells of a server that ended before it was ever ready, at stage old,
// when nothing was stored yet: no change can be at fault.
func beforeAll(tr *trace.Trace, s history.Server) bool {
	is := func(event history.ServerEvent) bool {
		return slices.ContainsFunc(tr.History.Servers, func(o history.Server) bool {
			return o.Event == event && o.Replica == s.Replica && o.Step == s.Step
		})
	}
	return tr.Steps[s.Step].Index == 0 && is(history.Starting) && !is(history.Ready)
}

// lastUnanswered is the last act of the server's stage that went through it
// without an answer, 0 when there is none.
func lastUnanswered(tr *trace.Trace, s history.Server) int {
	found := 0
	for _, number := range tr.Calls.Steps {
		act := tr.Acts[number]
		if act.Replica == s.Replica && act.Exchange.Code == 0 && tr.Steps[number].Index == tr.Steps[s.Step].Index {
			found = number
		}
	}
	return found
}

func died(tr *trace.Trace, tl *trace.Timeline, s history.Server, number int, name term.CheckName) result.Finding {
	f := result.Finding{Check: name, Step: s.Step, Stage: tr.Steps[s.Step].Stage, Cause: term.Unattributed}
	after := "no call was without an answer then"
	if tl != nil {
		f = finding.Finding(tr, tl, name, number)
		after = fmt.Sprintf("the last call without an answer was step %d (%s, on %s)", number, finding.Made(tr, number), f.Copy)
	}
	f.Rule = term.Rule1
	if name == term.CheckRule3 {
		f.Rule, after = term.Rule3, after+", which used the change"
	}
	f.Class, f.State = term.Violation, term.Failed
	f.Replica, f.Via, f.Release = s.Replica, s.Role, s.Version
	f.Message = fmt.Sprintf("the server of %s (%s) ended by itself in step %d (%s): %s; %s; %s under %s",
		s.Replica, s.Version, s.Step, f.Stage, Said(s.Message), after, f.Class, f.Rule)
	return f
}

// Said is what is told of an event, in words even when that is nothing.
func Said(message string) string {
	if message == "" {
		return "nothing says why"
	}
	return message
}
