package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// ordered gives copies an order each, numbered from 1.
func (s *story) ordered(names ...string) {
	all := s.h.Header.Plan.Copies
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
	s := twoLosses(t, lost(func(w *scenarios.Expectation) { w.Count = 1 }))
	s.ordered("treated-1")
	res, _ := s.judge()
	if res.Verdict != term.Pass || len(res.Findings) != 2 {
		t.Errorf("%s: %s: %+v", res.Verdict, res.Reason, res.Findings)
	}
	if res.Counts.Orders != 1 || res.Counts.OrderSteps != 1 {
		t.Errorf("counts: %+v", res.Counts)
	}

	s = twoLosses(t)
	s.ordered("treated-1")
	res, _ = s.judge()
	if res.Verdict != term.Fail || !res.Findings[0].Expected || res.Findings[1].Expected {
		t.Errorf("%s: %s: %+v", res.Verdict, res.Reason, res.Findings)
	}
}

// A violation on an order fails the run, and says how to play it again; unless
// lines of expect say so, be it several.
func TestOrderViolations(t *testing.T) {
	violated := func(expect ...scenarios.Expectation) *story {
		s := tell(t)
		s.create("bystander-1", plainSpec)
		s.store("bystander-1", ".spec.colour", nil)
		s.patch("bystander-1", set(".spec.size", "2"))
		s.edge()
		s.ordered("bystander-1")
		s.h.Header.Plan.Expect, s.h.Header.Plan.Seed = expect, 5
		return s
	}
	res, _ := violated().judge()
	if res.Verdict != term.Fail || len(res.Findings) == 0 {
		t.Fatalf("%s: %s", res.Verdict, res.Reason)
	}
	if f := res.Findings[0]; f.Expected || f.Order != 1 || !strings.Contains(f.Message, "; order 1, steps 2") || !strings.HasSuffix(f.Message, ": --seed 5 --only 1") {
		t.Errorf("%+v", f)
	}
	res, _ = violated(lost(nil), lost(func(w *scenarios.Expectation) { w.Class = scenarios.OneOf[term.Class]{term.Violation} })).judge()
	for _, f := range res.Findings {
		if !f.Expected {
			t.Errorf("%+v", f)
		}
	}
}

// An apply means every value that it sends, so that it takes the place of what an
// earlier call sent. What it sends as it was must stay.
func TestOrderAppliesAnew(t *testing.T) {
	manifest := object{"apiVersion": "example.dev/v1", "kind": "Widget", "spec": object{"colour": "red", "size": "1"}}
	applied := func(edits ...edit) *story {
		s := tell(t)
		s.create("bystander-1", plainSpec)
		s.patch("bystander-1", set(".spec.colour", "blue"))
		s.does(term.Apply, "bystander-1", manifest, edits)
		return s
	}
	applied(with(".spec.colour", "red")).finds()
	applied(with(".spec.colour", "red"), with(".spec.size", nil)).finds(
		`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.size in step 4 (old)`)
}

// What a call does to a copy with a past is held against the same call where
// both copies were alike before it, and not where a past may tell.
func TestOrderEffects(t *testing.T) {
	called := func(colour string) *story {
		s := controlled(t)
		s.create("bystander-1", plainSpec)
		s.patch("bystander-1", set(".spec.colour", colour))
		s.bends(s.patch("bystander-1", by(term.OldTyped)), "bystander-1")
		s.ordered("bystander-1")
		return s
	}
	other := `rule-2 violation rule-2 changed defaulted bystander-1 .spec.args[0] in step 8 (upgrading 1/2)`
	called("red").finds(other)
	called("blue").finds()
}

// bends has the step's answer, and what was stored, show an argument more.
func (s *story) bends(step int, name string) {
	o := clone(s.t, s.stored[name])
	with(".spec.args", []any{"more"})(s.t, o)
	s.stored[name] = o
	last := &s.h.Changes[len(s.h.Changes)-1]
	last.Value = s.blob(o)
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step {
			op.Exchange.Answer = s.blob(s.served(name, op.Role))
		}
	}
}
