package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

const playedOnce = `name: x
about: x
objects:
  some: {treated: treated.yaml, bystander: bystander.yaml}
play:
- {create: some, via: new}
- {touch: some, via: [old, new], client: old-typed}
`

// recorded is a plan as the history of a run has it.
func recorded(t *testing.T, s *scenarios.Scenario, of plan.Pair, seed int64) *plan.Plan {
	t.Helper()
	p, err := plan.Build(s, of, seed)
	require.NoError(t, err)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	var read plan.Plan
	require.NoError(t, json.Unmarshal(text, &read))
	return &read
}

// TestAgain: lines of expect may be others, and stand elsewhere in the file; whoever played
// the plan may have given it options, orders and a seed.
func TestAgain(t *testing.T) {
	const edited = "expect:\n- {check: nothing-lost, via: old}\n- {check: rule-1, when: {new: \">= 1.38\"}}\n"
	given := map[term.Role]scenarios.Options{term.New: {FeatureGates: map[string]bool{"Wide": true}}}
	s := parse(t, "x", playedOnce)
	s.Orders = 3
	p := recorded(t, s.WithGiven(given), plan.Pair{Old: "kube-apiserver@v1.36.3", New: "path:./x", NewVersion: "v1.37.0", Programs: "program.yaml"}, 7)
	require.True(t, p.NoExpect)

	again, err := plan.Again(p, parse(t, "x", edited+playedOnce), map[term.Role]string{term.Old: "v1.36.3", term.New: "v1.37.0"})
	require.NoError(t, err)
	assert.Len(t, again.Expect, 2)
	assert.True(t, again.IsElsewhere(2), "for the versions that the run told")
	assert.False(t, again.NoExpect)
	assert.Equal(t, p.Releases, again.Releases)
	assert.Len(t, again.Copies, len(p.Copies), "with the orders that were played")

	s.Orders, s.Order = 0, 2
	p = recorded(t, s, pair, 0)
	_, err = plan.Again(p, parse(t, "x", playedOnce), nil)
	require.NoError(t, err, "an order that was played alone")
}

// TestAgainRefuses: what does something else than was played cannot say what is expected of
// it.
func TestAgainRefuses(t *testing.T) {
	p := recorded(t, parse(t, "x", playedOnce), pair, 0)
	for name, text := range map[string]string{
		"another line":       playedOnce + "- {delete: some, via: new}\n",
		"a line less":        playedOnce[:len(playedOnce)-len("- {touch: some, via: [old, new], client: old-typed}\n")],
		"another journey":    "journey: [upgrade]\n" + playedOnce,
		"options of its own": "new: {featureGates: {Wide: true}}\n" + playedOnce,
	} {
		_, err := plan.Again(p, parse(t, "x", text), nil)
		assert.Error(t, err, name)
	}
	_, err := plan.Again(p, parse(t, "y", "name: y\n"+playedOnce[len("name: x\n"):]), nil)
	assert.Error(t, err, "another scenario")
	s := parse(t, "x", playedOnce)
	s.Manifests["treated.yaml"].Body["data"] = map[string]any{"other": "value"}
	_, err = plan.Again(p, s, nil)
	assert.Error(t, err, "another object")
}

// TestPrograms: where releases have programs, their steps move them: the old one stays while the definitions are new, then none
// runs; and it is old before definitions go back. Without programs there is no such step, and a journey of programs is refused.
func TestPrograms(t *testing.T) {
	s := parse(t, "x", playedOnce)
	s.Replicas = 1
	with := pair
	with.Programs = "program.yaml"
	p, err := plan.Build(s, with, 0)
	require.NoError(t, err)
	assert.Equal(t, scenarios.ProgramJourney(), p.Journey)
	type runs struct {
		stage         string
		server, moved term.Role
	}
	var all []runs
	var programs []term.Role
	for _, stage := range p.Stages {
		is := runs{stage: stage.Name, server: stage.Replicas[0].Role, moved: "-"}
		for _, step := range stage.Steps {
			if step.Action == plan.Program {
				is.moved = step.Role
			}
		}
		all = append(all, is)
		assert.Equal(t, stage.Name == "upgrading absent", p.HasNoProgram(stage.Name), stage.Name)
		runs, moves := p.ProgramAt(stage.Name)
		assert.True(t, moves, stage.Name)
		programs = append(programs, runs)
	}
	assert.Equal(t, []term.Role{term.Old, term.Old, "", term.New, term.Old, term.Old, term.New, term.New}, programs)
	_, moves := p.ProgramAt("")
	assert.False(t, moves, "no stage of the journey")
	assert.Equal(t, []runs{
		{"old", term.Old, term.Old}, {"upgrading definitions", term.New, "-"}, {"upgrading absent", term.New, ""}, {"new", term.New, term.New},
		{"program-rolled-back", term.New, term.Old}, {"rolled-back", term.Old, "-"}, {"forgotten", term.Old, term.New}, {"re-upgraded", term.New, "-"},
	}, all)

	s.Journey = []term.Rollout{term.Upgrade, term.Rollback}
	p, err = plan.Build(s, with, 0)
	require.NoError(t, err)
	assert.Equal(t, plan.Program, p.Stages[4].Steps[0].Action, "before the definitions")
	assert.Equal(t, term.Old, p.Stages[4].Steps[0].Role)
	s.Journey = scenarios.ProgramJourney()
	_, err = plan.Build(s, pair, 0)
	assert.ErrorContains(t, err, "the releases have none")
}
