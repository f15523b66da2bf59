package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A value that a success did not show is reported by class, as a loss of it
// would be, and by cause, as the server's release publishes it or not.
func TestNotAcceptedByClassAndCause(t *testing.T) {
	cases := []struct {
		name, copy, via, at, finding string
	}{
		{"the change, through a release that does not know it", "treated-1", "b", "", `impact rule-3 dropped unknown-field treated-1 .spec.shine`},
		{"the same of a bystander", "bystander-1", "b", "", `violation rule-3 dropped unknown-field bystander-1 .spec.shine`},
		{"the change, through the release that has it", "treated-1", "a", ".spec.shine", `violation rule-4 dropped unattributed treated-1 .spec.shine`},
		{"what both publish", "treated-1", "a", ".spec.colour", `violation rule-2 dropped unattributed treated-1 .spec.colour`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create(c.copy, oracletest.ShineSpec, oracletest.Via(c.via))
			if c.at != "" {
				run.EditAnswers(created, c.copy, run.Serving[c.via], c.at, nil)
				run.History.Operations = run.History.Operations[:len(run.History.Operations)-1] // what b shows is another question
			}
			res := run.ExpectFindings(`nothing-lost ` + c.finding + ` in step 3 (upgrading 1/2)`)
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Fail, "1 finding not expected, 0 expectations not met")
		})
	}
}

// Without a warning, the message says so.
func TestNotAcceptedWithoutAWarning(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec, oracletest.Via("b"))
	res, _ := run.Judge()
	want := `Widget treated-1: .spec.shine = {"level":3}, sent in step 3 (upgrading 1/2: create by dynamic, via b (v1.0.0)), was answered 200 without a warning, and the answer does not show it; unknown-field: a server whose release does not know the field did not store it; impact under rule-3`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A zero value that no answer shows is as good as absent; any other is reported.
func TestZeroValues(t *testing.T) {
	for spec, reported := range map[string]bool{
		`{"polish": ""}`: false, `{"polish": 0}`: false, `{"polish": false}`: false, `{"polish": {}}`: false, `{"polish": []}`: false,
		`{"polish": "0"}`: true, `{"polish": 1}`: true, `{"polish": true}`: true,
	} {
		t.Run(spec, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", spec)
			if reported {
				run.ExpectFindings(`nothing-lost violation rule-3 dropped unknown-field bystander-1 .spec.polish in step 3 (upgrading 1/2)`)
				return
			}
			run.ExpectFindings()
		})
	}
}

// A value that is not accepted is a fact that was judged, and so is each answer
// that could show another. That skewsim's own label is kept does not count.
func TestWhatIsJudged(t *testing.T) {
	const notAccepted, colour, otherLabel = 1, 2 + 3, 2
	for at, want := range map[string]int{oracletest.TouchLabel: notAccepted + colour, `.metadata.labels["example.dev/other"]`: notAccepted + colour + otherLabel} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec, oracletest.Via("b"))
		run.Patch("treated-1", oracletest.Via("b"), oracletest.Set(at, "x"))
		res := run.ExpectFindings(`nothing-lost impact rule-3 dropped unknown-field treated-1 .spec.shine in step 3 (upgrading 1/2)`)
		if got := oracletest.Check(t, res, term.CheckNothingLost).Judged; got != want {
			t.Errorf("%s: judged %d, want %d", at, got, want)
		}
	}
}

// A client sends what its types have a place for, whatever the line sets.
func TestSetByAClientWithoutTheField(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Put("bystander-1", oracletest.By(term.OldTyped), oracletest.Set(".spec.shine.level", int64(5)))
	run.ExpectFindings()

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Put("bystander-1", oracletest.By(term.NewTyped), oracletest.Via("b"), oracletest.Set(".spec.shine.level", int64(5)))
	run.ExpectFindings(`nothing-lost impact rule-3 dropped unknown-field bystander-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// An answer whose body the record lost says nothing of what the server showed.
// One that had no body showed nothing.
func TestLostAnswerToAWrite(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", `{"colour": "red"}`)
	run.Exchange(created, history.Act, "a").Answer = "gone"
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown, "it saw nothing to judge")
	if got := oracletest.Check(t, res, term.CheckNothingLost).Indeterminate; got != 1 {
		t.Errorf("indeterminate %d, want 1", got)
	}

	run.Patch("bystander-1", oracletest.Set(".spec.size", "1"))
	res = run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown, "1 fact is indeterminate: the history lacks the body of an answer")

	run.Exchange(created, history.Act, "a").Answer = ""
	run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec in step 3 (upgrading 1/2)`)
}
