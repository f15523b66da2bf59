package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// One value under two names: a server that changes it under the one alone lets the
// two drift apart, whichever is written. Near misses are a server that changes both,
// one that shows the one alone, and a scenario that does not say that they are equal.
func TestEqual(t *testing.T) {
	play := func(equal bool, named string, makes ...oracletest.Edit) *oracletest.Run {
		run := oracletest.NewMixed(t)
		if run.History.Header.Plan.Related = [][]string{{".spec.colour", ".spec.finish.tone"}}; equal {
			run.History.Header.Plan.Equal = run.History.Header.Plan.Related
		}
		run.Create("bystander-1", `{"colour": "red", "finish": {"tone": "red"}}`)
		run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, makes, oracletest.Set(named, "blue"), oracletest.Via("a")) // step 4
		run.Patch("bystander-1", oracletest.Via("b"))
		return run
	}
	const colour, tone = ".spec.colour", ".spec.finish.tone"
	play(true, colour).ExpectFindings(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`)
	play(true, tone).ExpectFindings(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
	play(true, colour, oracletest.With(tone, "blue")).ExpectFindings()
	play(true, colour, oracletest.With(tone, nil)).ExpectFindings()
	play(false, colour).ExpectFindings()
	play(true, colour).ExpectMessage(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`,
		`of what step 4 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0)) stored a (v2.0.0) shows .spec.colour = "blue" and .spec.finish.tone = "red", which are one value under two names`)
}
