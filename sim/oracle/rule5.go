package oracle

import "github.com/skewsim/skewsim/scenarios/term"

// oldMeetNew tells whether the plan has an old client call a copy that uses the
// change, where there is anything new, and the same call on a copy that does not.
func oldMeetNew(e *evidence, steps []int) bool {
	plain, met := map[string]bool{}, map[string]bool{}
	for _, number := range steps {
		at := e.steps[number]
		l := e.calls.lives[at.step.Copy]
		switch {
		case l == nil || born(at.step):
		case !e.calls.usesIn(l, number):
			plain[at.sign] = true
		case !e.before(at) && oldClient(at.step.Client):
			met[at.sign] = true
		}
	}
	for sign := range met {
		if plain[sign] {
			return true
		}
	}
	return false
}

// oldClient tells whether the client has the types of the old release, or of one before.
func oldClient(c term.Client) bool {
	role, typed := c.Role()
	return typed && role != term.New
}

// rule5 judges that old clients go on as before while the change is in use. Its
// facts are their calls on objects that use the change, where the same call on
// an object that does not use it succeeds.
func rule5(e *evidence) judged {
	var j judged
	for _, number := range e.calls.steps {
		at := e.steps[number]
		l := e.calls.lives[at.step.Copy]
		if l == nil {
			continue
		}
		if plain := e.rule5Reference(l, at); plain > 0 {
			e.judgeRule5(l, number, plain, &j)
		}
	}
	return j
}

// before tells whether a step is of a time when nothing has changed yet: the first stage,
// but for that of a chain's way back, where new servers are left.
func (e *evidence) before(at place) bool { return at.index == 0 && fromOld(e) }

// rule5Reference is the call on a copy that does not use the change; 0: the
// call is none of the check's. A birth sends other things than its reference.
func (e *evidence) rule5Reference(l *life, at place) int {
	if e.before(at) || born(at.step) || !oldClient(at.step.Client) || !e.calls.usesIn(l, at.step.Number) || !e.there(l, at.step) {
		return 0
	}
	if number := at.step.Number; e.asksAhead(l, number) || e.isLed(l, number) { // whatever the object uses
		return 0
	}
	if before := e.calls.before[at.sign]; before > 0 {
		return before
	}
	return e.calls.plain[at.sign]
}

func (e *evidence) judgeRule5(l *life, number, plain int, j *judged) {
	e.judgeCall(l, number, calledBefore{term.CheckRule5, term.Rule5, "the same call on an object that does not use the change", plain}, j)
}
