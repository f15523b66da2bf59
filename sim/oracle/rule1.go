package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// repeats reports whether the plan makes a call of some verb, on what does not use the
// change, in the first stage, where it is one of the steps, and again later.
func repeats(e *evidence, steps []int, of func(term.Verb) bool) bool {
	plain := func(number int) bool {
		l := e.lifeOf(number)
		return l != nil && !e.calls.usesIn(l, number) && of(e.steps[number].step.Verb)
	}
	first := map[string]bool{}
	for _, number := range steps {
		if at := e.steps[number]; at.index == 0 && plain(number) {
			first[at.sign] = true
		}
	}
	return slices.ContainsFunc(e.planned(), func(number int) bool {
		at := e.steps[number]
		return at.index > 0 && first[at.sign] && plain(number)
	})
}

func anyVerb(term.Verb) bool { return true }

// rule1 judges that what succeeded before the upgrade succeeds after it, on
// objects that do not use the change. Its facts are the calls that were made
// with success in the first stage, each time they are made again; and servers
// that end by themselves break it, unless the change ended them.
func rule1(e *evidence) judged {
	var j judged
	for _, number := range e.calls.steps {
		at, l := e.steps[number], e.lifeOf(number)
		if l == nil {
			continue
		}
		if before := e.rule1Reference(l, at); before > 0 {
			e.judgeRule1(l, number, before, &j)
		}
	}
	j.findings = append(j.findings, e.deaths(term.CheckRule1)...)
	return j
}

// rule1Reference is what a call of the check must equal; 0: it is none of its.
func (e *evidence) rule1Reference(l *life, at place) int {
	if at.index == 0 || e.calls.usesIn(l, at.step.Number) || !e.there(l, at.step) {
		return 0
	}
	return e.calls.before[at.sign]
}

func (e *evidence) judgeRule1(l *life, number, before int, j *judged) {
	e.judgeCall(l, number, calledBefore{term.CheckRule1, term.Rule1, "the same call", before}, j)
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
func (e *evidence) judgeCall(l *life, number int, reference calledBefore, j *judged) {
	act := e.acts[number]
	if e.interrupted(act.Exchange) {
		j.untold++
		return
	}
	if act.Done() {
		j.facts++
		return
	}
	if e.teller(number) != reference.name {
		return
	}
	j.facts++
	f := e.failedCall(l, reference.name, reference.rule, number)
	when := ""
	if act.Purpose == history.Read {
		when = fmt.Sprintf(", when it read through %s (%s),", f.Replica, f.Release)
	}
	f.Message = fmt.Sprintf("%s%s was answered %s%s; %s succeeded in %s; %s under %s",
		e.called(l, f), when, e.cameTo(l.manifest.Kind, act)+e.unservedText(l, number), refusedSince(f.Cause), reference.what, e.referred(reference.step), f.Class, f.Rule)
	j.findings = append(j.findings, f)
}

// failedCall is a finding about a call that did not come to a success.
func (e *evidence) failedCall(l *life, name term.CheckName, rule term.Rule, number int) result.Finding {
	f := e.finding(l, name, number)
	o := outcomeOf(e.acts[number])
	f.Rule, f.Class, f.State = rule, term.Violation, o.callState()
	f.Cause = e.whyFailed(l, number)
	e.asRefused(l, e.acts[number], &f)
	if act := e.acts[number]; act.Purpose == history.Read { // the write was not made
		f.Replica, f.Via, f.Release = act.Replica, act.Role, e.history.Releases[act.Role].Version
	}
	return f
}

// whyFailed is why a call did not come to a success, where its outcome says that
// or what it met could not be read.
func (e *evidence) whyFailed(l *life, number int) term.Cause {
	act := e.acts[number]
	if e.meetsUnserved(l, number) {
		return term.NotServed
	}
	if why := outcomeOf(act).cause(); why != term.Unattributed || l.copy.Name == "" {
		return why
	}
	if outcomeOf(act) != cannotRead {
		return e.whyInvalid(l, act)
	}
	return e.unreadBefore(l, act)
}

// deaths are the servers that ended without being asked, as far as the check
// tells of them: rule-3 where the last act without an answer used the change.
// That somebody killed one is no call's doing.
func (e *evidence) deaths(name term.CheckName) []result.Finding {
	var all []result.Finding
	for _, s := range e.history.Servers {
		if s.Event != history.Died || s.Killed || e.beforeAll(s) {
			continue
		}
		number := e.lastUnanswered(s)
		l := e.calls.lives[e.steps[number].step.Copy]
		by := term.CheckRule1
		if l != nil && e.sendsChange(l, number) {
			by = term.CheckRule3
		}
		if by == name {
			all = append(all, e.died(l, s, number, name))
		}
	}
	return all
}

// beforeAll tells of a server that ended before it was ever ready, at stage old,
// when nothing was stored yet: no change can be at fault.
func (e *evidence) beforeAll(s history.Server) bool {
	is := func(event history.ServerEvent) bool {
		return slices.ContainsFunc(e.history.Servers, func(o history.Server) bool {
			return o.Event == event && o.Replica == s.Replica && o.Step == s.Step
		})
	}
	return e.steps[s.Step].index == 0 && is(history.Starting) && !is(history.Ready)
}

// lastUnanswered is the last act of the server's stage that went through it
// without an answer, 0 when there is none.
func (e *evidence) lastUnanswered(s history.Server) int {
	found := 0
	for _, number := range e.calls.steps {
		act := e.acts[number]
		if act.Replica == s.Replica && act.Exchange.Code == 0 && e.steps[number].index == e.steps[s.Step].index {
			found = number
		}
	}
	return found
}

func (e *evidence) died(l *life, s history.Server, number int, name term.CheckName) result.Finding {
	f := result.Finding{Check: name, Step: s.Step, Stage: e.steps[s.Step].stage, Cause: term.Unattributed}
	after := "no call was without an answer then"
	if l != nil {
		f = e.finding(l, name, number)
		after = fmt.Sprintf("the last call without an answer was step %d (%s, on %s)", number, e.made(number), f.Copy)
	}
	f.Rule = term.Rule1
	if name == term.CheckRule3 {
		f.Rule, after = term.Rule3, after+", which used the change"
	}
	f.Class, f.State = term.Violation, term.Failed
	f.Replica, f.Via, f.Release = s.Replica, s.Role, s.Version
	f.Message = fmt.Sprintf("the server of %s (%s) ended by itself in step %d (%s): %s; %s; %s under %s",
		s.Replica, s.Version, s.Step, f.Stage, said(s.Message), after, f.Class, f.Rule)
	return f
}

// said is what is told of an event, in words even when that is nothing.
func said(message string) string {
	if message == "" {
		return "nothing says why"
	}
	return message
}
