package run

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fromfile "github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// legPlan is a later leg, on the way back, that adopts one copy and rewrites it at its end.
func legPlan(t *testing.T) *plan.Plan {
	t.Helper()
	s, err := fromfile.FS(fstest.MapFS{
		"small.yaml":     {Data: []byte("name: small\nabout: x\nobjects: {x: {bystander: bystander.yaml}}\nplay:\n- {create: x, via: new}\n")},
		"bystander.yaml": {Data: []byte(`{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 2}}`)},
	}, "small.yaml")
	require.NoError(t, err)
	carried := plan.Copy{Name: "x-l01-untouched-001", Object: "x", Role: term.Untouched, Manifest: "bystander.yaml", Leg: 1}
	p, err := plan.BuildLeg(s, plan.Pair{Old: "gadgets@v1", New: "gadgets@v2"}, 0,
		plan.Hop{Number: 2, Back: true, Rewrite: true, Carried: []plan.Carried{{Copy: carried}}})
	require.NoError(t, err)
	return p
}

// TestRewritesWhatWasNotShown: a copy that the leg's first release does not show is stored
// all the same. It is rewritten with all others, or the next release back would be blamed
// for its stored form.
func TestRewritesWhatWasNotShown(t *testing.T) {
	p := legPlan(t)
	w := runtest.NewWorld(t)
	w.Answer = func(place, method, path string) (int, string) {
		switch {
		case path != runtest.Collection+"/x-l01-untouched-001":
			return 0, ""
		case place != "a-2" && place != "b-2":
			return 404, `{"kind":"Status","reason":"NotFound"}`
		}
		return 200, `{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"name":"x-l01-untouched-001","resourceVersion":"1"},"spec":{"size":2}}`
	}
	c := config(t, w, p)
	require.NoError(t, Run(runtest.Bounded(t), c))
	h := load(t, c)
	assert.Empty(t, h.Skips)
	var asked []int
	for _, op := range h.Operations {
		if op.Copy == "x-l01-untouched-001" && op.Purpose == history.Act {
			asked = append(asked, op.Exchange.Code)
		}
	}
	assert.Equal(t, []int{404, 200}, asked, "to take it over, and to write it again")
}
