package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// ordered gives copies an order each, numbered from 1.
func ordered(run *oracletest.Run, names ...string) {
	all := run.History.Header.Plan.Copies
	for i, name := range names {
		for j := range all {
			if all[j].Name == name {
				all[j].Order = i + 1
			}
		}
	}
}

// An order's impacts are expected, whatever the scenario says, and are not
// counted for it. The same loss on a copy of its own is not expected.
func TestOrderImpacts(t *testing.T) {
	run := twoLosses(t, lost(func(w *scenarios.Expectation) { w.Count = 1 }))
	ordered(run, "treated-1")
	res, _ := run.Judge()
	if res.Verdict != term.Pass || len(res.Findings) != 2 {
		t.Errorf("%s: %s: %+v", res.Verdict, res.Reason, res.Findings)
	}
	if res.Counts.Orders != 1 || res.Counts.OrderSteps != 1 {
		t.Errorf("counts: %+v", res.Counts)
	}

	run = twoLosses(t)
	ordered(run, "treated-1")
	res, _ = run.Judge()
	if res.Verdict != term.Fail || !res.Findings[0].Expected || res.Findings[1].Expected {
		t.Errorf("%s: %s: %+v", res.Verdict, res.Reason, res.Findings)
	}
}

// A violation on an order fails the run, and says how to play it again; unless
// lines of expect say so, be it several.
func TestOrderViolations(t *testing.T) {
	violated := func(expect ...scenarios.Expectation) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Change("bystander-1", ".spec.colour", nil)
		run.Patch("bystander-1", oracletest.Set(".spec.size", "2"))
		run.Observe()
		ordered(run, "bystander-1")
		run.History.Header.Plan.Expect, run.History.Header.Plan.Seed = expect, 5
		return run
	}
	res, _ := violated().Judge()
	if res.Verdict != term.Fail || len(res.Findings) == 0 {
		t.Fatalf("%s: %s", res.Verdict, res.Reason)
	}
	if f := res.Findings[0]; f.Expected || f.Order != 1 || !strings.Contains(f.Message, "; order 1, steps 2") || !strings.HasSuffix(f.Message, ": --seed 5 --only 1") {
		t.Errorf("%+v", f)
	}
	res, _ = violated(lost(nil), lost(func(w *scenarios.Expectation) { w.Class = scenarios.OneOf[term.Class]{term.Violation} })).Judge()
	for _, f := range res.Findings {
		if !f.Expected {
			t.Errorf("%+v", f)
		}
	}
}

// An apply means every value that it sends, so that it takes the place of what an
// earlier call sent. What it sends as it was must stay.
func TestOrderAppliesAnew(t *testing.T) {
	manifest := oracletest.Object{"apiVersion": "example.dev/v1", "kind": "Widget", "spec": oracletest.Object{"colour": "red", "size": "1"}}
	applied := func(edits ...oracletest.Edit) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"))
		run.Do(term.Apply, "bystander-1", manifest, edits)
		return run
	}
	applied(oracletest.With(".spec.colour", "red")).ExpectFindings()
	applied(oracletest.With(".spec.colour", "red"), oracletest.With(".spec.size", nil)).ExpectFindings(
		`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.size in step 4 (old)`)
}

// What a call does to a copy with a past is held against the same call where
// both copies were alike before it, and not where their pasts may differ.
func TestOrderEffects(t *testing.T) {
	called := func(colour string) *oracletest.Run {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1", oracletest.Set(".spec.colour", colour))
		run.AddArgument(run.Patch("bystander-1", oracletest.By(term.OldTyped)), "bystander-1")
		ordered(run, "bystander-1")
		return run
	}
	other := `rule-2 violation rule-2 changed defaulted bystander-1 .spec.args[0] in step 8 (upgrading 1/2)`
	called("red").ExpectFindings(other)
	called("blue").ExpectFindings()
}
