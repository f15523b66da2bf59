package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// A server that cannot answer just now says nothing of what is stored, so that
// what else goes wrong has no cause in it.
func TestServerThatIsGoing(t *testing.T) {
	begin := func(code int) []result.Finding {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.StoredChange("bystander-1").Encoding = "encrypted"
		oracletest.Fail(run.Exchange(3, history.Look, "b"), code, "sorry")
		l := run.Listing(run.Observe(), "b")
		l.Items = nil
		oracletest.Fail(&l.Exchange, 500, "oops")
		res, _ := run.Judge()
		return res.Findings
	}
	for code, want := range map[int]term.Cause{500: term.KeyMissing, 503: term.Unattributed} {
		found := begin(code)
		if len(found) != 2 || found[1].Cause != want {
			t.Errorf("%d: %+v", code, found)
		}
	}
}

const misread = "old-typed cannot decode the answer: json: cannot unmarshal string into Go struct field"

// A client that cannot read a success has not been served: the first rule that
// the call breaks reports it, and no other.
func TestAnswerThatTheClientCannotRead(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	step := run.Patch("bystander-1", oracletest.By(term.OldTyped))
	run.ExpectFindings()
	run.Operation(step, history.Act).Undecoded = misread
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`rule-1 violation rule-1 failed client-misread bystander-1  in step 7 (upgrading 1/2)`),
		`Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) was answered 200, which the client's types could not read: `+misread+
			`; the same call succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-1`)

	run = oracletest.NewControlled(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Operation(run.Patch("treated-1", oracletest.By(term.OldTyped)), history.Act).Undecoded = misread
	run.ExpectFindings(`rule-5 violation rule-5 failed client-misread treated-1  in step 7 (upgrading 1/2)`)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Operation(run.Get("treated-1", oracletest.By(term.OldTyped)), history.Act).Undecoded = misread
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`answers violation rule-5 failed client-misread treated-1  in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: get by old-typed, via a (v2.0.0)): answered 200, which the client's types could not read: `+misread+`; the call should succeed`)
}

// TestPathThatTheClientCannotRead: approximated types name the path of the value that they cannot
// decode, and the finding has it. Go's own decoder names a struct: no path of the object.
func TestPathThatTheClientCannotRead(t *testing.T) {
	for said, at := range map[string]string{
		`json: cannot unmarshal number into Go struct field .spec.shine.level of type string`:       ".spec.shine.level",
		`json: cannot unmarshal number into Go struct field .spec.parts[name="x"].n of type string`: `.spec.parts[name="x"].n`,
		`json: cannot unmarshal number into Go struct field Widget.spec.shine of type string`:       "",
		`json: cannot unmarshal number into Go struct field .spec[ of type string`:                  "",
	} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		run.Operation(run.Get("treated-1", oracletest.By(term.OldTyped)), history.Act).Undecoded = "old-typed cannot decode the answer: " + said
		run.ExpectFindings("answers violation rule-5 failed client-misread treated-1 " + at + " in step 4 (upgrading 1/2)")
	}
}

// Declared, or of an earlier version's history, it is no success either; and what
// failed so before the upgrade may go on failing.
func TestUnreadableAnswersAlike(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Operation(run.Get("treated-1", oracletest.By(term.OldTyped), oracletest.Respond(scenarios.Respond{Code: 200})), history.Act).Exchange.Error = misread
	run.ExpectFindings(`answers violation rule-5 failed client-misread treated-1  in step 4 (upgrading 1/2)`)

	run = oracletest.NewControlled(t)
	run.Operation(4, history.Act).Undecoded = misread
	run.Create("control-3", oracletest.PlainSpec, oracletest.By(term.OldTyped))
	run.Operation(run.Patch("control-3", oracletest.By(term.OldTyped)), history.Act).Undecoded = misread
	run.ExpectFindings()
}

// A read that its client cannot decode is all that its step came to.
func TestReadThatTheClientCannotDecode(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec, oracletest.By(term.OldTyped))
	run.Put("control-1", oracletest.By(term.OldTyped))
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Create("bystander-1", oracletest.PlainSpec)
	step := run.Put("bystander-1", oracletest.By(term.OldTyped))
	read := *run.Operation(step, history.Read)
	read.Undecoded, read.Exchange.Answer = misread, run.Blob("bytes")
	all := run.History.Operations[:0]
	for _, op := range run.History.Operations {
		if op.Step != step {
			all = append(all, op)
		}
	}
	run.History.Operations = append(all, read)
	run.History.Changes = run.History.Changes[:len(run.History.Changes)-1]
	run.ExpectFindings(`rule-1 violation rule-1 failed client-misread bystander-1  in step 6 (upgrading 1/2)`)
}

// What a Secret's client could not read is not quoted.
func TestSecretThatTheClientCannotRead(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"password": "aHVudGVyMg=="}`, oracletest.Of("secret"))
	run.Operation(run.Get("bystander-1", oracletest.By(term.OldTyped)), history.Act).Undecoded = "cannot decode aHVudGVyMg=="
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`answers violation rule-1 failed client-misread bystander-1  in step 4 (upgrading 1/2)`),
		`Secret bystander-1: step 4 (upgrading 1/2: get by old-typed, via a (v2.0.0)): answered 200, which the client's types could not read: withheld: confidential; the call should succeed`)
}

// What a scenario marks is hidden as a Secret's values are; without the mark it is shown.
func TestMarkedPathsAreNotShown(t *testing.T) {
	for _, marked := range []bool{true, false} {
		run := oracletest.NewMixed(t)
		if marked {
			run.History.Header.Plan.Confidential = map[string][]string{"Widget": {".spec.size"}}
		}
		run.Create("bystander-1", `{}`, oracletest.Of("widget"))
		run.Patch("bystander-1", oracletest.Of("widget"), oracletest.Refused(422, "Invalid value: hunter2"))
		reported := run.ExpectFindings(`answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)`).Findings[0].Message
		assert.Equal(t, !marked, strings.Contains(reported, "hunter2"), reported)
	}
}

// Where words about Secrets are left out, a note says where they are.
func TestNoteOfWhatIsWithheld(t *testing.T) {
	for kind, noted := range map[string]bool{"secret": true, "widget": false} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{}`, oracletest.Of(kind))
		run.Patch("bystander-1", oracletest.Of(kind), oracletest.Refused(422, "withdrawn: aHVudGVyMg=="))
		res := run.ExpectFindings(`answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)`)
		if is := slices.ContainsFunc(res.Notes, func(note string) bool { return strings.Contains(note, "history.jsonl.zst") }); is != noted {
			t.Errorf("%s: notes: %q", kind, res.Notes)
		}
	}
}

// A LIST line that fails is reported once: where the server cannot read what it
// holds by everything-decodes; else by rule-1, where the same LIST succeeded at
// stage old; else by answers.
func TestLineThatListsIsReportedOnce(t *testing.T) {
	for code, want := range map[int]string{
		500: `everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`,
		403: `answers violation rule-1 refused unattributed   in step 4 (upgrading 1/2)`,
		503: `answers violation rule-1 failed unattributed   in step 4 (upgrading 1/2)`,
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.List("b", oracletest.Refused(code, "oops"))
		run.ExpectFindings(want)

		run = oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.List("b", oracletest.Refused(code, "oops"), oracletest.Respond(scenarios.Respond{Code: code}))
		run.ExpectFindings()
	}

	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec)
	run.List("a")
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.List("b")
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule1); c.Judged != 1 {
		t.Errorf("the control: %+v", c)
	}
	run.List("b", oracletest.Refused(403, "not you"))
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`rule-1 violation rule-1 refused unattributed   in step 6 (upgrading 1/2)`),
		`Widget widget: step 6 (upgrading 1/2: list by dynamic, via b (v1.0.0)) was answered 403: not you; the same call succeeded in step 3 (old: list by dynamic, via a (v1.0.0), on widget); violation under rule-1`)
}
