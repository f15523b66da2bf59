package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/storage"
)

// A version that is stored by the release that introduces it: the other cannot
// read it. That is reported of each value once, and whatever it breaks says why.
func TestVersionStored(t *testing.T) {
	play := func(version string) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Create("control-1", oracletest.PlainSpec)
		run.Patch("control-1")
		run.DryRuns("control-1")
		run.Stage("upgrading 1/2", term.New, term.Old)
		unread := func(x *history.Exchange) {
			if version != "example.dev/v1" {
				oracletest.Fail(x, 500, "no kind is registered for version "+version)
			}
		}
		run.Get("control-1")
		created := run.Create("bystander-1", oracletest.PlainSpec) // step 7
		unread(run.Exchange(created, history.Look, "b"))
		code := func(*oracletest.Call) {}
		if version != "example.dev/v1" {
			code = oracletest.Refused(500, "no kind is registered for version "+version)
		}
		touched := run.Patch("bystander-1", oracletest.Via("b"), code)
		unread(run.Exchange(touched, history.Look, "b"))
		run.Stage("rolled-back", term.Old, term.Old)
		tried := run.DryRuns("control-1", "bystander-1")
		for _, what := range term.Attempts() {
			for _, replica := range []string{"a", "b"} {
				unread(&run.DryRun(tried, "bystander-1", replica, what.Word).Exchange)
			}
		}
		run.Get("control-1")
		run.StoreAs(storage.JSON)
		for i := range run.History.Changes {
			if run.History.Changes[i].Key == "/example/bystander-1" {
				run.History.Changes[i].APIVersion = version
			}
		}
		return run
	}
	play("example.dev/v1").ExpectViolations()
	play("example.dev/v2").ExpectViolations(
		`everything-decodes violation storage undecodable storage-version bystander-1  in step 7 (upgrading 1/2) via old`,
		`rule-1 violation rule-1 failed storage-version bystander-1  in step 8 (upgrading 1/2) via old`,
		`stays-writable violation stays-writable frozen storage-version bystander-1  in step 10 (rolled-back) via old`)
}
