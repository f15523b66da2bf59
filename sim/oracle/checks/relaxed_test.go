package checks_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// Validation that is relaxed outright: what was invalid becomes valid for
// everybody at once. Near misses are what was refused for another reason, what is
// refused still, what uses the change, and what was refused only at times.
func TestRelaxed(t *testing.T) {
	const odd, change = `{"colour": "Odd"}`, `{"shine": {"level": 3}}`
	play := func(name, spec string, was, is int, with ...oracletest.Option) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		run.History.Header.Plan.Manifests["odd"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget"}
		with = append(with, oracletest.Of("odd"))
		run.Create(name+"1", spec, append(slices.Clone(with), oracletest.Refused(was, "invalid"))...)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create(name+"2", spec, append(slices.Clone(with), oracletest.Refused(is, "invalid"))...) // step 4
		run.Create(name+"3", spec, append(slices.Clone(with), oracletest.Via("b"), oracletest.Refused(was, "invalid"))...)
		return run
	}
	declared := oracletest.Respond(scenarios.Respond{Code: 422})
	const reported = `rule-2 violation rule-2 changed unattributed bystander-2  in step 4 (upgrading 1/2)`
	play("bystander-", odd, 422, 201, declared).ExpectFindings(reported)
	play("bystander-", odd, 400, 201).ExpectFindings(
		`answers violation rule-1 refused unattributed bystander-1  in step 2 (old)`,
		reported,
		`answers violation rule-1 refused unattributed bystander-3  in step 5 (upgrading 1/2)`)
	play("bystander-", odd, 422, 422, declared).ExpectFindings()
	play("treated-", odd, 422, 422, declared).ExpectFindings()
	// What uses the change may be allowed by who knows it: its own line is reported, if it said otherwise.
	play("treated-", odd, 422, 201, declared).ExpectFindings(
		`answers violation rule-2 dropped unattributed treated-2  in step 4 (upgrading 1/2)`)
	play("bystander-", change, 422, 201, declared).ExpectFindings(
		`answers violation rule-2 dropped unattributed bystander-2  in step 4 (upgrading 1/2)`)
	missing := oracletest.Respond(scenarios.Respond{Code: 404})
	play("bystander-", odd, 404, 201, missing).ExpectFindings(
		`answers violation rule-2 dropped unattributed bystander-2  in step 4 (upgrading 1/2)`)
}

// A value may be the change itself, set on what did not have it: the treated form
// has it, and the bystander has not. What both forms hold, or neither, is not one.
func TestAllowedByTheChange(t *testing.T) {
	play := func(treated, bystander oracletest.Object) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		declared := oracletest.Respond(scenarios.Respond{Code: 422})
		body := func(name string, of oracletest.Object) {
			run.History.Header.Plan.Manifests[name] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: oracletest.Spec(of)}
		}
		body("tuesday", treated)
		body("plain", bystander)
		run.Create("bystander-1", `{"size": "1"}`, oracletest.Of("plain"))
		run.Patch("bystander-1", oracletest.Set(".spec.colour", "Tuesday"), declared, oracletest.Refused(422, "unknown"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("treated-1", `{"size": "1"}`, oracletest.Of("tuesday"))
		run.Create("bystander-2", `{"size": "1"}`, oracletest.Of("plain"))
		run.Patch("bystander-2", oracletest.Set(".spec.colour", "Tuesday")) // step 7
		return run
	}
	const reported = `rule-2 violation rule-2 changed unattributed bystander-2  in step 7 (upgrading 1/2)`
	play(oracletest.Object{"colour": "Tuesday"}, oracletest.Object{}).ExpectFindings()
	play(oracletest.Object{"colour": "Monday"}, oracletest.Object{}).ExpectFindings(reported)
	play(oracletest.Object{"colour": "Tuesday"}, oracletest.Object{"colour": "Tuesday"}).ExpectFindings(reported)
}

// What one old server refused and another did not was never invalid.
func TestRefusedAtTimes(t *testing.T) {
	run := oracletest.NewRun(t, term.Upgrade)
	declared := oracletest.Respond(scenarios.Respond{Code: 422})
	run.Create("bystander-1", oracletest.PlainSpec, declared, oracletest.Refused(422, "invalid"))
	run.Create("bystander-2", oracletest.PlainSpec, oracletest.Via("b"))
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Create("bystander-3", oracletest.PlainSpec)
	run.ExpectFindings()
}

// relaxed are the findings of what was invalid and became valid.
func relaxed(run *oracletest.Run) (reported []string) {
	res, _ := run.Judge()
	for _, f := range res.Findings {
		if f.Check == term.CheckRule2 && f.Outcome == term.Changed {
			reported = append(reported, oracletest.Brief(f))
		}
	}
	return reported
}

// A JSON patch is a list of operations: what it sets, takes away or asks for may be
// the change as well. One that has nothing to do with it is judged like any other
// call, and of one that does not fit the object the effect is unknown.
func TestRelaxedOperations(t *testing.T) {
	play := func(body ...any) []string {
		run := oracletest.NewRun(t, term.Upgrade)
		run.History.Header.Plan.Manifests["tuesday"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: oracletest.Spec(oracletest.Object{"colour": "Tuesday"})}
		declared := oracletest.Respond(scenarios.Respond{Code: 422})
		run.Create("bystander-1", `{"size": "1"}`)
		run.SendBody(term.JSONPatch, "bystander-1", body, oracletest.Set(".spec.colour", "Odd"), declared, oracletest.Refused(422, "invalid"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("treated-1", `{"size": "1"}`, oracletest.Of("tuesday"))
		run.Create("bystander-2", `{"size": "1"}`)
		run.SendBody(term.JSONPatch, "bystander-2", body, oracletest.Set(".spec.colour", "Odd")) // step 7
		return relaxed(run)
	}
	type instruction = map[string]any
	add := func(at string, value any) instruction { return instruction{"op": "add", "path": at, "value": value} }
	odd := add("/spec/colour", "Odd")
	reported := []string{`rule-2 violation rule-2 changed unattributed bystander-2  in step 7 (upgrading 1/2)`}
	for name, c := range map[string]struct {
		body []any
		want []string
	}{
		"none of the change":         {[]any{odd}, reported},
		"and the change as well":     {[]any{odd, add("/spec/shine", oracletest.Object{"level": 3})}, nil},
		"a value that is the change": {[]any{add("/spec/colour", "Tuesday")}, nil},
		"it asks for the change":     {[]any{instruction{"op": "test", "path": "/spec/colour", "value": "Tuesday"}, odd}, nil},
		"it asks for something else": {[]any{instruction{"op": "test", "path": "/spec/size", "value": "1"}, odd}, reported},
		"it fits nothing":            {[]any{instruction{"op": "remove", "path": "/spec/parts/7"}, odd}, nil},
	} {
		if got := play(c.body...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Copies with a past are no measure for others, nor are others for them.
func TestRelaxedCopiesWithAPast(t *testing.T) {
	for name, c := range map[string]struct {
		past     string
		edit     func(*plan.Copy)
		reported bool
	}{
		"none":                                {"bystander-1", func(*plan.Copy) {}, true},
		"what was refused is of another leg":  {"bystander-1", func(c *plan.Copy) { c.Leg = 1 }, false},
		"what was refused goes its own way":   {"bystander-1", func(c *plan.Copy) { c.Order = 3 }, false},
		"what succeeds now is of another leg": {"bystander-2", func(c *plan.Copy) { c.Leg = 1 }, false},
		"what succeeds now goes its own way":  {"bystander-2", func(c *plan.Copy) { c.Order = 3 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewRun(t, term.Upgrade)
			declared := oracletest.Respond(scenarios.Respond{Code: 422})
			run.Create("bystander-1", oracletest.PlainSpec)
			run.Patch("bystander-1", oracletest.Set(".spec.colour", "Odd"), declared, oracletest.Refused(422, "invalid"))
			run.Create("bystander-2", oracletest.PlainSpec)
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Patch("bystander-2", oracletest.Set(".spec.colour", "Odd")) // step 6
			for i := range run.History.Header.Plan.Copies {
				if of := &run.History.Header.Plan.Copies[i]; of.Name == c.past {
					c.edit(of)
				}
			}
			var want []string
			if c.reported {
				want = []string{`rule-2 violation rule-2 changed unattributed bystander-2  in step 6 (upgrading 1/2)`}
			}
			if got := relaxed(run); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
