package page

import (
	"fmt"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/plan"
)

// drawnSteps is how many steps a plan may have to be drawn whole. A longer one would be
// larger than the rest of the page; plan.txt has it.
const drawnSteps = 2000

// planned is one stage of the plan.
type planned struct {
	plan.Stage
	Count int
	Lines []planLine
}

// planLine is one step, or several operations in one line.
type planLine struct {
	Number int
	ID     string // the step's anchor; "" for several operations
	Text   string
}

// drawPlan draws every step, or for a long plan those that move replicas, read all copies,
// or are the step of a finding without a copy.
func drawPlan(r view.Run) []planned {
	all := 0
	for _, stage := range r.Plan.Stages {
		all += len(stage.Steps)
	}
	wanted := map[int]bool{}
	for _, f := range r.Result.Findings {
		if f.Copy == "" {
			wanted[f.Step] = true
		}
	}
	stages := make([]planned, len(r.Plan.Stages))
	for i, stage := range r.Plan.Stages {
		stages[i] = planned{Stage: stage, Count: len(stage.Steps)}
		stages[i].draw(func(s plan.Step) bool {
			return all <= drawnSteps || s.Action != plan.Operate || wanted[s.Number]
		})
	}
	return stages
}

// draw writes the wanted steps, and counts the others between them.
func (p *planned) draw(wanted func(plan.Step) bool) {
	from, n := 0, 0
	tell := func(until int) {
		if n > 0 {
			p.Lines = append(p.Lines, planLine{Number: from, Text: fmt.Sprintf("%d operations, to step %d: see the states, or plan.txt", n, until)})
			n = 0
		}
	}
	last := 0
	for _, s := range p.Steps {
		switch {
		case wanted(s):
			tell(last)
			p.Lines = append(p.Lines, planLine{s.Number, view.StepID(s.Number), sentence(s)})
		case n == 0:
			from, n = s.Number, 1
		default:
			n++
		}
		last = s.Number
	}
	tell(last)
}
