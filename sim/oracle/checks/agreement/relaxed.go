package agreement

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// Relaxed is the call of the first stage that was refused as invalid, where the
// same call succeeds now; 0: there is none.
func Relaxed(tr *trace.Trace, number int) int {
	at, tl := tr.Steps[number], evidence.LifeOf(tr, number)
	if at.Index == 0 || tl == nil || tr.HadPast(tl, number) || !tr.Acts[number].Done() || !evidence.Plain(tr, tl, number) {
		return 0
	}
	return tr.Calls.Invalid[at.Sign]
}

// judgeRelaxed judges that what was invalid before the upgrade stays so, of what
// has nothing to do with the change. Its facts are those calls made again.
func judgeRelaxed(tr *trace.Trace, j *finding.Judged) {
	for _, number := range tr.Calls.Steps {
		at := tr.Steps[number]
		if at.Index == 0 || tr.Calls.Invalid[at.Sign] == 0 {
			continue
		}
		j.Facts++
		if before := Relaxed(tr, number); before > 0 {
			j.Findings = append(j.Findings, nowValid(tr, number, before))
		}
	}
}

func nowValid(tr *trace.Trace, number, before int) result.Finding {
	tl := evidence.LifeOf(tr, number)
	f := finding.Finding(tr, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.State = term.Rule2, term.Violation, term.Changed
	f.Message = fmt.Sprintf("%s was answered %s; the same call was answered %s in %s: explicitly invalid values do not become valid; %s under %s",
		finding.Called(tr, tl, f), finding.AnswerText(tr, tl.Manifest.Kind, tr.Acts[number].Exchange),
		finding.AnswerText(tr, tl.Manifest.Kind, tr.Acts[before].Exchange), finding.Referred(tr, before), f.Class, f.Rule)
	return f
}
