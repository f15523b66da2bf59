package skewtest

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/result"
)

// recorder is a test that records its errors and logs.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Failed() bool        { return len(r.errors) > 0 }
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Log(...any)          {}
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}

// TestReport: each unexpected finding is an error, and so is everything else that keeps a
// run from passing; an expected finding is not.
func TestReport(t *testing.T) {
	other := result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Path: ".spec.other"}
	unexpected, expected := result.Finding{Check: term.CheckNothingLost, Class: term.Impact}, result.Finding{Check: term.CheckNothingLost, Expected: true}
	for name, c := range map[string]struct {
		result  result.Result
		verdict term.VerdictWord
		err     error
		want    int
	}{
		"pass":                 {result.Result{}, term.Pass, nil, 0},
		"an expected finding":  {result.Result{Findings: []result.Finding{expected}}, term.Pass, nil, 0},
		"unexpected findings":  {result.Result{Findings: []result.Finding{unexpected, expected, other, unexpected}}, term.Fail, nil, 2},
		"impacts":              {result.Result{Findings: []result.Finding{unexpected}}, term.Impacts, nil, 1},
		"a missing finding":    {result.Result{Missing: []result.Missing{{Place: 1}}}, term.Fail, nil, 1},
		"an expired exception": {result.Result{Findings: []result.Finding{expected}, Expired: []result.Expired{{Place: 1}}}, term.Fail, nil, 1},
		"indeterminate":        {result.Result{}, term.Unknown, nil, 1},
		"a run that died":      {result.Result{Findings: []result.Finding{unexpected}}, "", errors.New("server a-1 was killed"), 2},
		"out of time":          {result.Result{}, "", engine.TimeoutError{}, 1},
		"fail for no reason":   {result.Result{}, term.Fail, nil, 1},
		"too many":             {result.Result{Findings: different(maxErrors + 5)}, term.Fail, nil, maxErrors + 1},
	} {
		run := engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{}}}
		r := &recorder{}
		m := &member{t: r, run: run, judged: &judged{result: c.result, known: true}, ended: campaign.Ended{Outcome: engine.Outcome{Verdict: c.verdict, Err: c.err}}}
		m.report()
		assert.Len(t, r.errors, c.want, "%s: %q", name, r.errors)
	}
}

// different returns findings of different groups.
func different(n int) (all []result.Finding) {
	for i := range n {
		all = append(all, result.Finding{Path: fmt.Sprintf(".spec.field%d", i)})
	}
	return all
}

// TestSimilarFindings: similar findings are one error with the message of the first, which
// names the object once.
func TestSimilarFindings(t *testing.T) {
	var all []result.Finding
	for i := range 30 {
		all = append(all, result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Path: ".spec.width", Copy: fmt.Sprintf("treated-%d", i), Step: i, Message: fmt.Sprintf("Gadget treated-%d: .spec.width was lost", i)})
	}
	groups := similar(append(all, result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Message: "LIST: not answered"}))
	assert.Len(t, groups, 2)
	assert.ElementsMatch(t, []string{
		"impact: nothing-lost: Gadget treated-0: .spec.width was lost; and 29 more such: see the report",
		"impact: nothing-lost: LIST: not answered",
	}, []string{groups[0].String(), groups[1].String()})
}

// TestNotBegun: a run "ended early" only if it began.
func TestNotBegun(t *testing.T) {
	for begun, want := range map[bool]string{true: "the run ended early: ", false: "the run did not begin: "} {
		for _, err := range []error{errors.New("server a-1 was killed"), engine.TimeoutError{}} {
			r := &recorder{}
			m := &member{t: r, run: engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{}}}, judged: &judged{begun: begun}, ended: campaign.Ended{Outcome: engine.Outcome{Err: err}}}
			m.report()
			assert.Len(t, r.errors, 1)
			assert.Contains(t, r.errors[0], want)
		}
	}
}

// TestEarlierAttempt: findings of an attempt that is repeated are no errors, and those of the
// last one are.
func TestEarlierAttempt(t *testing.T) {
	unexpected := result.Finding{Check: term.CheckNothingLost, Class: term.Impact}
	other := result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Path: ".spec.other"}
	for name, c := range map[string]struct {
		last judged
		want int
	}{
		"not judged": {judged{}, 1},
		"judged":     {judged{result: result.Result{Findings: []result.Finding{unexpected, other}}, known: true}, 3},
	} {
		r := &recorder{}
		m := &member{t: r, judged: &judged{result: result.Result{Findings: []result.Finding{unexpected}}, known: true}, ended: campaign.Ended{Outcome: engine.Outcome{Err: errors.New("no port")}}}
		cell := &campaign.Cell{}
		(&batch{tests: map[*campaign.Cell]*member{cell: m}}).show(cell, io.Discard)
		if c.last.known {
			*m.judged = c.last
		}
		m.report()
		assert.Len(t, r.errors, c.want, "%s: %q", name, r.errors)
	}
}
