package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A value that a release cannot read is reported once, and LISTs that stumble over
// it once for all of them.
func TestUndecodableIsReportedOnce(t *testing.T) {
	run := oneStored(t)
	created := 3
	oracletest.Fail(run.Exchange(created, history.Look, "b"), 500, "unable to decode")
	for range 2 {
		edge := run.Observe()
		l := run.Listing(edge, "b")
		l.Items = nil
		oracletest.Fail(&l.Exchange, 500, "unable to decode")
	}
	res := run.ExpectFindings(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`)
	want := `Widget: LIST through b (v1.0.0) in step 4 (upgrading 1/2) was answered 500: unable to decode: it holds bystander-1, which this release cannot read`
	if got := res.Findings[1].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
	touched := run.Patch("bystander-1")
	oracletest.Fail(run.Exchange(touched, history.Look, "b"), 500, "unable to decode")
	if got := len(run.History.Operations); got == 0 {
		t.Fatal("nothing recorded")
	}
	run.ExpectFindings(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 6 (upgrading 1/2)`)
}

// What a release cannot read it cannot write either, for the same cause; nor
// does a server of it start in its usual time.
func TestWhatFollowsFromTheUnread(t *testing.T) {
	run := oneStored(t)
	run.StoredChange("bystander-1").Encoding = "encrypted"
	oracletest.Fail(run.Exchange(3, history.Look, "b"), 500, "no key")
	l := run.Listing(run.Observe(), "b")
	l.Items = nil
	oracletest.Fail(&l.Exchange, 500, "no key")
	step := run.DryRuns("bystander-1")
	oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.LabelAttempt).Exchange, 500, "no key")
	run.History.Servers = []history.Server{
		{Step: 1, Replica: "a", Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 2},
		{Step: 2, Replica: "a", Role: term.New, Version: oracletest.NewVersion, Event: history.Ready, Seconds: 2.2},
		{Step: 2, Replica: "b", Role: term.Old, Version: oracletest.OldVersion, Event: history.Ready, Seconds: 61},
	}
	res := run.ExpectFindings(
		`everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing   in step 4 (upgrading 1/2)`,
		`stays-writable violation stays-writable frozen key-missing bystander-1  in step 5 (upgrading 1/2)`)
	want := `the server of b (v1.0.0) that started in step 2 (upgrading 1/2) was ready after 61.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A damaged history may say anything: it is judged as far as it goes.
func TestRolesThatAreNone(t *testing.T) {
	run := oneStored(t)
	run.Watch("b").Fail(500, "oops")
	run.ReadScratchStores()
	for i := range run.History.Trials {
		run.History.Trials[i].Role, run.History.Trials[i].Code = "neither", 500
	}
	for i := range run.History.Operations {
		run.History.Operations[i].Role = "neither"
		if run.History.Operations[i].Purpose == history.Look {
			oracletest.Fail(&run.History.Operations[i].Exchange, 500, "oops")
		}
	}
	run.History.End = nil
	run.Judge()
}
