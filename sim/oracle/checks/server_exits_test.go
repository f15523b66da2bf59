package checks_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A server that ends by itself breaks rule-1; where a call with the change was
// the last to go unanswered, rule-3.
func TestDeaths(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Exit("b")
	res := run.ExpectFindings(`rule-1 violation rule-1 failed unattributed   in step 6 (upgrading 1/2)`)
	oracletest.ExpectOnlyMessage(t, res, `the server of b (v1.0.0) ended by itself in step 6 (upgrading 1/2): exit status 2; every call had been answered; violation under rule-1`)
	run.History.Servers[len(run.History.Servers)-1].Killed = true // by somebody: no call did it
	run.ExpectFindings()

	run = oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(0, "EOF"))
	run.Exit("b")
	res = run.ExpectFindings(
		`rule-3 violation rule-3 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
		`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	for i, want := range []string{
		`the server of b (v1.0.0) ended by itself in step 4 (upgrading 1/2): exit status 2; the last call without an answer was step 4 (put by dynamic, read a (v2.0.0), via b (v1.0.0), on treated-1), which used the change; violation under rule-3`,
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered not at all: EOF; no dry run shows that it fails in the same way for any unknown field; violation under rule-3`,
	} {
		if got := res.Findings[i].Message; got != want {
			t.Errorf("message:\n%s\nwant:\n%s", got, want)
		}
	}
}

// A server that ends before it was ready, with nothing stored yet, met no change:
// the run has failed, and nothing was found. One that ends so later is found.
func TestDeathBeforeAll(t *testing.T) {
	run := oracletest.NewControlled(t)
	starting := history.Server{Step: 1, Replica: "b", Event: history.Starting}
	run.History.Servers = append(run.History.Servers, starting)
	run.Exit("b")
	last := &run.History.Servers[len(run.History.Servers)-1]
	last.Step = 1
	run.ExpectFindings()
	run.History.Servers = append(run.History.Servers, history.Server{Step: 1, Replica: "b", Event: history.Ready})
	run.ExpectFindings(`rule-1 violation rule-1 failed unattributed   in step 1 (old)`)
}

// A server that ended while it was held off the store is reported in a note, not as a
// finding; one that the run gave up is not reported at all.
func TestEndedEarly(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Exit("b")
	last := &run.History.Servers[len(run.History.Servers)-1]
	last.Log, last.Message = "logs/b-2.log", "server b-2: exited with status 1; its last lines:\n  panic: x"
	note := `a server of v1.0.0, executed ahead of step 6 for replica b and held off the store, ended by itself, and another was executed in its turn. Holding it off may be why it ended: see logs/b-2.log. Its last words: panic: x`
	first := `a server of v1.0.0, one of those that fill the empty store at once for step 6 (replica b), ended by itself, and another was executed: see logs/b-2.log. Its last words: panic: x`
	for event, want := range map[history.ServerEvent][]string{history.EndedEarly: {note}, history.Tripped: {first}, history.Stopped: nil} {
		last.Event = event
		res := run.ExpectFindings()
		reported := slices.DeleteFunc(slices.Clone(res.Notes), func(n string) bool { return n != note && n != first })
		if !slices.Equal(reported, want) {
			t.Errorf("%s: notes: %q", event, res.Notes)
		}
	}
}

// A server that the change has killed ends the run, and fails it.
func TestDeathThatEndsTheRun(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(0, "EOF"))
	run.History.End = &history.End{Outcome: history.Failed, Message: "server b ended by itself"}
	if res, _ := run.Judge(); res.Verdict != term.Unknown {
		t.Errorf("the control: %s: %s", res.Verdict, res.Reason)
	}
	run.Exit("b")
	res, _ := run.Judge()
	want := "rule-3: 1 finding not expected, 0 expectations not met; and the run could not continue: server b ended by itself"
	if res.Verdict != term.Fail || res.Reason != want {
		t.Errorf("%s: %s\nwant: %s", res.Verdict, res.Reason, want)
	}
	run.History.Damage = []string{"line 3: damaged"}
	if res, _ := run.Judge(); res.Verdict != term.Unknown {
		t.Errorf("damaged: %s: %s", res.Verdict, res.Reason)
	}
}
