package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// twoLosses has two treated copies that lose the same value, one by a
// merge patch and one by a put, in two stages of the same name.
func twoLosses(t *testing.T, expect ...scenarios.Expectation) *oracletest.Run {
	run := oracletest.NewMixed(t, term.Upgrade)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("treated-2", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Stage("upgrading 2/3", term.New, term.Old)
	run.Put("treated-2", oracletest.By(term.OldTyped), oracletest.Via("b"))
	run.Stage("new", term.New, term.New)
	run.Observe()
	for i := range expect {
		expect[i].Line = 20 + i
	}
	run.History.Header.Plan.Expect = expect
	return run
}

func lost(change func(*scenarios.Expectation)) scenarios.Expectation {
	want := scenarios.Expectation{Check: term.CheckNothingLost}
	if change != nil {
		change(&want)
	}
	return want
}

// Each key of an expectation is held against the finding; a list means any of
// its words, and a stage may leave out its part.
func TestExpectationKeys(t *testing.T) {
	type e = scenarios.Expectation
	cases := []struct {
		name string
		want func(*e)
		seen int
	}{
		{"the check alone", nil, 2},
		{"another check", func(w *e) { w.Check = term.CheckAnswers }, 0},
		{"class", func(w *e) { w.Class = scenarios.OneOf[term.Class]{term.Impact} }, 2},
		{"any of several words", func(w *e) {
			w.Outcome, w.Path = scenarios.OneOf[term.Outcome]{term.Changed, term.Lost}, scenarios.OneOf[string]{".spec.colour", ".spec.shine"}
		}, 2},
		{"none of several words", func(w *e) { w.Cause = scenarios.OneOf[term.Cause]{term.ReadHidden, term.Defaulted} }, 0},
		{"another class", func(w *e) { w.Class = scenarios.OneOf[term.Class]{term.Violation} }, 0},
		{"rule", func(w *e) { w.Rule = scenarios.OneOf[term.Rule]{term.Rule6} }, 2},
		{"another rule", func(w *e) { w.Rule = scenarios.OneOf[term.Rule]{term.Rule2} }, 0},
		{"outcome", func(w *e) { w.Outcome = scenarios.OneOf[term.Outcome]{term.Lost} }, 2},
		{"another state", func(w *e) { w.Outcome = scenarios.OneOf[term.Outcome]{term.Changed} }, 0},
		{"cause", func(w *e) { w.Cause = scenarios.OneOf[term.Cause]{term.UnknownField} }, 2},
		{"another cause", func(w *e) { w.Cause = scenarios.OneOf[term.Cause]{term.ReadHidden} }, 0},
		{"object", func(w *e) { w.Object = scenarios.OneOf[string]{"widget"} }, 2},
		{"another object", func(w *e) { w.Object = scenarios.OneOf[string]{"gadget"} }, 0},
		{"path", func(w *e) { w.Path = scenarios.OneOf[string]{".spec.shine"} }, 2},
		{"a path below", func(w *e) { w.Path = scenarios.OneOf[string]{".spec.shine.level"} }, 0},
		{"encoding", func(w *e) { w.Encoding = []term.Encoding{term.JSON} }, 2},
		{"another encoding", func(w *e) { w.Encoding = []term.Encoding{term.Protobuf} }, 0},
		{"another fieldValidation", func(w *e) { w.FieldValidation = []term.FieldValidation{term.Strict} }, 0},
		{"copies", func(w *e) { w.Copy = []term.CopyRole{term.Untouched, term.Treated} }, 2},
		{"other copies", func(w *e) { w.Copy = []term.CopyRole{term.Untouched, term.Bystander} }, 0},
		{"client", func(w *e) { w.Client = []term.Client{term.OldTyped} }, 1},
		{"clients", func(w *e) { w.Client = []term.Client{term.OldTyped, term.Dynamic} }, 2},
		{"verb", func(w *e) { w.Verb = []term.Verb{term.MergePatch} }, 1},
		{"verbs", func(w *e) { w.Verb = []term.Verb{term.MergePatch, term.Put} }, 2},
		{"read", func(w *e) { w.Read = []term.Role{term.Old} }, 1},
		{"another read", func(w *e) { w.Read = []term.Role{term.New} }, 0},
		{"via", func(w *e) { w.Via = []term.Role{term.Old} }, 2},
		{"another via", func(w *e) { w.Via = []term.Role{term.New} }, 0},
		{"a stage", func(w *e) { w.Stage = []string{"upgrading 1/2"} }, 1},
		{"stages", func(w *e) { w.Stage = []string{"upgrading 2/3", "upgrading 1/2"} }, 2},
		{"a stage without its part", func(w *e) { w.Stage = []string{"upgrading"} }, 2},
		{"another stage", func(w *e) { w.Stage = []string{"new"} }, 0},
		{"the beginning of a stage's name", func(w *e) { w.Stage = []string{"up"} }, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res, _ := twoLosses(t, lost(c.want)).Judge()
			seen := 0
			for _, f := range res.Findings {
				if f.Expected != (f.Expectation == 1) {
					t.Errorf("expected %v, by line %d", f.Expected, f.Expectation)
				}
				if f.Expected {
					seen++
				}
			}
			want := term.Fail
			if c.seen == 2 {
				want = term.Pass
			}
			if seen != c.seen || res.Verdict != want || (seen == 0) != (len(res.Missing) == 1) {
				t.Errorf("matched %d, %s, missing %v; want %d, %s", seen, res.Verdict, res.Missing, c.seen, want)
			}
		})
	}
}

// None, one and two lines for a finding; too few and too many findings for a line.
func TestExactlyOne(t *testing.T) {
	type e = scenarios.Expectation
	all := lost(nil)
	put, patched := lost(func(w *e) { w.Verb = []term.Verb{term.Put} }), lost(func(w *e) { w.Verb = []term.Verb{term.MergePatch} })
	count := func(n int) e { return lost(func(w *e) { w.Count = n }) }
	cases := []struct {
		name    string
		expect  []e
		reason  string // of the check
		missing string
		message string // how the first finding's message ends
	}{
		{"none", nil, "2 findings not expected, 0 expectations not met", "", "impact under rule-6"},
		{"one for both", []e{all}, "", "", "impact under rule-6"},
		{"one each", []e{put, patched}, "", "", "impact under rule-6"},
		{"one for one", []e{put}, "1 finding not expected, 0 expectations not met", "", "impact under rule-6"},
		{"two for one", []e{all, patched}, "1 finding not expected, 0 expectations not met", "",
			"impact under rule-6 (matches expectations 1 and 2: make one of them narrower)"},
		{"the right count", []e{count(2)}, "", "", "impact under rule-6"},
		{"too many", []e{count(1)}, "0 findings not expected, 1 expectation not met",
			"the expectation on line 20 (nothing-lost) matches 2 findings, and count says 1", "impact under rule-6"},
		{"too few", []e{count(3)}, "0 findings not expected, 1 expectation not met",
			"the expectation on line 20 (nothing-lost) matches 2 findings, and count says 3", "impact under rule-6"},
		{"one that meets nothing", []e{all, lost(func(w *e) {
			w.Class, w.Outcome, w.Cause, w.Object, w.Path = scenarios.OneOf[term.Class]{term.Violation}, scenarios.OneOf[term.Outcome]{term.Lost}, scenarios.OneOf[term.Cause]{term.ReadHidden}, scenarios.OneOf[string]{"widget"}, scenarios.OneOf[string]{".spec.shine"}
			w.Copy, w.Client, w.Verb = []term.CopyRole{term.Treated}, []term.Client{term.Dynamic, term.OldTyped}, []term.Verb{term.Put}
			w.Read, w.Via, w.Stage = []term.Role{term.Old}, []term.Role{term.New}, []string{"new"}
		})}, "0 findings not expected, 1 expectation not met",
			"the expectation on line 21 (nothing-lost violation lost read-hidden widget .spec.shine copy treated client dynamic|old-typed verb put read old via new at new) matches no finding", "impact under rule-6"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res, _ := twoLosses(t, c.expect...).Judge()
			want, overall := term.Fail, "nothing-lost: "+c.reason
			if c.reason == "" {
				want, overall = term.Pass, ""
			}
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), want, c.reason)
			if want == term.Fail && (res.Verdict != term.Fail || res.Reason != overall) {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			var missing []string
			for _, m := range res.Missing {
				missing = append(missing, m.Message)
			}
			if got := strings.Join(missing, "\n"); got != c.missing {
				t.Errorf("missing: %s\nwant: %s", got, c.missing)
			}
			if !strings.HasSuffix(res.Findings[0].Message, c.message) {
				t.Errorf("message: %s", res.Findings[0].Message)
			}
		})
	}
}

// A line for a check that the journey does not have is not met.
func TestExpectationOfACheckThatDoesNotApply(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Observe()
	run.History.Header.Plan.Expect = []scenarios.Expectation{{Check: term.CheckResurrection, Line: 7}}
	res, _ := run.Judge()
	if want := "the expectation on line 7 (resurrection) matches no finding"; res.Verdict != term.Fail || res.Reason != want {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

// An expected finding passes, and an unknown check beside it does not.
func TestExpectedButIndeterminate(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade, term.Rollback)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("treated-2", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Stage("rolled-back", term.Old, term.Old)
	run.History.Header.Plan.Expect = []scenarios.Expectation{lost(nil)}
	if res, _ := run.Judge(); res.Verdict != term.Pass || res.Reason != "the findings are exactly those that the scenario expects" {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	run.Patch("treated-2", oracletest.Via("a"))
	if res, _ := run.Judge(); res.Verdict != term.Unknown {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

// Of a scenario without the key expect impacts alone give a verdict of their own; what
// breaks a rule fails it, and so does an impact where expect is there and empty.
func TestImpactsOfAScenarioThatExpectsNothing(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Stage("new", term.New, term.New)
	run.Observe()
	if res, _ := run.Judge(); res.Verdict != term.Fail {
		t.Errorf("expect: []: %s: %s", res.Verdict, res.Reason)
	}
	run.History.Header.Plan.NoExpect = true
	res, _ := run.Judge()
	if lost := oracletest.Check(t, res, term.CheckNothingLost); res.Verdict != term.Impacts || lost.Verdict != term.Impacts || lost.Findings == 0 {
		t.Errorf("impacts alone: %s: %s; nothing-lost %+v", res.Verdict, res.Reason, lost)
	}
	end := run.History.End
	run.History.End = nil
	if res, _ := run.Judge(); res.Verdict != term.Unknown {
		t.Errorf("of a run that was killed: %s: %s", res.Verdict, res.Reason)
	}
	run.History.End = end
	run.Change("bystander-1", ".spec.colour", nil)
	run.Observe()
	if res, _ := run.Judge(); res.Verdict != term.Fail || oracletest.Check(t, res, term.CheckNothingLost).Verdict != term.Fail {
		t.Errorf("with a violation: %s: %s", res.Verdict, res.Reason)
	}
}
