package planner

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// stages lays out the journey: which replica runs which release when, with the
// steps that start and replace replicas. Replicas move one at a time, a first.
func stages(journey []term.Rollout, replicas []string) []plan.Stage {
	names := scenarios.StageNames(journey, len(replicas))
	first := plan.Stage{Name: names[0]}
	role := scenarios.Begins(journey)
	for _, r := range replicas {
		first.Replicas = append(first.Replicas, plan.ReplicaStage{Replica: r, Role: role})
		first.Steps = append(first.Steps, plan.Step{Action: plan.Start, Replica: r, Role: role})
	}
	all := []plan.Stage{first}
	for leg, rollout := range journey {
		moved := replicas
		switch {
		case rollout == term.Halt:
			continue
		case scenarios.Halts(journey, leg):
			moved = replicas[:len(replicas)-1]
		}
		for i, r := range moved {
			all = append(all, replace(all[len(all)-1], names[len(all)], rollout, i, r))
		}
	}
	return all
}

// replace is the stage that begins when replica r, the i-th, moves.
func replace(s plan.Stage, name string, rollout term.Rollout, i int, r string) plan.Stage {
	to := term.New
	if rollout == term.Rollback {
		to = term.Old
	}
	next := plan.Stage{Name: name, Rollout: rollout, Replicas: slices.Clone(s.Replicas)}
	next.Replicas[i].Role = to
	next.Steps = []plan.Step{{Action: plan.Replace, Replica: r, Role: to}}
	return next
}

// candidates are the replicas of the stage that a target names.
func candidates(s plan.Stage, t scenarios.Target) []plan.ReplicaStage {
	var found []plan.ReplicaStage
	for _, r := range s.Replicas {
		if string(t) == r.Replica || string(t) == string(r.Role) {
			found = append(found, r)
		}
	}
	return found
}

// settled reports whether every replica runs the same release: no roll-out is half done.
func settled(s plan.Stage) bool {
	for _, r := range s.Replicas {
		if r.Role != s.Replicas[0].Role {
			return false
		}
	}
	return true
}
