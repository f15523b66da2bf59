package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A release that does not serve the version any more answers 404 to what
// succeeded before, also where a client only reads before it writes. It says
// nothing of what is stored, and nothing else is indeterminate for it.
func TestVersionUnserved(t *testing.T) {
	const why = "the server could not find the requested resource"
	play := func() *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Unserve(term.New)
		code := oracletest.Refused(404, why)
		for _, name := range []string{"control-1", "control-2", "bystander-1", "bystander-2"} {
			run.Create(name, oracletest.PlainSpec)
		}
		run.Patch("control-1")
		run.Put("control-2", oracletest.ReadVia("a"), oracletest.Via("b"))
		run.Get("control-1")
		run.List("a")
		run.Observe()
		run.DryRuns("control-1", "bystander-1")
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe() // step 13
		run.Patch("bystander-1", code)
		run.Get("bystander-1", code)
		run.List("a", code)
		put := run.Begin(term.Put, "bystander-2", []oracletest.Option{oracletest.ReadVia("a"), oracletest.Via("b")})
		run.Record(put, history.Read, "a", history.Exchange{Method: "GET", Code: 404, Message: why})
		run.History.Skips = append(run.History.Skips, oracletest.Skip(put.Step.Number, "the read before it was answered 404"))
		run.Patch("bystander-2", oracletest.Via("b"))
		run.Stage("new", term.New, term.New)
		run.Observe()
		run.DryRuns("control-1", "bystander-1")
		run.Stage("rolled-back", term.Old, term.Old)
		run.Observe()
		run.DryRuns("control-1", "bystander-1")
		return run
	}
	res := play().ExpectViolations(
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 14 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served   in step 16 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served bystander-2  in step 17 (upgrading 1/2) via new`)
	if res.Verdict != term.Fail {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

// A version that the new release does not serve any more, met through a line that
// names it: who reads it there is refused what was answered before, which is no
// word about what is stored; a version that it still serves is answered.
func TestVersionUnservedThrough(t *testing.T) {
	play := func(serves ...string) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		run.Prefer(term.Old, "example.dev/v1", "example.dev/v1", "example.dev/v1beta1")
		run.Prefer(term.New, "example.dev/v1", serves...)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Create("bystander-2", oracletest.PlainSpec)
		run.Create("bystander-3", oracletest.PlainSpec)
		run.Create("bystander-4", oracletest.PlainSpec)
		run.UseV1beta1(run.Put("bystander-1"), run.Get("bystander-4"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		number := run.Put("bystander-2") // step 10
		run.UseV1beta1(number, run.Put("bystander-3", oracletest.Via("b")), run.Get("bystander-4", oracletest.Via("b")))
		if len(serves) == 1 {
			oracletest.Fail(run.Exchange(number, history.Read, "a"), 404, "the server could not find the requested resource")
			unmade(run, number)
		}
		return run
	}
	play("example.dev/v1", "example.dev/v1beta1").ExpectFindings()
	play("example.dev/v1").ExpectFindings(`rule-1 violation rule-1 refused version-not-served bystander-2  in step 10 (upgrading 1/2)`)
}
