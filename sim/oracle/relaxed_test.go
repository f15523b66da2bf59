package oracle_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// Validation that is relaxed outright: what was invalid becomes valid for
// everybody at once. Near misses are what was refused for another reason, what is
// refused still, what uses the change, and what was refused only at times.
func TestRelaxed(t *testing.T) {
	const odd, change = `{"colour": "Odd"}`, `{"shine": {"level": 3}}`
	play := func(name, spec string, was, is int, with ...option) *story {
		s := tell(t, term.Upgrade)
		s.h.Header.Plan.Manifests["odd"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget"}
		with = append(with, of("odd"))
		s.create(name+"1", spec, append(slices.Clone(with), refused(was, "invalid"))...)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create(name+"2", spec, append(slices.Clone(with), refused(is, "invalid"))...) // step 4
		s.create(name+"3", spec, append(slices.Clone(with), via("b"), refused(was, "invalid"))...)
		return s
	}
	declared := respond(scenarios.Respond{Code: 422})
	const told = `rule-2 violation rule-2 changed unattributed bystander-2  in step 4 (upgrading 1/2)`
	play("bystander-", odd, 422, 201, declared).finds(told)
	play("bystander-", odd, 400, 201).finds(
		`answers violation rule-1 refused unattributed bystander-1  in step 2 (old)`,
		told,
		`answers violation rule-1 refused unattributed bystander-3  in step 5 (upgrading 1/2)`)
	play("bystander-", odd, 422, 422, declared).finds()
	play("treated-", odd, 422, 422, declared).finds()
	// What uses the change may be allowed by who knows it: its own line is reported, if it said otherwise.
	play("treated-", odd, 422, 201, declared).finds(
		`answers violation rule-2 not-accepted unattributed treated-2  in step 4 (upgrading 1/2)`)
	play("bystander-", change, 422, 201, declared).finds(
		`answers violation rule-2 not-accepted unattributed bystander-2  in step 4 (upgrading 1/2)`)
	missing := respond(scenarios.Respond{Code: 404})
	play("bystander-", odd, 404, 201, missing).finds(
		`answers violation rule-2 not-accepted unattributed bystander-2  in step 4 (upgrading 1/2)`)
}

// A value may be the change itself, set on what did not have it: the treated form
// has it, and the bystander has not. What both forms hold, or neither, is not one.
func TestAllowedByTheChange(t *testing.T) {
	play := func(treated, bystander object) *story {
		s := tell(t, term.Upgrade)
		declared := respond(scenarios.Respond{Code: 422})
		body := func(name string, of object) {
			s.h.Header.Plan.Manifests[name] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: spec(of)}
		}
		body("tuesday", treated)
		body("plain", bystander)
		s.create("bystander-1", `{"size": "1"}`, of("plain"))
		s.patch("bystander-1", set(".spec.colour", "Tuesday"), declared, refused(422, "unknown"))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("treated-1", `{"size": "1"}`, of("tuesday"))
		s.create("bystander-2", `{"size": "1"}`, of("plain"))
		s.patch("bystander-2", set(".spec.colour", "Tuesday")) // step 7
		return s
	}
	const told = `rule-2 violation rule-2 changed unattributed bystander-2  in step 7 (upgrading 1/2)`
	play(object{"colour": "Tuesday"}, object{}).finds()
	play(object{"colour": "Monday"}, object{}).finds(told)
	play(object{"colour": "Tuesday"}, object{"colour": "Tuesday"}).finds(told)
}

// What one old server refused and another did not was never invalid.
func TestRefusedAtTimes(t *testing.T) {
	s := tell(t, term.Upgrade)
	declared := respond(scenarios.Respond{Code: 422})
	s.create("bystander-1", plainSpec, declared, refused(422, "invalid"))
	s.create("bystander-2", plainSpec, via("b"))
	s.stage("upgrading 1/2", term.New, term.Old)
	s.create("bystander-3", plainSpec)
	s.finds()
}

// relaxed are the findings of what was invalid and became valid.
func (s *story) relaxed() (told []string) {
	res, _ := s.judge()
	for _, f := range res.Findings {
		if f.Check == term.CheckRule2 && f.State == term.Changed {
			told = append(told, brief(f))
		}
	}
	return told
}

// A JSON patch is a list of operations: what it sets, takes away or asks for may be
// the change as well. One that has nothing to do with it is judged like any other
// call, and of one that does not fit the object nobody can tell.
func TestRelaxedOperations(t *testing.T) {
	play := func(body ...any) []string {
		s := tell(t, term.Upgrade)
		s.h.Header.Plan.Manifests["tuesday"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: spec(object{"colour": "Tuesday"})}
		declared := respond(scenarios.Respond{Code: 422})
		s.create("bystander-1", `{"size": "1"}`)
		s.sends(term.JSONPatch, "bystander-1", body, set(".spec.colour", "Odd"), declared, refused(422, "invalid"))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("treated-1", `{"size": "1"}`, of("tuesday"))
		s.create("bystander-2", `{"size": "1"}`)
		s.sends(term.JSONPatch, "bystander-2", body, set(".spec.colour", "Odd")) // step 7
		return s.relaxed()
	}
	odd := add("/spec/colour", "Odd")
	told := []string{`rule-2 violation rule-2 changed unattributed bystander-2  in step 7 (upgrading 1/2)`}
	for name, c := range map[string]struct {
		body []any
		want []string
	}{
		"none of the change":         {[]any{odd}, told},
		"and the change as well":     {[]any{odd, add("/spec/shine", object{"level": 3})}, nil},
		"a value that is the change": {[]any{add("/spec/colour", "Tuesday")}, nil},
		"it asks for the change":     {[]any{op{"op": "test", "path": "/spec/colour", "value": "Tuesday"}, odd}, nil},
		"it asks for something else": {[]any{op{"op": "test", "path": "/spec/size", "value": "1"}, odd}, told},
		"it fits nothing":            {[]any{op{"op": "remove", "path": "/spec/parts/7"}, odd}, nil},
	} {
		if got := play(c.body...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Copies with a past are no measure for others, nor are others for them.
func TestRelaxedCopiesWithAPast(t *testing.T) {
	for name, c := range map[string]struct {
		past string
		bend func(*plan.Copy)
		told bool
	}{
		"none":                                {"bystander-1", func(*plan.Copy) {}, true},
		"what was refused is of another leg":  {"bystander-1", func(c *plan.Copy) { c.Leg = 1 }, false},
		"what was refused goes its own way":   {"bystander-1", func(c *plan.Copy) { c.Order = 3 }, false},
		"what succeeds now is of another leg": {"bystander-2", func(c *plan.Copy) { c.Leg = 1 }, false},
		"what succeeds now goes its own way":  {"bystander-2", func(c *plan.Copy) { c.Order = 3 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := tell(t, term.Upgrade)
			declared := respond(scenarios.Respond{Code: 422})
			s.create("bystander-1", plainSpec)
			s.patch("bystander-1", set(".spec.colour", "Odd"), declared, refused(422, "invalid"))
			s.create("bystander-2", plainSpec)
			s.stage("upgrading 1/2", term.New, term.Old)
			s.patch("bystander-2", set(".spec.colour", "Odd")) // step 6
			for i := range s.h.Header.Plan.Copies {
				if of := &s.h.Header.Plan.Copies[i]; of.Name == c.past {
					c.bend(of)
				}
			}
			var want []string
			if c.told {
				want = []string{`rule-2 violation rule-2 changed unattributed bystander-2  in step 6 (upgrading 1/2)`}
			}
			if got := s.relaxed(); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
