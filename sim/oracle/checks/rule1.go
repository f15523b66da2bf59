package checks

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// Rule1Applies reports whether some of the steps are calls that can be compared, or a server
// ended by itself.
func Rule1Applies(ev *trace.Evidence, steps []int) bool {
	anyVerb := func(term.Verb) bool { return true }
	return trace.FromOld(ev.Trace) && (trace.Repeats(ev, steps, anyVerb) || len(endedServers(ev, term.CheckRule1)) > 0)
}

// Rule1 judges that calls which succeeded before the upgrade succeed after it, on objects that do
// not use the change. Its facts are the calls that succeeded in the first stage, each time they
// are made again. A server that ends by itself breaks the rule, unless the change ended it.
func Rule1(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, number := range ev.Calls.Steps {
		at, tl := ev.Steps[number], trace.TimelineOf(ev, number)
		if tl == nil {
			continue
		}
		if before := trace.Rule1Reference(ev, tl, at); before > 0 {
			judgeRule1(ev, tl, number, before, &j)
		}
	}
	j.Findings = append(j.Findings, endedServers(ev, term.CheckRule1)...)
	return j
}

func judgeRule1(ev *trace.Evidence, tl *trace.Timeline, number, before int, j *blame.Judged) {
	judgeCall(ev, tl, number, calledBefore{term.CheckRule1, term.Rule1, "the same call", before}, j)
}

// calledBefore is the success with which a call is compared, and the check that compares.
type calledBefore struct {
	name term.CheckName
	rule term.Rule
	what string // the call, in words
	step int
}

// judgeCall judges that a call succeeds as its reference did, unless another check reports its
// failure.
func judgeCall(ev *trace.Evidence, tl *trace.Timeline, number int, reference calledBefore, j *blame.Judged) {
	act := ev.Acts[number]
	if blame.MayBeInterrupted(ev, act.Exchange) {
		j.Indeterminate++
		return
	}
	if act.Done() {
		j.Facts++
		return
	}
	if blame.ReporterOf(ev, number) != reference.name {
		return
	}
	j.Facts++
	f := failedCall(ev, tl, reference.name, reference.rule, number)
	when := ""
	if act.Purpose == history.Read {
		when = fmt.Sprintf(", when it read through %s (%s),", f.Replica, f.Release)
	}
	f.Message = fmt.Sprintf("%s%s was answered %s%s; %s succeeded in %s; %s under %s",
		blame.CallText(ev, tl, f), when, blame.OutcomeText(ev, tl.Manifest.Kind, act)+trace.UnservedText(ev, tl, number), blame.RefusedSince(f.Cause), reference.what, blame.ReferenceText(ev, reference.step), f.Class, f.Rule)
	j.Findings = append(j.Findings, f)
}

// failedCall returns a finding about a call that did not succeed.
func failedCall(ev *trace.Evidence, tl *trace.Timeline, name term.CheckName, rule term.Rule, number int) result.Finding {
	f := blame.NewCollector(ev, tl, name, number)
	o := trace.OutcomeOf(ev.Acts[number])
	f.Rule, f.Class, f.Outcome = rule, term.Violation, o.OfCall()
	f.Cause = blame.WhyFailed(ev, tl, number)
	f.StatusCauses = blame.StatusCauses(ev, tl, ev.Acts[number].Exchange)
	asRefused(ev, tl, ev.Acts[number], &f)
	if act := ev.Acts[number]; act.Purpose == history.Read { // the write was not made
		f.Replica, f.Via, f.Release = act.Replica, act.Role, ev.History.Releases[act.Role].Version
	}
	return f
}

// endedServers returns findings for the servers that ended by themselves, as far as the check reports
// them: rule-3 if the last act without an answer used the change. A server that somebody killed
// did not end because of a call.
func endedServers(ev *trace.Evidence, name term.CheckName) []result.Finding {
	var all []result.Finding
	for _, s := range ev.History.Servers {
		if s.Event != history.Died || s.Killed || beforeAll(ev, s) {
			continue
		}
		number := lastUnanswered(ev, s)
		tl := ev.ByCopy[ev.Steps[number].Step.Copy]
		by := term.CheckRule1
		if tl != nil && trace.SendsChange(ev, tl, number) {
			by = term.CheckRule3
		}
		if by == name {
			all = append(all, died(ev, tl, s, number, name))
		}
	}
	return all
}

// beforeAll reports whether a server ended before it was ever ready, in stage old, when nothing
// was stored yet: the change cannot be the cause.
func beforeAll(ev *trace.Evidence, s history.Server) bool {
	is := func(event history.ServerEvent) bool {
		return slices.ContainsFunc(ev.History.Servers, func(o history.Server) bool {
			return o.Event == event && o.Replica == s.Replica && o.Step == s.Step
		})
	}
	return ev.Steps[s.Step].StageIndex == 0 && is(history.Starting) && !is(history.Ready)
}

// lastUnanswered returns the last act of the server's stage that it left without an answer, 0 if
// none exists.
func lastUnanswered(ev *trace.Evidence, s history.Server) int {
	found := 0
	for _, number := range ev.Calls.Steps {
		act := ev.Acts[number]
		if act.Replica == s.Replica && act.Exchange.Code == 0 && ev.Steps[number].StageIndex == ev.Steps[s.Step].StageIndex {
			found = number
		}
	}
	return found
}

func died(ev *trace.Evidence, tl *trace.Timeline, s history.Server, number int, name term.CheckName) result.Finding {
	f := result.Finding{Check: name, Step: s.Step, Stage: ev.Steps[s.Step].Stage, Cause: term.Unattributed}
	after := "every call had been answered"
	if tl != nil {
		f = blame.NewCollector(ev, tl, name, number)
		after = fmt.Sprintf("the last call without an answer was step %d (%s, on %s)", number, blame.StepText(ev, number), f.Copy)
	}
	f.Rule = term.Rule1
	if name == term.CheckRule3 {
		f.Rule, after = term.Rule3, after+", which used the change"
	}
	f.Class, f.Outcome = term.Violation, term.Failed
	f.Replica, f.Via, f.Release = s.Replica, s.Role, s.Version
	f.Message = fmt.Sprintf("the server of %s (%s) ended by itself in step %d (%s): %s; %s; %s under %s",
		s.Replica, s.Version, s.Step, f.Stage, blame.EventText(s.Message), after, f.Class, f.Rule)
	return f
}
