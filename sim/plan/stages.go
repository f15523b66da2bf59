package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// stages lays out the journey: which replica runs which release when, with the
// steps that start and replace replicas. Replicas move one at a time, a first.
func stages(journey []term.Rollout, replicas []string) []Stage {
	names := scenarios.StageNames(journey, len(replicas))
	first := Stage{Name: names[0]}
	role := scenarios.Begins(journey)
	for _, r := range replicas {
		first.Replicas = append(first.Replicas, ReplicaStage{r, role})
		first.Steps = append(first.Steps, Step{Action: Start, Replica: r, Role: role})
	}
	all := []Stage{first}
	for leg, rollout := range journey {
		moved := replicas
		switch {
		case rollout == term.Halt:
			continue
		case scenarios.Halts(journey, leg):
			moved = replicas[:len(replicas)-1]
		}
		for i, r := range moved {
			all = append(all, all[len(all)-1].replace(names[len(all)], rollout, i, r))
		}
	}
	return all
}

// replace is the stage that begins when replica r, the i-th, moves.
func (s Stage) replace(name string, rollout term.Rollout, i int, r string) Stage {
	to := term.New
	if rollout == term.Rollback {
		to = term.Old
	}
	next := Stage{Name: name, Rollout: rollout, Replicas: slices.Clone(s.Replicas)}
	next.Replicas[i].Role = to
	next.Steps = []Step{{Action: Replace, Replica: r, Role: to}}
	return next
}

// RoleOf returns the release that a replica runs during the stage.
func (s Stage) RoleOf(replica string) (term.Role, bool) {
	for _, r := range s.Replicas {
		if r.Replica == replica {
			return r.Role, true
		}
	}
	return "", false
}

// candidates are the replicas of the stage that a target names.
func (s Stage) candidates(t scenarios.Target) []ReplicaStage {
	var found []ReplicaStage
	for _, r := range s.Replicas {
		if string(t) == r.Replica || string(t) == string(r.Role) {
			found = append(found, r)
		}
	}
	return found
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}

// settled tells whether every replica runs the same release: no roll-out is
// half done.
func (s Stage) settled() bool {
	for _, r := range s.Replicas {
		if r.Role != s.Replicas[0].Role {
			return false
		}
	}
	return true
}
