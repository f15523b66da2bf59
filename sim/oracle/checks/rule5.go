package checks

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// OldMeetNew reports whether the plan has an old client call a copy that uses the change, if
// there is a change, and make the same call on a copy that does not use it.
func OldMeetNew(ev *trace.Evidence, steps []int) bool {
	plain, met := map[string]bool{}, map[string]bool{}
	for _, number := range steps {
		at := ev.Steps[number]
		tl := ev.ByCopy[at.Step.Copy]
		switch {
		case tl == nil || at.Step.CreatesCopy():
		case !trace.UsesChangeAt(ev.Calls, tl, number):
			plain[at.Signature] = true
		case !trace.IsReference(ev, at) && trace.IsOldClient(at.Step.Client):
			met[at.Signature] = true
		}
	}
	for sign := range met {
		if plain[sign] {
			return true
		}
	}
	return false
}

// Rule5 judges that old clients keep working while the change is in use. Its facts are their
// calls on objects that use the change, if the same call on an object that does not use it
// succeeds.
func Rule5(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, number := range ev.Calls.Steps {
		at := ev.Steps[number]
		tl := ev.ByCopy[at.Step.Copy]
		if tl == nil {
			continue
		}
		if plain := trace.Rule5Reference(ev, tl, at); plain > 0 {
			judgeRule5(ev, tl, number, plain, &j)
		}
	}
	return j
}

func judgeRule5(ev *trace.Evidence, tl *trace.Timeline, number, plain int, j *blame.Judged) {
	judgeCall(ev, tl, number, calledBefore{term.CheckRule5, term.Rule5, "the same call on an object that does not use the change", plain}, j)
}
