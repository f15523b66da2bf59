package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/plan"
)

// TestPace: servers are executed when what is left to play takes no longer than
// they need, by the pace so far.
func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		pace *pace
		want int
	}{
		"nothing played, little left": {&pace{next: 3, left: 200}, 3},
		"nothing played, much left":   {&pace{next: 3, left: 400}, -1},
		"fast":                        {&pace{next: 3, left: 2000, played: 950, took: 500 * time.Millisecond}, 3},
		"slow":                        {&pace{next: 3, left: 200, played: 50, took: 10 * time.Second}, -1},
		"an edge in between":          {&pace{next: 3, edges: 1, edge: 4 * time.Second}, -1},
		"only the edge that goes on":  {&pace{next: 3, edge: 4 * time.Second}, 3},
		"no roll-out follows":         {&pace{next: -1}, -1},
	} {
		assert.Equal(t, c.want, c.pace.due(), name)
	}
}

// TestPaceCounts: what is left are the operations up to the next roll-out.
func TestPaceCounts(t *testing.T) {
	small := smallPlan(t, small)
	count := func(from, to int) (n int) {
		for _, stage := range small.Stages[from:to] {
			for _, s := range stage.Steps {
				if s.Action == plan.Operate {
					n++
				}
			}
		}
		return n
	}
	for stage, next := range []int{1, 3, 3, 5, 5, 7, 7} {
		var p pace
		p.enter(stage, small)
		assert.Equal(t, next, p.next, stage)
		assert.Equal(t, count(stage, next), p.left, stage)
		p.step()
		assert.Equal(t, count(stage, next)-1, p.left, stage)
	}
}
