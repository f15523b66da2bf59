package run

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestTeller: outcomes are reported in the plan's order, whatever order steps end in.
func TestTeller(t *testing.T) {
	steps := []plan.Step{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}
	want := []string{"1 o0", "2 o1", "3 o2", "4 o3"}
	for seed := range uint64(50) {
		p := &runtest.Progress{World: runtest.NewWorld(t)}
		tell := newTeller(p, steps)
		for i, end := range rand.New(rand.NewPCG(seed, 0)).Perm(len(steps)) {
			tell.tell(end, fmt.Sprintf("o%d", end))
			assert.LessOrEqual(t, len(p.Told), i+1)
		}
		assert.Equal(t, want, p.Told)
	}
	p := &runtest.Progress{World: runtest.NewWorld(t)}
	tell := newTeller(p, steps)
	var all sync.WaitGroup
	for i := range steps {
		all.Go(func() { tell.tell(i, fmt.Sprintf("o%d", i)) })
	}
	all.Wait()
	assert.Equal(t, want, p.Told)
}

// TestTellerWaits: outcomes after a step that has not ended are not reported.
func TestTellerWaits(t *testing.T) {
	p := &runtest.Progress{World: runtest.NewWorld(t)}
	tell := newTeller(p, []plan.Step{{Number: 1}, {Number: 2}})
	tell.tell(1, "x")
	assert.Empty(t, p.Told)
	tell.tell(0, "y")
	assert.Equal(t, []string{"1 y", "2 x"}, p.Told)
}

func TestTogether(t *testing.T) {
	start, replace := plan.Step{Action: plan.Start}, plan.Step{Action: plan.Replace}
	create, put := plan.Step{Action: plan.Operate, Verb: term.Create, Birth: true}, plan.Step{Action: plan.Operate, Verb: term.Put}
	get, observe := plan.Step{Action: plan.Operate, Verb: term.Get}, plan.Step{Action: plan.Observe}
	for _, c := range []struct {
		a, b plan.Step
		want bool
	}{
		{start, start, true},
		{create, create, true},
		{put, get, true},
		{create, put, false}, // the copy must exist
		{put, create, false},
		{replace, replace, false}, // replicas move one at a time
		{observe, observe, false},
		{start, observe, false},
		{observe, create, false},
		{put, observe, false},
	} {
		assert.Equal(t, c.want, overlap(c.a, c.b), "%+v %+v", c.a, c.b)
	}
}

func TestUnknownAction(t *testing.T) {
	w := newAlone(t.Context(), config(t, runtest.NewWorld(t), runtest.SmallPlan(t, runtest.Small)), nil)
	_, err := w.step(t.Context(), 0, plan.Step{Number: 4, Action: "dance"})
	assert.EqualError(t, err, `step 4: unknown action "dance"`)
	_, err = w.step(t.Context(), 0, plan.Step{Number: 5, Action: plan.Operate, Verb: term.Get, Copy: "c", Via: "z", ViaRole: "old", Client: "dynamic"})
	assert.EqualError(t, err, "step 5 (get c by dynamic, via z (old)): replica z: not running")
	_, err = w.step(t.Context(), 0, plan.Step{Number: 6, Action: plan.Prepare, Replica: "z"})
	assert.EqualError(t, err, "step 6: replica z: not running")
}
