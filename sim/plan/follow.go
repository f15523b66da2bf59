package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
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
	Step
	stage int
}

// follows are the ways in which the line's copies go on, one where nothing follows; or why the
// stages cannot play them. A line that follows is played at the stage of the line before it or, for each
// word of its key at, at the first later stage of that word which can play it: each word has copies of its
// own.
func (b *builder) follows(index int, line scenarios.Line, stage int) (all [][]followed, reason string) {
	ways := []way{{stage: stage}}
	for i, next := range line.Then {
		at := fmt.Sprintf("play[%d].then[%d]", index, i)
		var longer []way
		for _, w := range ways {
			more, why := b.goesOn(at, next, w)
			longer, reason = append(longer, more...), cmp.Or(reason, why)
		}
		if len(longer) == 0 {
			return nil, fmt.Sprintf("then[%d] cannot be played there: %s", i, reason)
		}
		ways = longer
	}
	for _, w := range ways {
		all = append(all, w.steps)
	}
	return all, ""
}

// way is how a copy goes on, up to a stage.
type way struct {
	steps []followed
	stage int
}

// goesOn returns the ways that a line gives one to go on; none: the reason.
func (b *builder) goesOn(at string, next scenarios.Line, w way) (longer []way, reason string) {
	played := map[int]bool{} // by stage: two words may name the same one
	var unplayed []Skip
	for i, stages := range laterStages(next, b.plan.Stages, w.stage) {
		steps, on, skipped := b.firstPlayable(at, next, stages)
		switch {
		case len(stages) == 0:
			reason = "it names no stage after the line before it"
		case len(steps) == 0:
			reason = lastReason(skipped)
		}
		b.unplayable.note(at, next, i, len(steps) > 0, reason)
		unplayed = append(unplayed, skipped...)
		if played[on] {
			continue
		}
		played[on] = len(steps) > 0
		for _, s := range steps {
			s.Follows = true
			longer = append(longer, way{append(slices.Clone(w.steps), followed{s, on}), on})
		}
	}
	if len(longer) > 0 {
		b.tell(unplayed)
	}
	return longer, reason
}

// unplayable are the words of the key at of lines that follow which no cell of the line could play so far,
// by place; nil once one could.
type unplayable map[string]*UnplayableStage

// UnplayableStage is a stage that a line names and that none of its copies can reach: the scenario would pass
// with what it was written for left out.
type UnplayableStage struct {
	At     string // its place in the file: play[1].then[0].at[0]
	Word   string // the stage, as the file has it
	Reason string
}

// UnplayableError reports the stages that lines name in vain.
type UnplayableError struct {
	File   string
	Stages []UnplayableStage
}

// Error has a line for each stage.
func (e *UnplayableError) Error() string {
	lines := make([]string, len(e.Stages))
	for i, s := range e.Stages {
		lines[i] = fmt.Sprintf("%s: %s: %s", e.File, s.At, s)
	}
	return strings.Join(lines, "\n")
}

// String returns the problem without its place.
func (s UnplayableStage) String() string {
	return fmt.Sprintf("%q can never be played: %s", s.Word, s.Reason)
}

func (u unplayable) note(at string, next scenarios.Line, word int, isPlayed bool, reason string) {
	if len(next.At) == 0 {
		return
	}
	place := fmt.Sprintf("%s.at[%d]", at, word)
	if before, known := u[place]; isPlayed || known && before == nil {
		u[place] = nil
		return
	}
	u[place] = &UnplayableStage{At: place, Word: next.At[word], Reason: reason}
}

func (u unplayable) err(file string) error {
	e := &UnplayableError{File: file}
	for _, place := range slices.Sorted(maps.Keys(u)) {
		if of := u[place]; of != nil {
			e.Stages = append(e.Stages, *of)
		}
	}
	if len(e.Stages) == 0 {
		return nil
	}
	return e
}

// firstPlayable returns the steps of a line at the first of the stages that can play it.
func (b *builder) firstPlayable(at string, line scenarios.Line, stages []int) (steps []Step, on int, skipped []Skip) {
	for _, on = range stages {
		line.At = []string{b.plan.Stages[on].Name}
		if steps, skipped = playable(b.cellsAt(at, line)); len(steps) > 0 {
			return steps, on, skipped
		}
	}
	return nil, on, skipped
}

// laterStages returns, for each word of a line's key at, the stages after another one that it names; that
// stage itself where the line names none.
func laterStages(line scenarios.Line, stages []Stage, after int) (all [][]int) {
	if len(line.At) == 0 {
		return [][]int{{after}}
	}
	for _, word := range line.At {
		line.At = []string{word}
		all = append(all, slices.DeleteFunc(meant(line, stages), func(i int) bool { return i <= after }))
	}
	return all
}

// playable are the steps of cells that can be played, and the others.
func playable(cells []cell) (steps []Step, skipped []Skip) {
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
func lastReason(skipped []Skip) string {
	if len(skipped) == 0 {
		return ""
	}
	return skipped[len(skipped)-1].Reason
}

// tell adds to what cannot be played, each once: many cells may go on alike.
func (b *builder) tell(skipped []Skip) {
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
