package planner

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/plan"
)

// addFollowed adds a cell with the lines that follow it. Each combination of follow-up lines
// has one more copy of each form: no two meet the same copy. A cell whose follow-up lines its
// stage cannot play is not played either, because it would show less than the line says. It is
// reported, whether or not the line names the stage.
func (b *builder) addFollowed(index int, line scenarios.Line, c cell) {
	key := lineAt{index, c.stage}
	on, known := b.ways[key]
	if !known {
		on.ways, on.reason = b.follows(index, line, c.stage)
		b.ways[key] = on
	}
	if on.reason != "" {
		b.skip(c, on.reason)
	}
	for _, way := range on.ways {
		b.addOperation(c, way)
	}
}

// lineAt is a line, by its place in play, at a stage.
type lineAt struct{ index, stage int }

// goingOn are the combinations of follow-up steps, or why there are no such combinations.
type goingOn struct {
	ways   [][]followed
	reason string
}

// followed is a step that follows another one, at its stage.
type followed struct {
	plan.Step
	stage int
}

// follows are the ways in which the line's copies go on, one where nothing follows; or why the
// stages cannot play them. A line that follows is played at the line's own stage, or at the
// later one that it names.
func (b *builder) follows(index int, line scenarios.Line, stage int) (ways [][]followed, reason string) {
	ways = [][]followed{nil}
	for i, next := range line.Then {
		at, on := fmt.Sprintf("play[%d].then[%d]", index, i), stage
		if len(next.At) > 0 {
			if on = laterStage(next, b.plan.Stages, stage); on < 0 {
				return nil, fmt.Sprintf("then[%d] names no stage after it", i)
			}
		}
		next.At = []string{b.plan.Stages[on].Name}
		steps, skipped := playable(b.cellsAt(at, next))
		if len(steps) == 0 {
			return nil, fmt.Sprintf("then[%d] cannot be played there: %s", i, lastReason(skipped))
		}
		b.tell(skipped)
		ways, stage = lengthen(ways, steps, on), on
	}
	return ways, ""
}

// laterStage returns the first stage after another one that a line names; -1: none.
func laterStage(line scenarios.Line, stages []plan.Stage, after int) int {
	for _, i := range meant(line, stages) {
		if i > after {
			return i
		}
	}
	return -1
}

// lengthen lets each way go on with each of the steps.
func lengthen(ways [][]followed, steps []plan.Step, stage int) (longer [][]followed) {
	for _, way := range ways {
		for _, s := range steps {
			s.Follows = true
			longer = append(longer, append(slices.Clone(way), followed{s, stage}))
		}
	}
	return longer
}

// playable are the steps of cells that can be played, and the others.
func playable(cells []cell) (steps []plan.Step, skipped []plan.Skip) {
	for _, c := range cells {
		if c.skip != nil {
			skipped = append(skipped, *c.skip)
			continue
		}
		steps = append(steps, c.step)
	}
	return steps, skipped
}

// lastReason is why the last of some cells cannot be played.
func lastReason(skipped []plan.Skip) string {
	if len(skipped) == 0 {
		return ""
	}
	return skipped[len(skipped)-1].Reason
}

// tell adds to what cannot be played, each once: many cells may go on alike.
func (b *builder) tell(skipped []plan.Skip) {
	for _, s := range skipped {
		if !slices.Contains(b.plan.Skipped, s) {
			b.plan.Skipped = append(b.plan.Skipped, s)
		}
	}
}

// addAfter has a copy meet further steps, each at its stage when all operations of that stage have
// begun: a copy's own wait for each other.
func (b *builder) addAfter(copy string, follows []followed) {
	for i, f := range follows {
		f.Copy = copy
		for len(b.after[f.stage]) <= i {
			b.after[f.stage] = append(b.after[f.stage], nil)
		}
		b.after[f.stage][i] = append(b.after[f.stage][i], f.Step)
	}
}
