package fleet

import (
	"slices"

	"github.com/skewsim/skewsim/sim/plan"
)

// moves returns the steps that start servers of the roll-out that begins with the stage.
func moves(p *plan.Plan, stage int) (all []plan.Step) {
	for i := stage; i < len(p.Stages) && (i == stage || !begins(p, i)); i++ {
		for _, s := range p.Stages[i].Steps {
			if startsServer(s) {
				all = append(all, s)
			}
		}
	}
	return all
}

func startsServer(s plan.Step) bool { return s.Action == plan.Replace || s.Action == plan.Start }

// begins reports whether a roll-out begins with the stage: upgrades and rollbacks take turns.
func begins(p *plan.Plan, stage int) bool {
	return stage > 0 && p.Stages[stage].Rollout != p.Stages[stage-1].Rollout
}

// operationsOf returns how many operations a stage has.
func operationsOf(p *plan.Plan, stage int) (n int) {
	for _, s := range p.Stages[stage].Steps {
		if s.Action == plan.Operate {
			n++
		}
	}
	return n
}

// triedIn estimates how many objects the attempt of a stage tries: one of each manifest whose copies
// exist by then; 0 if the stage has no attempt.
func triedIn(p *plan.Plan, stage int) int {
	tried := func(s plan.Step) bool { return s.Action == plan.Attempt }
	if !slices.ContainsFunc(p.Stages[stage].Steps, tried) {
		return 0
	}
	born := map[string]bool{}
	for _, s := range p.Stages[:stage+1] {
		for _, step := range s.Steps {
			if step.Birth {
				born[step.Copy] = true
			}
		}
	}
	manifests := map[string]bool{}
	for _, c := range p.Copies {
		if born[c.Name] {
			manifests[c.Manifest] = true
		}
	}
	return len(manifests)
}
