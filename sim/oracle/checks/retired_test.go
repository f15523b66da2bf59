package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// TestServedOtherwiseOfARetiredField: the new release may hide what the old one publishes as removable;
// the same of a beta field breaks rule-2.
func TestServedOtherwiseOfARetiredField(t *testing.T) {
	for status, want := range map[string]string{"alpha": "impact lifecycle", "beta": "violation rule-2"} {
		gleam := oracletest.Scalar("integer")
		gleam[schema.LifecycleKey] = oracletest.Object{"widgets": oracletest.Object{"status": status, "featureGate": "Gleam"}}
		run := oracletest.NewRun(t)
		run.Publish(term.Old, oracletest.Object{"spec.properties.gleam": gleam})
		run.Create("bystander-1", `{"colour": "Red", "gleam": 5}`)
		run.Observe()
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		run.StoreAs(storage.JSON).ExpectFindings(
			"rule-2 "+want+" lost unattributed bystander-1 .spec.gleam in step 5 (upgrading 1/2)",
			"rule-2 "+want+" varies unattributed bystander-1 .spec.gleam in step 5 (upgrading 1/2)")
	}
}
