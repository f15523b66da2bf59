package agreement

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/result"
)

// judgeRelaxed judges that what was invalid before the upgrade stays so, of what
// has nothing to do with the change. Its facts are those calls made again.
func judgeRelaxed(ev *evidence.Evidence, j *finding.Judged) {
	for _, number := range ev.Calls.Steps {
		at := ev.Steps[number]
		if at.Index == 0 || ev.Calls.Invalid[at.Sign] == 0 {
			continue
		}
		j.Facts++
		if before := evidence.Relaxed(ev, number); before > 0 {
			j.Findings = append(j.Findings, nowValid(ev, number, before))
		}
	}
}

func nowValid(ev *evidence.Evidence, number, before int) result.Finding {
	tl := evidence.LifeOf(ev, number)
	f := finding.Finding(ev, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.State = term.Rule2, term.Violation, term.Changed
	f.Message = fmt.Sprintf("%s was answered %s; the same call was answered %s in %s: explicitly invalid values do not become valid; %s under %s",
		finding.Called(ev, tl, f), finding.AnswerText(ev, tl.Manifest.Kind, ev.Acts[number].Exchange),
		finding.AnswerText(ev, tl.Manifest.Kind, ev.Acts[before].Exchange), finding.Referred(ev, before), f.Class, f.Rule)
	return f
}
