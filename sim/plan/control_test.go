package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// located is a step with the stage it is in.
type located struct {
	plan.Step
	stage int
}

// byRole are the operations on copies of the role, births apart.
func byRole(p *plan.Plan, role term.CopyRole) (births, calls []located) {
	roles := map[string]term.CopyRole{}
	for _, c := range p.Copies {
		roles[c.Name] = c.Role
	}
	for i, stage := range p.Stages {
		for _, s := range stage.Steps {
			switch {
			case s.Action != plan.Operate || roles[s.Copy] != role:
			case s.Birth:
				births = append(births, located{s, i})
			default:
				calls = append(calls, located{s, i})
			}
		}
	}
	return births, calls
}

// call is what makes two calls the same, whichever copy they meet and through
// whichever replica.
func call(s plan.Step) string {
	change, _ := json.Marshal(s.Change)
	return fmt.Sprint(s.Object, s.Verb, s.Client, s.Birth, s.Encoding, s.FieldValidation, s.APIVersion, s.Manager, s.Force, string(change))
}

// uncontrolled lists what is wrong with a plan's control copies.
func uncontrolled(p *plan.Plan) (problems []string) {
	tell := func(s located, why string) { problems = append(problems, why+": "+s.String()) }
	births, calls := byRole(p, term.Control)
	bystanders := map[string]bool{}
	for _, c := range p.Copies {
		bystanders[c.Name] = c.Role != term.Control || p.Manifests[c.Manifest].Body["spec"].(map[string]any)["size"] == int64(1)
	}
	for _, s := range births {
		if s.stage != 0 || s.ViaRole != term.Old || s.Respond != nil || !bystanders[s.Copy] {
			tell(s, "born too late, elsewhere, with an answer declared, or treated")
		}
	}
	seen := map[string]bool{}
	for _, s := range calls {
		role, typed := s.Client.Role()
		key := call(s.Step)
		if s.stage > 0 {
			key = fmt.Sprint(s.Object, s.stage, s.Verb)
		}
		switch {
		case s.ViaRole != term.Old || s.ReadRole == term.New:
			tell(s, "meets a new server")
		case s.stage > 0 && typed && role == term.New:
			tell(s, "meets a new client")
		case s.Respond != nil:
			tell(s, "has an answer declared")
		case seen[key]:
			tell(s, "is played twice")
		}
		seen[key] = true
	}
	return problems
}

func TestControls(t *testing.T) {
	for name, text := range texts(t) {
		for _, seed := range []int64{0, 1} {
			for _, problem := range uncontrolled(build(t, parse(t, name, text), seed)) {
				t.Errorf("%s, seed %d: %s", name, seed, problem)
			}
		}
	}
}

// controlPlan is the plan of the fixture about control copies.
func controlPlan(t *testing.T) *plan.Plan {
	return build(t, parse(t, "control", texts(t)["control"]), 0)
}

// TestUncontrolledCanFail shows that uncontrolled sees each mistake it is there for.
func TestUncontrolledCanFail(t *testing.T) {
	for want, damage := range map[string]func(births, calls []*plan.Step){
		"born too late": func(births, _ []*plan.Step) { births[0].ViaRole = term.New },
		"meets a new s": func(_, calls []*plan.Step) { calls[0].ViaRole = term.New },
		"meets a new c": func(_, calls []*plan.Step) { calls[len(calls)-1].Client = term.NewTyped },
		"is played twi": func(_, calls []*plan.Step) { calls[1].Client = calls[0].Client },
	} {
		p := controlPlan(t)
		require.Empty(t, uncontrolled(p))
		damage(controlSteps(p))
		problems := uncontrolled(p)
		require.Len(t, problems, 1, want)
		assert.Equal(t, want, problems[0][:len(want)])
	}
}

func controlSteps(p *plan.Plan) (births, calls []*plan.Step) {
	for i := range p.Stages {
		for j, s := range p.Stages[i].Steps {
			control := slices.ContainsFunc(p.Copies, func(c plan.Copy) bool { return c.Name == s.Copy && c.Role == term.Control })
			switch {
			case control && s.Birth:
				births = append(births, &p.Stages[i].Steps[j])
			case control:
				calls = append(calls, &p.Stages[i].Steps[j])
			}
		}
	}
	return births, calls
}

// TestEveryCallHasAReference: whatever lines do to a bystander later, births
// included, is done to a control at the first stage, or to another bystander.
func TestEveryCallHasAReference(t *testing.T) {
	compared := 0
	for name, text := range texts(t) {
		p := build(t, parse(t, name, text), 0)
		births, calls := byRole(p, term.Control)
		references := map[string]bool{}
		for _, s := range append(births, calls...) {
			if s.stage == 0 {
				references[call(s.Step)] = true
			}
		}
		births, calls = byRole(p, term.Bystander)
		for _, s := range append(births, calls...) {
			if s.stage == 0 && s.Respond == nil {
				references[call(s.Step)] = true
			}
		}
		for _, s := range append(births, calls...) {
			touch := s.Birth || s.Change != nil && (s.Change.Of != "" || s.Verb.Subresource() != "" || s.Verb == term.UnchangedPut)
			if touch {
				compared++
				assert.True(t, references[call(s.Step)], "%s: no control for %s", name, s)
			}
		}
	}
	assert.NotZero(t, compared)
}

// TestControlsAreBornAlike: by the old client of the kind that makes the object
// first, with the very verb, be it apply; who only ever applies meets no POST.
func TestControlsAreBornAlike(t *testing.T) {
	const head = "name: s\nabout: x\nobjects: {x: {bystander: bystander.yaml}}\njourney: [upgrade]\nplay:\n"
	for line, want := range map[string]string{
		"{create: x, client: new-typed, via: new}":                     "create by old-typed",
		"{create: x, client: new-typed, encoding: protobuf, via: new}": "create by old-typed protobuf",
		"{create: x, client: dynamic, via: new}":                       "create by dynamic",
		"{create: x, client: new-apply, via: new}":                     "apply by old-apply",
		"{create: x, verb: client-side-apply, via: new}":               "client-side-apply by dynamic",
		"{create: x, client: [new-apply, new-typed], via: new}":        "apply by old-apply",
	} {
		p := build(t, parse(t, "s", head+"- "+line+"\n- {touch: x, client: [new-typed, old-apply]}\n"), 0)
		births, calls := byRole(p, term.Control)
		for _, s := range births {
			touched := slices.ContainsFunc(calls, func(c located) bool { return c.Copy == s.Copy })
			got := fmt.Sprintf("%s by %s", s.Verb, s.Client)
			if s.Encoding != "" {
				got += " " + string(s.Encoding)
			}
			assert.True(t, !touched || got == want, "%s: %s", line, got)
		}
		assert.NotEmpty(t, calls)
	}
}

// TestBystandersThatAreControls: a bystander that an old client creates through an old server
// at the first stage needs no control for the calls that lines make on it there; one that a new
// client creates needs all of them.
func TestBystandersThatAreControls(t *testing.T) {
	const text = "name: s\nabout: x\njourney: [upgrade, rollback]\nobjects: {x: {bystander: bystander.yaml}}\nplay:\n" +
		"- {create: x, client: CLIENT, via: old}\n- {touch: x, client: [old-typed, new-typed], verb: [put, merge-patch], at: AT}\n"
	for _, c := range []struct {
		client, at string
		want       int
	}{
		{"old-typed", "every", 0},
		{"old-typed", "[old, upgrading]", 4}, // each verb in the two later stages that have an old server
		{"old-typed", "new", 4 + 6},
		{"new-typed", "every", 4 + 6},
	} {
		s := strings.NewReplacer("CLIENT", c.client, "AT", c.at).Replace(text)
		_, calls := byRole(build(t, parse(t, "s", s), 0), term.Control)
		assert.Len(t, calls, c.want, "%s at %s", c.client, c.at)
	}
}

// TestNoControls: an object without a form that does not use the change, and one that is never
// created, have none; a similar object has.
func TestNoControls(t *testing.T) {
	const head = "name: s\nabout: x\njourney: [upgrade]\nobjects: {x: {treated: treated.yaml, bystander: bystander.yaml}, y: {"
	for text, want := range map[string]bool{
		head + "treated: treated.yaml}}\nplay:\n- {create: x}\n- {create: y, at: new}\n- {touch: y}\n":               false,
		head + "bystander: bystander.yaml}}\nplay:\n- {create: x}\n- {create: y, via: new, at: old}\n- {touch: y}\n": false,
		head + "bystander: bystander.yaml}}\nplay:\n- {create: x}\n- {create: y, via: new, at: new}\n- {touch: y}\n": true,
	} {
		births, _ := byRole(build(t, parse(t, "s", text), 0), term.Control)
		is := slices.ContainsFunc(births, func(s located) bool { return s.Object == "y" })
		assert.Equal(t, want, is, text)
	}
}

// TestControlsOfOneKind: in later stages, one object of each kind has controls for a verb, in the first stage every object. Where programs
// decide by what an object holds, every object has them.
func TestControlsOfOneKind(t *testing.T) {
	const text = "name: s\nabout: x\nreplicas: 1\njourney: [upgrade, rollback]\nobjects: {x: {bystander: bystander.yaml}, y: {bystander: treated.yaml}}\nplay:\n" +
		"- {create: x, client: new-typed, via: old}\n- {create: y, client: new-typed, via: old}\n- {touch: x, client: old-typed, verb: put, at: old}\n- {touch: y, client: old-typed, verb: put, at: old}\n"
	stages := func(s *scenarios.Scenario, programs string) map[string][]int {
		p, err := plan.Build(s, plan.Pair{Old: pair.Old, New: pair.New, Programs: programs}, 0)
		require.NoError(t, err)
		all := map[string][]int{}
		_, calls := byRole(p, term.Control)
		for _, c := range calls {
			all[c.Object] = append(all[c.Object], c.stage)
		}
		return all
	}
	s := parse(t, "s", text)
	assert.Equal(t, map[string][]int{"x": {0, 2}, "y": {0}}, stages(s, ""))
	of := stages(s, "program.yaml")
	assert.Equal(t, of["x"], of["y"])
	assert.Greater(t, len(of["y"]), 1)
	s.Manifests["treated.yaml"].Body["kind"] = "Other"
	assert.Equal(t, map[string][]int{"x": {0, 2}, "y": {0, 2}}, stages(s, ""))
}
