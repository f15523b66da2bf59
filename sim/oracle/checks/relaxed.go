package checks

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// judgeRelaxed judges that a request which was invalid before the upgrade stays invalid if it is
// unrelated to the change. Its facts are those calls, made again.
func judgeRelaxed(ev *trace.Evidence, j *blame.Judged) {
	for _, number := range ev.Calls.Steps {
		at := ev.Steps[number]
		if at.StageIndex == 0 || ev.Calls.Invalid[at.Signature] == 0 {
			continue
		}
		j.Facts++
		if before := trace.RefusedBefore(ev, number); before > 0 {
			j.Findings = append(j.Findings, nowValid(ev, number, before))
		}
	}
}

func nowValid(ev *trace.Evidence, number, before int) result.Finding {
	tl := trace.TimelineOf(ev, number)
	f := blame.NewCollector(ev, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.Outcome = term.Rule2, term.Violation, term.Changed
	f.Message = fmt.Sprintf("%s was answered %s; the same call was answered %s in %s: explicitly invalid values do not become valid; %s under %s",
		blame.CallText(ev, tl, f), blame.AnswerText(ev, tl.Manifest.Kind, ev.Acts[number].Exchange),
		blame.AnswerText(ev, tl.Manifest.Kind, ev.Acts[before].Exchange), blame.ReferenceText(ev, before), f.Class, f.Rule)
	return f
}
