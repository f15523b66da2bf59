package plan

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
)

// addFollowed adds a cell with what follows it. Each way of going on is one more
// copy of each form: no two ways meet the same one. A cell whose follow-ups its
// stage cannot play is not played either, for it would show less than the line says.
// It is told, whether or not the line names the stage.
func (b *builder) addFollowed(index int, line scenarios.Line, c cell) {
	ways, reason := b.follows(index, line, c.stage)
	if reason != "" {
		b.skip(c, reason)
	}
	for _, way := range ways {
		b.addOperation(c, way)
	}
}

// follows are the ways in which the line's copies go on at a stage, one where
// nothing follows; or why the stage cannot play them.
func (b *builder) follows(index int, line scenarios.Line, stage int) (ways [][]Step, reason string) {
	ways = [][]Step{nil}
	for i, next := range line.Then {
		at := fmt.Sprintf("play[%d].then[%d]", index, i)
		next.At = []string{b.plan.Stages[stage].Name}
		steps, why := playable(b.cellsAt(at, next))
		if len(steps) == 0 {
			return nil, fmt.Sprintf("then[%d] cannot be played there: %s", i, why)
		}
		var longer [][]Step
		for _, way := range ways {
			for _, s := range steps {
				s.Follows = true
				longer = append(longer, append(slices.Clone(way), s))
			}
		}
		ways = longer
	}
	return ways, ""
}

// playable are the steps of cells that can be played, and why the last other cannot.
func playable(cells []cell) (steps []Step, why string) {
	for _, c := range cells {
		if c.skip != nil {
			why = c.skip.Reason
			continue
		}
		steps = append(steps, c.step)
	}
	return steps, why
}

// addAfter has a copy meet further steps at a stage, when all operations have
// begun: a copy's own wait for each other.
func (b *builder) addAfter(stage int, copy string, follows []Step) {
	for i, s := range follows {
		s.Copy = copy
		if len(b.after[stage]) == i {
			b.after[stage] = append(b.after[stage], nil)
		}
		b.after[stage][i] = append(b.after[stage][i], s)
	}
}
