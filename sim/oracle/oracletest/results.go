package oracletest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// ExpectFindings judges the run, and compares all its findings, each as a line of Brief.
func (run *Run) ExpectFindings(want ...string) result.Result {
	run.T.Helper()
	res, _ := run.Judge()
	var got []string
	for _, f := range res.Findings {
		got = append(got, Brief(f))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		run.T.Errorf("findings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return res
}

// Check returns the result of a check.
func Check(t *testing.T, res result.Result, name term.CheckName) result.Check {
	t.Helper()
	for _, c := range res.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %s in %+v", name, res.Checks)
	return result.Check{}
}

// ExpectVerdict compares the verdict and the reason of a check.
func ExpectVerdict(t *testing.T, c result.Check, want term.VerdictWord, reason string) {
	t.Helper()
	if c.Verdict != want || c.Reason != reason {
		t.Errorf("%s: %s: %q, want %s: %q", c.Name, c.Verdict, c.Reason, want, reason)
	}
}

// Ledger returns the ledger of one copy.
func Ledger(t *testing.T, ledger result.Ledger, name string) result.CopyLedger {
	t.Helper()
	for _, c := range ledger.Copies {
		if c.Copy == name {
			return c
		}
	}
	t.Fatalf("no copy %s", name)
	return result.CopyLedger{}
}

// LastOutcome returns the state of a value at the end, "" if the ledger has none.
func LastOutcome(c result.CopyLedger, at string) term.Outcome {
	state := term.Outcome("")
	for _, f := range c.Fields {
		if f.Path == at {
			state = f.Outcome // the last: a value that is set again has two
		}
	}
	return state
}

// OutcomeSeen returns the state of a value in one row, through one replica.
func OutcomeSeen(t *testing.T, c result.CopyLedger, step int, replica, at string) term.Outcome {
	t.Helper()
	for _, row := range c.Rows {
		for _, v := range row.Views {
			if row.Step == step && v.Replica == replica {
				if state, ok := v.Outcomes[at]; ok {
					return state
				}
				return term.Kept
			}
		}
	}
	t.Fatalf("%s: no row of step %d shows %s", c.Copy, step, replica)
	return ""
}

// ExpectViolations judges the run, and compares the violations, each with the release that it came
// through. No check may be unknown.
func (run *Run) ExpectViolations(want ...string) result.Result {
	run.T.Helper()
	res, _ := run.Judge()
	var got []string
	for _, f := range res.Findings {
		if f.Class == term.Violation {
			got = append(got, Brief(f)+" via "+string(f.Via))
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		run.T.Errorf("violations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range res.Checks {
		if c.Verdict == term.Unknown {
			run.T.Errorf("%s: unknown: %s", c.Name, c.Reason)
		}
	}
	return res
}

// ExpectMessage judges the run, which has one finding, and looks for a text in its message.
func (run *Run) ExpectMessage(finding, text string) {
	run.T.Helper()
	res := run.ExpectFindings(finding)
	if len(res.Findings) == 1 && !strings.Contains(res.Findings[0].Message, text) {
		run.T.Errorf("message:\n%s\nlacks: %s", res.Findings[0].Message, text)
	}
}

// ExpectOnlyMessage compares the message of the only finding.
func ExpectOnlyMessage(t *testing.T, res result.Result, want string) {
	t.Helper()
	if len(res.Findings) != 1 || res.Findings[0].Message != want {
		t.Errorf("findings: %+v\nwant message: %s", res.Findings, want)
	}
}

// ExpectNotApplicable expects a check that is not applicable, and gives a reason.
func ExpectNotApplicable(t *testing.T, res result.Result, name term.CheckName) {
	t.Helper()
	if c := Check(t, res, name); c.Verdict != term.NotApplicable || c.Judged > 0 || c.Reason == "" {
		t.Errorf("judged: %+v", c)
	}
}

// Brief returns a finding as a line.
func Brief(f result.Finding) string {
	return fmt.Sprintf("%s %s %s %s %s %s %s in step %d (%s)", f.Check, f.Class, f.Rule, f.Outcome, f.Cause, f.Copy, f.Path, f.Step, f.Stage)
}

// ExpectLosses judges the run, and compares the findings of nothing-lost.
func (run *Run) ExpectLosses(want ...string) {
	run.T.Helper()
	res, _ := run.Judge()
	var got []string
	for _, f := range res.Findings {
		if f.Check == term.CheckNothingLost {
			got = append(got, Brief(f))
		}
	}
	if len(got) != len(want) || len(want) == 1 && got[0] != want[0] {
		run.T.Errorf("%q, want %q", got, want)
	}
}
