package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A GET that is not answered with the object says that the object is gone or
// that it cannot be read.
func TestUnreadable(t *testing.T) {
	cases := []struct {
		code    int
		answer  string
		state   string
		message string
	}{
		{404, "widgets \"bystander-1\" not found", "lost", `404: widgets "bystander-1" not found`},
		{500, "unable to decode", "undecodable", "500: unable to decode"},
		{500, "", "undecodable", "500"},
		{429, "storage is (re)initializing", "undecodable", "429: storage is (re)initializing"},
		{429, "slow down", "failed", "429: slow down"},
		{503, "apiserver is shutting down", "failed", "503: apiserver is shutting down"},
		{422, "not this", "refused", "422: not this"},
		{401, "who are you", "failed", "401: who are you"},
		{403, "not you", "failed", "403: not you"},
		{0, "connection refused", "failed", "not at all: connection refused"},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create("bystander-1", `{"colour": "red"}`)
			run.ExpectFindings()
			oracletest.Fail(run.Exchange(created, history.Look, "b"), c.code, c.answer)
			res := run.ExpectFindings(`everything-decodes violation storage ` + c.state + ` unattributed bystander-1  in step 3 (upgrading 1/2)`)
			f := res.Findings[0]
			want := `Widget bystander-1: GET through b (v1.0.0) after step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)) was answered ` +
				c.message + `; everything stored decodes in every release that may have to read it`
			if f.Message != want || f.Replica != "b" || f.Via != term.Old || f.Release != oracletest.OldVersion {
				t.Errorf("finding: %+v\nwant message: %s", f, want)
			}
			if oracletest.Check(t, res, term.CheckEverythingDecodes).Verdict != term.Fail {
				t.Errorf("checks: %+v", res.Checks)
			}
		})
	}
}

// A success whose body is no object cannot be read either, and shows nothing of
// values: none of them is lost.
func TestSuccessThatIsNoObject(t *testing.T) {
	for name, body := range map[string]any{"null": nil, "a list": []any{}, "a text": "busy"} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create("bystander-1", `{"colour": "red"}`)
			run.Exchange(created, history.Look, "b").Answer = run.Blob(body)
			res := run.ExpectFindings(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`)
			want := `Widget bystander-1: GET through b (v1.0.0) after step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)) was answered 200 with a body that is not an object; everything stored decodes in every release that may have to read it`
			if got := res.Findings[0].Message; got != want {
				t.Errorf("message:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// No body at all is no object; a body that the record lost may have been one.
func TestBodyThatIsMissing(t *testing.T) {
	run := oracletest.NewMixed(t)
	look := run.Exchange(run.Create("bystander-1", `{"colour": "red"}`), history.Look, "b")
	look.Answer = ""
	run.ExpectFindings(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`)
	look.Answer = "gone"
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckEverythingDecodes), term.Unknown, "1 fact is indeterminate: the history lacks the body of an answer")
}

// The GET of a GET-PUT is judged as any other.
func TestUnreadableForAPut(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	put := run.Put("bystander-1", oracletest.ReadVia("b"), oracletest.Via("a"))
	oracletest.Fail(run.Exchange(put, history.Read, "b"), 500, "unable to decode")
	run.ExpectFindings(`everything-decodes violation storage undecodable unattributed bystander-1  in step 4 (upgrading 1/2)`)
}

// What is gone because a step deleted it is not missed.
func TestGoneOrDeleted(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Delete("bystander-1", oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("after the delete: %s, want withdrawn", got)
	}

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Delete("bystander-1", oracletest.Via("b"), oracletest.Refused(403, "not you"), oracletest.Respond(oracletest.Code(403)))
	run.Remove("bystander-1")
	run.Observe()
	res := run.ExpectFindings(
		`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
	want := `Widget bystander-1: LIST through a (v2.0.0) in step 5 (upgrading 1/2) does not show it, and no step deleted it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A copy whose create was refused is nowhere missed.
func TestNeverCreated(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`, oracletest.Refused(422, "no"), oracletest.Respond(oracletest.Code(422)))
	run.Observe()
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckEverythingDecodes), term.Unknown, "it saw nothing to judge")
}

// oneStored begins a run in stage upgrading 1/2, with one bystander that step 3 creates.
func oneStored(t *testing.T) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	return run
}
