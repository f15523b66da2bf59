package oracle_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Each line of a run's expectations is needed as it stands:
// removing, moving, re-causing, re-classing or re-counting any one fails.
func TestEveryExpectationCounts(t *testing.T) {
	t.Parallel()
	type e = scenarios.Expectation
	changes := []struct {
		name   string
		change func(want *e, seen int)
	}{
		{"another check", func(w *e, _ int) { w.Check = term.CheckEverythingDecodes }},
		{"another class", func(w *e, _ int) { w.Class = scenarios.OneOf[term.Class]{term.Violation} }},
		{"another rule", func(w *e, _ int) { w.Rule = scenarios.OneOf[term.Rule]{term.Rule1} }},
		{"another state", func(w *e, _ int) { w.Outcome = scenarios.OneOf[term.Outcome]{term.Hidden} }},
		{"another cause", func(w *e, _ int) { w.Cause = scenarios.OneOf[term.Cause]{another(w.Cause)} }},
		{"another object", func(w *e, _ int) { w.Object = scenarios.OneOf[string]{"elsewhere"} }},
		{"another path", func(w *e, _ int) { w.Path = scenarios.OneOf[string]{w.Path.Text() + ".x"} }},
		{"another copy", func(w *e, _ int) { w.Copy = []term.CopyRole{term.Bystander} }},
		{"another client", func(w *e, _ int) { w.Client = []term.Client{term.NewTyped} }},
		{"another verb", func(w *e, _ int) { w.Verb = []term.Verb{term.JSONPatch} }},
		{"the other release", func(w *e, _ int) { w.Via = other(w.Via) }},
		{"the other release read", func(w *e, _ int) { w.Read = other(w.Read) }},
		{"another stage", func(w *e, _ int) { w.Stage = []string{"old"} }},
		{"one more", func(w *e, seen int) { w.Count = seen + 1 }},
		{"one fewer", func(w *e, seen int) { w.Count = max(seen-1, 1); w.Stage = stageless(seen) }},
	}
	for _, g := range cleanRuns() {
		base := g.reported(t)
		base.History.Header.Started = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
		judged := &held{base.History.Header.Plan.Expect, base.History, oracle.Find(base.History, base.Schemas)}
		res := judged.compare()
		if res.Verdict != term.Pass {
			t.Fatalf("%s: %s: %s", g.name, res.Verdict, res.Reason)
		}
		seen := map[int]int{}
		for _, f := range res.Findings {
			seen[f.Expectation-1]++
		}
		lines := base.History.Header.Plan.Expect
		for i := range lines {
			for _, c := range changes {
				judged.expecting(t, fmt.Sprintf("%s/line %d/%s", g.name, i+1, c.name), term.Fail, func(all []e) []e {
					c.change(&all[i], seen[i])
					return all
				})
			}
			judged.expecting(t, fmt.Sprintf("%s/line %d/removed", g.name, i+1), term.Fail, func(all []e) []e { return slices.Delete(all, i, i+1) })
			judged.elsewhere(t, fmt.Sprintf("%s/line %d/for another pair", g.name, i+1), i+1)
			judged.expecting(t, fmt.Sprintf("%s/line %d/expired", g.name, i+1), term.Fail, func(all []e) []e { return until(all, i, "2000-01-01") })
			judged.expecting(t, fmt.Sprintf("%s/line %d/not expired", g.name, i+1), term.Pass, func(all []e) []e { return until(all, i, "9999-12-31") })
			judged.expecting(t, fmt.Sprintf("%s/line %d/twice", g.name, i+1), term.Fail, func(all []e) []e { return append(all, all[i]) })
			judged.expecting(t, fmt.Sprintf("%s/line %d/counted right", g.name, i+1), term.Pass, func(all []e) []e {
				all[i].Count = seen[i]
				return all
			})
		}
	}
}

// held is a run that is judged, and its expectations as they are.
type held struct {
	right   []scenarios.Expectation
	h       *history.History
	compare func() result.Result
}

// expecting holds a run against other expectations.
func (j *held) expecting(t *testing.T, name string, want term.VerdictWord, change func([]scenarios.Expectation) []scenarios.Expectation) {
	t.Run(name, func(t *testing.T) {
		j.h.Header.Plan.Expect = change(slices.Clone(j.right))
		if res := j.compare(); res.Verdict != want {
			t.Errorf("%s: %s; want %s", res.Verdict, res.Reason, want)
		}
	})
}

// elsewhere holds a run against expectations of which a line is for other pairs: it
// fails, as without the line.
func (j *held) elsewhere(t *testing.T, name string, place int) {
	t.Run(name, func(t *testing.T) {
		j.h.Header.Plan.Expect = j.right
		j.h.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: place, Reason: "it is for others"}}
		defer func() { j.h.Header.Plan.Elsewhere = nil }()
		if res := j.compare(); res.Verdict != term.Fail || len(res.Elsewhere) != 1 {
			t.Errorf("%s: %s: %d lines elsewhere; want %s", res.Verdict, res.Reason, len(res.Elsewhere), term.Fail)
		}
	})
}

// until gives a line a last day.
func until(all []scenarios.Expectation, i int, day string) []scenarios.Expectation {
	all[i].Owner, all[i].Until = "somebody", day
	return all
}

func another(causes scenarios.OneOf[term.Cause]) term.Cause {
	if slices.Contains(causes, term.UnknownField) {
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
