package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

const later = `name: x
about: x
objects:
  always: {bystander: bystander.yaml}
  late: {treated: treated.yaml, since: ">= 1.37"}
play:
- {create: always}
- {create: late, via: [old, new], at: [old, new]}
- {touch: late, via: new, at: new}
`

// born are the copies of an object, by the release that makes them.
func born(p *plan.Plan, object string) map[term.Role]int {
	all := map[term.Role]int{}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.Birth && s.Object == object && s.Verb == term.Create {
				all[s.ViaRole]++
			}
		}
	}
	return all
}

// TestSince: an object is made through releases that can make it, and through no
// others; that a release cannot, the plan tells.
func TestSince(t *testing.T) {
	s := parse(t, "x", later)
	p := build(t, s, 0)
	assert.Equal(t, map[term.Role]int{term.New: 2}, born(p, "late"), "the untouched one, and the one that is touched")
	require.NotEmpty(t, p.Skipped)
	assert.Contains(t, p.String(), "skipped: line 8: create late by dynamic, via a at old: v1.36.3 is not one of the releases that make it (>= 1.37)")
	older, err := plan.Build(s, plan.Pair{Old: "kube-apiserver@v1.35.0", New: "kube-apiserver@v1.36.3"}, 0)
	require.NoError(t, err)
	assert.Empty(t, born(older, "late"))
	assert.NotEmpty(t, born(older, "always"))
	assert.NotContains(t, older.String(), "no stage can create the object", "the create line says why")
	newer, err := plan.Build(s, plan.Pair{Old: "kube-apiserver@v1.37.0", New: "path:./x", NewVersion: "v1.38.0"}, 0)
	require.NoError(t, err)
	assert.Equal(t, map[term.Role]int{term.Old: 2, term.New: 2}, born(newer, "late"))
	unknown, err := plan.Build(s, plan.Pair{Old: "path:./w", New: "path:./x", OldVersion: "v1.36.9"}, 0)
	require.NoError(t, err)
	assert.Equal(t, map[term.Role]int{term.New: 2}, born(unknown, "late"), "of the new one nobody knows what it is")
}

// TestMade: a leg does not make again what an earlier one has made for all; its
// lines are for the copies that it takes over.
func TestMade(t *testing.T) {
	s := parse(t, "x", later)
	carried := plan.Carried{Copy: plan.Copy{Name: "late-l01-treated-001", Object: "late", Role: term.Treated, Manifest: "treated.yaml", Leg: 1}}
	hop := plan.Hop{Number: 2, Carried: []plan.Carried{carried}, Made: []string{"late"}}
	p, err := plan.BuildLeg(s, plan.Pair{Old: "kube-apiserver@v1.37.0", New: "kube-apiserver@v1.38.0"}, 0, hop)
	require.NoError(t, err)
	assert.Empty(t, born(p, "late"))
	assert.NotEmpty(t, born(p, "always"))
	touched := 0
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			if step.Copy == carried.Copy.Name && !step.Birth {
				touched++
			}
		}
	}
	assert.Equal(t, 1, touched)
	hop.Made = nil
	p, err = plan.BuildLeg(s, plan.Pair{Old: "kube-apiserver@v1.37.0", New: "kube-apiserver@v1.38.0"}, 0, hop)
	require.NoError(t, err)
	assert.NotEmpty(t, born(p, "late"))
}
