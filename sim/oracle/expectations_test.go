package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// Each line of the recorded run's expectations is needed as it stands:
// removing, moving, re-causing, re-classing or re-counting any one fails.
func TestEveryExpectationCounts(t *testing.T) {
	type e = scenarios.Expectation
	changes := []struct {
		name   string
		change func(want *e, seen int)
	}{
		{"another check", func(w *e, _ int) { w.Check = term.EverythingDecodes }},
		{"another class", func(w *e, _ int) { w.Class = term.Violation }},
		{"another rule", func(w *e, _ int) { w.Rule = term.Rule1 }},
		{"another state", func(w *e, _ int) { w.State = term.Hidden }},
		{"another cause", func(w *e, _ int) { w.Cause = another(w.Cause) }},
		{"another object", func(w *e, _ int) { w.Object = "elsewhere" }},
		{"another path", func(w *e, _ int) { w.Path += ".x" }},
		{"another copy", func(w *e, _ int) { w.Copy = []term.CopyRole{term.Bystander} }},
		{"another client", func(w *e, _ int) { w.Client = []term.Client{term.NewTyped} }},
		{"another verb", func(w *e, _ int) { w.Verb = []term.Verb{term.JSONPatch} }},
		{"the other release", func(w *e, _ int) { w.Via = other(w.Via) }},
		{"the other release read", func(w *e, _ int) { w.Read = other(w.Read) }},
		{"another stage", func(w *e, _ int) { w.Stage = []string{"old"} }},
		{"one more", func(w *e, seen int) { w.Count = seen + 1 }},
		{"one fewer", func(w *e, seen int) { w.Count = max(seen-1, 1); w.Stage = stageless(seen) }},
	}
	few := fewCopies(t)
	begin := func(t *testing.T) *story {
		s := played(t)
		s.h.Header.Plan.Copies = few
		return s
	}
	res, _ := begin(t).judge()
	if res.Verdict != term.Pass {
		t.Fatalf("%s: %s", res.Verdict, res.Reason)
	}
	seen := map[int]int{}
	for _, f := range res.Findings {
		seen[f.Expectation-1]++
	}
	lines := played(t).h.Header.Plan.Expect
	for i := range lines {
		for _, c := range changes {
			t.Run(fmt.Sprintf("line %d/%s", i+1, c.name), func(t *testing.T) {
				t.Parallel()
				s := begin(t)
				c.change(&s.h.Header.Plan.Expect[i], seen[i])
				s.mustFail()
			})
		}
		t.Run(fmt.Sprintf("line %d/removed", i+1), func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			all := s.h.Header.Plan.Expect
			s.h.Header.Plan.Expect = append(append([]e{}, all[:i]...), all[i+1:]...)
			s.mustFail()
		})
		t.Run(fmt.Sprintf("line %d/twice", i+1), func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.h.Header.Plan.Expect = append(s.h.Header.Plan.Expect, lines[i])
			s.mustFail()
		})
		t.Run(fmt.Sprintf("line %d/counted right", i+1), func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.h.Header.Plan.Expect[i].Count = seen[i]
			if res, _ := s.judge(); res.Verdict != term.Pass {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
		})
	}
}

// fewCopies are those of the first findings that meet each line: judging them
// alone is quick, and each line is still met.
func fewCopies(t *testing.T) []plan.Copy {
	s := played(t)
	res, _ := s.judge()
	seen, keep := map[int]int{}, map[string]bool{}
	for _, f := range res.Findings {
		if seen[f.Expectation]++; seen[f.Expectation] <= 3 {
			keep[f.Copy] = true
		}
	}
	return slices.DeleteFunc(s.h.Header.Plan.Copies, func(c plan.Copy) bool { return !keep[c.Name] })
}

func (s *story) mustFail() {
	s.t.Helper()
	if res, _ := s.judge(); res.Verdict != term.Fail {
		s.t.Errorf("%s: %s; want fail", res.Verdict, res.Reason)
	}
}

func another(cause term.Cause) term.Cause {
	if cause == term.UnknownField {
		return term.ReadHidden
	}
	return term.UnknownField
}

func other(roles []term.Role) []term.Role {
	if len(roles) == 1 && roles[0] == term.Old {
		return []term.Role{term.New}
	}
	return []term.Role{term.Old}
}

// stageless keeps a line that one finding meets from meeting it: there is no
// count of none.
func stageless(seen int) []string {
	if seen == 1 {
		return []string{"nowhere"}
	}
	return nil
}
