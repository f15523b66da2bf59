package fleet

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestReached: a release is asked in the manifest's version or, if it does not serve that,
// in the one that is followed; only in that version is an object a copy of the run.
func TestReached(t *testing.T) {
	k := NewKnown(runtest.SmallPlan(t, runtest.Small))
	m := k.Plan.Manifests["treated.yaml"]
	v2 := runtest.Gadget
	v2.APIVersion = "example.dev/v2"
	k.ByRole[term.Old] = Release{Said: history.Release{Version: "v1", Resources: []history.Resource{runtest.Gadget, v2}}}
	k.ByRole[term.New] = Release{Said: history.Release{
		Version: "v2", Resources: []history.Resource{v2}, Follows: map[string]string{history.Follow(m.APIVersion, m.Kind): v2.APIVersion},
	}}
	for role, want := range map[term.Role]history.Resource{term.Old: runtest.Gadget, term.New: v2} {
		got, serves := k.Reached(role, m)
		assert.True(t, serves, role)
		assert.Equal(t, want, got, role)
		assert.Equal(t, want.APIVersion, k.AskedIn(role, "x-treated-001"))
		assert.True(t, k.Ours(role)("x-treated-001", want), role)
		assert.False(t, k.Ours(role)("a stranger", want), role)
		assert.Contains(t, k.ShownAs(role, want), "x-treated-001")
		assert.Equal(t, []string{"/apis/" + want.APIVersion + "/gadgets"}, k.Owned(role))
	}
	assert.False(t, k.Ours(term.New)("x-treated-001", runtest.Gadget), "in a version that the release is not asked in")
	assert.True(t, k.AnyVersion("x-treated-001", v2))
	assert.Equal(t, []string{"v1", "v2"}, k.Versions())
}

// TestNotServed: a release that serves the kind in no version is not asked.
func TestNotServed(t *testing.T) {
	k := NewKnown(runtest.SmallPlan(t, runtest.Small))
	_, serves := k.Reached(term.Old, k.Plan.Manifests["treated.yaml"])
	assert.False(t, serves)
	assert.Empty(t, k.Owned(term.Old))
}

// TestChoose: a client that uses discovery uses the version that its release prefers.
func TestChoose(t *testing.T) {
	k := NewKnown(runtest.SmallPlan(t, runtest.Small))
	m := k.Plan.Manifests["treated.yaml"]
	k.ByRole[term.New] = Release{Said: history.Release{Preferred: map[string]string{"example.dev": "example.dev/v2"}}}
	assert.Equal(t, "example.dev/v2", k.Choose(plan.Step{Discovers: term.New}, m).APIVersion)
	assert.Empty(t, k.Choose(plan.Step{}, m).APIVersion)
}

// TestOwns: a run owns the keys in its namespace, and those of its cluster-scoped objects.
func TestOwns(t *testing.T) {
	k := NewKnown(runtest.SmallPlan(t, runtest.Small))
	for key, want := range map[string]bool{
		"/registry/gadgets/" + k.Plan.Namespace + "/anything":   true,
		"/registry/namespaces/" + k.Plan.Namespace:              true,
		"/registry/gadgets/" + k.Called("x-treated-001", false): true,
		"/registry/gadgets/another":                             false,
		"/registry/masterleases/127.0.0.1":                      false,
	} {
		assert.Equal(t, want, k.Owns(key), key)
	}
}

// TestPlanOfVersions: the versions that a release is asked about are those of manifests and
// of steps.
func TestPlanOfVersions(t *testing.T) {
	k := NewKnown(runtest.SmallPlan(t, runtest.Small+"- {get: x, apiVersion: example.dev/v9}\n"))
	assert.Equal(t, []string{"example.dev/v1", "example.dev/v9"}, k.GroupVersions())
}
