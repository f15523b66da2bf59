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
	ways   [][]plan.Step
	reason string
}

// follows are the ways in which the line's copies go on at a stage, one where
// nothing follows; or why the stage cannot play them.
func (b *builder) follows(index int, line scenarios.Line, stage int) (ways [][]plan.Step, reason string) {
	ways = [][]plan.Step{nil}
	for i, next := range line.Then {
		at := fmt.Sprintf("play[%d].then[%d]", index, i)
		next.At = []string{b.plan.Stages[stage].Name}
		steps, skipped := playable(b.cellsAt(at, next))
		if len(steps) == 0 {
			return nil, fmt.Sprintf("then[%d] cannot be played there: %s", i, lastReason(skipped))
		}
		b.tell(skipped)
		ways = lengthen(ways, steps)
	}
	return ways, ""
}

// lengthen lets each way go on with each of the steps.
func lengthen(ways [][]plan.Step, steps []plan.Step) (longer [][]plan.Step) {
	for _, way := range ways {
		for _, s := range steps {
			s.Follows = true
			longer = append(longer, append(slices.Clone(way), s))
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

// addAfter has a copy meet further steps at a stage, when all operations have
// begun: a copy's own wait for each other.
func (b *builder) addAfter(stage int, copy string, follows []plan.Step) {
	for i, s := range follows {
		s.Copy = copy
		if len(b.after[stage]) == i {
			b.after[stage] = append(b.after[stage], nil)
		}
		b.after[stage][i] = append(b.after[stage][i], s)
	}
}
