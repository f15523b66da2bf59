package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// selecting makes a LIST one by fields, which shows those items of all.
func selecting(run *oracletest.Run, step int, replica, selector string, shown ...string) {
	run.PlannedStep(step).FieldSelector = selector
	chosen := *run.Listing(step, replica)
	chosen.FieldSelector, chosen.Items = selector, nil
	for _, item := range run.Listing(step, replica).Items {
		for _, name := range shown {
			if item.Copy == name {
				chosen.Items = append(chosen.Items, item)
			}
		}
	}
	run.History.Listings = append(run.History.Listings, chosen)
}

// A LIST by fields holds exactly what matches of all that was listed beside it.
func TestSelected(t *testing.T) {
	wrong := `answers violation rule-2 dropped unattributed   in step 5 (upgrading 1/2)`
	for name, c := range map[string]struct {
		selector string
		shown    []string
		want     []string
		says     string
	}{
		"what matches":           {"spec.colour=red", []string{"bystander-1"}, nil, ""},
		"what does not match":    {"spec.colour!=red", []string{"bystander-2"}, nil, ""},
		"none":                   {"spec.colour=green", nil, nil, ""},
		"by the name":            {"metadata.name=bystander-2", []string{"bystander-2"}, nil, ""},
		"one that does not":      {"spec.colour=red", []string{"bystander-1", "bystander-2"}, []string{wrong}, "holds bystander-2, which does not match"},
		"one that does is not":   {"spec.colour=red", nil, []string{wrong}, "lacks bystander-1, which does"},
		"another in place of it": {"spec.colour=red", []string{"bystander-2"}, []string{wrong}, "holds bystander-2, which does not match, and lacks bystander-1, which does"},
		"a field that it lacks":  {"spec.finish.tone=", nil, []string{wrong}, "lacks bystander-1, bystander-2, which does"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"colour": "red"}`)
			run.Create("bystander-2", `{"colour": "blue"}`)
			selecting(run, run.List("b"), "b", c.selector, c.shown...)
			res := run.ExpectFindings(c.want...)
			if len(c.want) > 0 {
				run.ExpectMessage(c.want[0], c.says)
			}
			_ = res
		})
	}
}

// An answer may lack a number or a truth value that is zero, and some servers select
// by it as that: of such a requirement, and of a label that is no path to a plain
// value, the item shows nothing. Another requirement may.
func TestSelectedByWhatIsNotShown(t *testing.T) {
	wrong := `answers violation rule-2 dropped unattributed   in step 4 (upgrading 1/2)`
	for selector, c := range map[string]struct {
		indeterminate int
		want          []string
	}{
		"spec.finish.gloss=0":                  {indeterminate: 1},
		"spec.finish.gloss!=0":                 {indeterminate: 1},
		"spec.finish.gloss=":                   {indeterminate: 1},
		"spec.shine=x":                         {indeterminate: 1},
		"source=x":                             {indeterminate: 1},
		"spec.parts=x":                         {indeterminate: 1},
		"spec.colour=red":                      {},
		"spec.finish.gloss=0,spec.colour=red":  {indeterminate: 1},
		"spec.finish.gloss=0,spec.colour=blue": {want: []string{wrong}},
		"spec.finish.gloss!=3":                 {},
		"spec.finish.gloss=3":                  {want: []string{wrong}},
		"spec.finish.tone=0":                   {want: []string{wrong}},
	} {
		t.Run(selector, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"colour": "red", "parts": [{"name": "x"}]}`)
			selecting(run, run.List("a"), "a", selector, "bystander-1")
			res := run.ExpectFindings(c.want...)
			for _, check := range res.Checks {
				if check.Name == term.CheckAnswers && check.Indeterminate != c.indeterminate {
					t.Errorf("indeterminate: %+v", check)
				}
			}
		})
	}
}

// Where all could not be listed, it is unknown what must be selected.
func TestSelectedOfWhat(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	step := run.List("b")
	selecting(run, step, "b", "spec.colour=blue", "bystander-1")
	run.Listing(step, "b").FieldSelector = "another"
	res, _ := run.Judge()
	for _, c := range res.Checks {
		if c.Name == term.CheckAnswers && c.Indeterminate != 1 {
			t.Errorf("indeterminate: %+v", c)
		}
	}
}
