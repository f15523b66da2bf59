package engine

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
)

// A refusal of a file by every server is the file's error, unless the run found more by
// then: then a release may be at fault.
func TestVerdictOfARefusedFile(t *testing.T) {
	p := plan.Plan{Stages: []plan.Stage{{Steps: []plan.Step{{Number: 7, Birth: true}, {Number: 8}}}}}
	refused := &run.RefusedError{File: "s.yaml", Manifest: "tall.yaml", Code: 422}
	finding := func(check term.CheckName, step int, state term.Outcome) result.Finding {
		return result.Finding{Check: check, Step: step, Outcome: state}
	}
	birth := finding(term.CheckAnswers, 7, term.Refused)
	expected := finding(term.CheckStaysWritable, 6, term.Frozen)
	expected.Expected = true
	for name, c := range map[string]struct {
		findings []result.Finding
		verdict  term.VerdictWord
	}{
		"nothing":                {nil, ""},
		"its birth":              {[]result.Finding{birth}, ""},
		"what was expected":      {[]result.Finding{expected, birth}, ""},
		"a frozen object":        {[]result.Finding{birth, finding(term.CheckStaysWritable, 6, term.Frozen)}, term.Fail},
		"another refused call":   {[]result.Finding{birth, finding(term.CheckAnswers, 8, term.Refused)}, term.Fail},
		"a birth that died away": {[]result.Finding{birth, finding(term.CheckAnswers, 7, term.Failed)}, term.Fail},
	} {
		res := result.Result{Verdict: term.Unknown, Findings: c.findings}
		if len(c.findings) > 0 {
			res.Verdict = term.Fail
		}
		assert.Equal(t, c.verdict, verdict(res, p, refused), name)
	}
	died := errors.New("server b ended by itself")
	for was, want := range map[term.VerdictWord]term.VerdictWord{term.Fail: term.Fail, term.Pass: "", term.Impacts: "", term.Unknown: ""} {
		assert.Equal(t, want, verdict(result.Result{Verdict: was}, p, died), "a run that ended early")
		assert.Equal(t, was, verdict(result.Result{Verdict: was}, p, nil))
	}
}

// TestEndOfAMember: a panic while a member of a shared run is judged is its own outcome, beside what ended its run.
func TestEndOfAMember(t *testing.T) {
	died := errors.New("server b ended by itself")
	for name, m := range map[string]*member{
		"panics":         {rec: &recording{}, err: died}, // its engine is nil
		"never recorded": {err: died},
	} {
		o := m.end()
		assert.ErrorIs(t, o.Err, died, name)
		var panicked *fault.PanicError
		assert.Equal(t, m.rec != nil, errors.As(o.Err, &panicked), name)
	}
}
