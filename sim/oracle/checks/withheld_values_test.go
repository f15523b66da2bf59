package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// A stored value that a release publishes, and does not show or shows
// otherwise, is a finding. That a release hides what it does not publish is not.
func TestWithheld(t *testing.T) {
	cases := []struct {
		name, at string
		value    any
		finding  string
		message  string
	}{
		{"not shown", ".spec.colour", nil, `nothing-lost violation rule-6 hidden unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`,
			`Widget bystander-1: .spec.colour = "red", acknowledged in step 3 (v2.0.0), is stored, and b (v1.0.0), whose release publishes it, does not show it in step 3 (upgrading 1/2); violation under rule-6`},
		{"shown otherwise", ".spec.colour", "blue", `nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`,
			`Widget bystander-1: .spec.colour = "red", acknowledged in step 3 (v2.0.0), is stored, and b (v1.0.0), whose release publishes it, shows "blue" in step 3 (upgrading 1/2); violation under rule-6`},
		{"spelt otherwise", ".spec.size", "1000m", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create("bystander-1", `{"colour": "red", "size": "1", "shine": {"level": 1}}`)
			for _, x := range []*history.Exchange{run.Exchange(created, history.Look, "b"), run.Exchange(run.Get("bystander-1", oracletest.Via("b")), history.Act, "b")} {
				x.Answer = run.Edited(x.Answer, c.at, c.value)
			}
			if c.finding == "" {
				run.ExpectFindings()
				return
			}
			res := run.ExpectFindings(c.finding)
			if f := res.Findings[0]; f.Message != c.message || f.Replica != "b" || f.Via != term.Old || f.Release != oracletest.OldVersion {
				t.Errorf("finding: %+v\nwant message: %s", f, c.message)
			}
		})
	}
}

// TestWithheldByConversion: what a release serves otherwise of a custom resource that is stored in another version, a
// conversion made. Near twins: the stored version itself, a built-in kind, and a default that the release publishes.
func TestWithheldByConversion(t *testing.T) {
	for _, c := range []struct {
		defined, stored string
		shown           any
		want            string
	}{
		{"widgets", "example.dev/v2", nil, "hidden converted"}, {"widgets", "example.dev/v2", "coarse", "changed converted"},
		{"widgets", "example.dev/v1", nil, "hidden unattributed"}, {"gadgets", "example.dev/v2", nil, "hidden unattributed"},
		{"widgets", "example.dev/v2", "fine", "changed defaulted"},
	} {
		run := oracletest.NewMixed(t)
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": c.defined + ".example.dev"}},
		}
		created := run.Create("bystander-1", `{"colour": "red", "grain": "rough"}`)
		look := run.Exchange(created, history.Look, "b")
		look.Answer = run.Edited(look.Answer, ".spec.grain", c.shown)
		run.StoredChange("bystander-1").APIVersion = c.stored
		run.ExpectFindings(`nothing-lost violation rule-6 ` + c.want + ` bystander-1 .spec.grain in step 3 (upgrading 1/2)`)
	}
}

// TestServedAtTimes: what a release serves at one time and not at another has no known cause. Where the program of
// another release runs then, its conversion is the cause.
func TestServedAtTimes(t *testing.T) {
	for program, want := range map[term.Role]string{"": "unattributed", term.New: "converted"} {
		run := oracletest.NewMixed(t)
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": "widgets.example.dev"}},
		}
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Stage("new", term.New, term.New)
		if program != "" {
			run.Step(plan.Step{Action: plan.Program, Role: program})
		}
		for i := range run.History.Changes {
			run.History.Changes[i].APIVersion = "example.dev/v2"
		}
		listed := run.Observe()
		for _, replica := range []string{"a", "b"} {
			item := &run.Listing(listed, replica).Items[0]
			item.Answer = run.Edited(item.Answer, ".spec", nil)
		}
		res, _ := run.Judge()
		assert.Contains(t, oracletest.Brief(res.Findings[0]), "hidden "+want, program)
	}
}

// One release that serves the same stored version in two ways is reported, even
// if the first answer was right.
func TestServedDifferentlyLater(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Stage("new", term.New, term.New)
	run.ExpectFindings()
	item := &run.Listing(run.Observe(), "a").Items[0]
	item.Answer = run.Edited(item.Answer, ".spec", nil)
	run.ExpectFindings(`nothing-lost violation rule-2 hidden unattributed bystander-1 .spec in step 5 (new)`)
}

// An operation that names the value ends the duty to show it.
func TestWithheldAfterItWasWithdrawn(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	step := run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"))
	x := run.Exchange(step, history.Look, "b")
	x.Answer = run.Edited(x.Answer, ".spec.colour", "red")
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
	run.History.Operations = run.History.Operations[:len(run.History.Operations)-1]
	run.ExpectFindings()
}
