package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestPace: servers are executed when what is left to play takes no longer than
// they need, by the pace so far.
func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		pace *Pace
		want int
	}{
		"nothing played, little left": {&Pace{next: 3, left: 200}, 3},
		"nothing played, much left":   {&Pace{next: 3, left: 400}, -1},
		"fast":                        {&Pace{next: 3, left: 2000, played: 950, took: 500 * time.Millisecond}, 3},
		"slow":                        {&Pace{next: 3, left: 200, played: 50, took: 10 * time.Second}, -1},
		"an edge in between":          {&Pace{next: 3, edges: 1, edge: 4 * time.Second}, -1},
		"only the edge that goes on":  {&Pace{next: 3, edge: 4 * time.Second}, 3},
		"servers are slow to serve":   {&Pace{next: 3, turns: true, turn: 20 * time.Second}, -1},
		"slow servers serve":          {&Pace{next: 3, turn: 20 * time.Second}, 3},
		"no roll-out follows":         {&Pace{next: -1}, -1},
	} {
		assert.Equal(t, c.want, c.pace.Due(), name)
	}
}

// TestPaceCounts: what is left are the operations up to the next roll-out, and the objects that
// attempts try before it: one of each manifest, until an attempt says how many they are.
func TestPaceCounts(t *testing.T) {
	small := runtest.SmallPlan(t, runtest.Small)
	count := func(from, to int) (n int) {
		for _, stage := range small.Stages[from:to] {
			for _, s := range stage.Steps {
				switch s.Action {
				case plan.Operate:
					n++
				case plan.Attempt:
					n += 2 * triedAs
				}
			}
		}
		return n
	}
	for stage, next := range []int{1, 3, 3, 5, 5, 7, 7} {
		var p Pace
		p.Enter(stage, small)
		assert.Equal(t, next, p.next, stage)
		left := count(stage, next)
		if stage == 0 { // only one of the manifests has a copy by then
			left -= triedAs
		}
		assert.Equal(t, left, p.left, stage)
		p.Step()
		assert.Equal(t, left-1, p.left, stage)
		p.Tried()
		assert.Equal(t, left-1-triedAs, p.left, stage)
		assert.Equal(t, 1+triedAs, p.played, stage)
	}
	var p Pace
	p.Enter(0, small)
	before := p.left
	p.Trying(small, 0, 5)
	assert.Equal(t, before+4*triedAs, p.left)
}

// TestPaceTurns: a stage waits for its servers until their group has ended, as long as those before took.
func TestPaceTurns(t *testing.T) {
	small := runtest.SmallPlan(t, runtest.Small)
	var p Pace
	for stage := range small.Stages {
		p.Enter(stage, small)
		moves := slices.DeleteFunc(slices.Clone(small.Stages[stage].Steps), func(s plan.Step) bool { return !startsServer(s) })
		assert.Equal(t, len(moves) > 0, p.turns, "stage %d", stage)
		if len(moves) > 0 {
			p.Group(moves)()
			assert.Positive(t, p.turn)
		}
		assert.False(t, p.turns, "stage %d", stage)
	}
}
