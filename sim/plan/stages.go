package plan

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// stages lays out the journey: which replica runs which release when, with the
// steps that start, replace and stop replicas. Replicas move one at a time, a first; with
// surge, each replica keeps its release, and joins and leaves.
func stages(journey []term.Rollout, replicas []string, surge, programs bool) []Stage {
	if surge {
		return surges(journey, replicas)
	}
	names := scenarios.StageNames(journey, len(replicas), programs)
	all := []Stage{first(names[0], scenarios.Begins(journey), replicas)}
	if programs {
		all[0].Steps = append(all[0].Steps, Step{Action: Program, Role: scenarios.Begins(journey)})
	}
	for leg, rollout := range journey {
		moved := replicas
		switch {
		case rollout == term.Halt:
			continue
		case !scenarios.MovesServers(rollout):
			moved = nil
		case scenarios.Halts(journey, leg):
			moved = replicas[:len(replicas)-1]
		}
		begun := len(all)
		for i, r := range moved {
			all = append(all, replace(all[len(all)-1], names[len(all)], rollout, i, r))
		}
		if programs {
			all = moveProgram(all, begun, names, journey, leg)
		}
	}
	return all
}

// moveProgram adds the steps that move the program in a leg whose stages begin at begun: after new
// definitions, in stages of its own, and before old ones.
func moveProgram(all []Stage, begun int, names []string, journey []term.Rollout, leg int) []Stage {
	rollout, before := journey[leg], scenarios.ProgramBefore(journey, leg)
	stay := func(s Step) { // the servers stay as they are
		next := Stage{Name: names[len(all)], Rollout: rollout, Replicas: slices.Clone(all[len(all)-1].Replicas), Steps: []Step{s}}
		all = append(all, next)
	}
	switch {
	case scenarios.InParts(journey, leg):
		stay(Step{Action: Program})
		stay(Step{Action: Program, Role: term.New})
	case rollout == term.Forgotten:
		stay(Step{Action: Program, Role: term.New})
	case rollout == term.ProgramRollback:
		stay(Step{Action: Program, Role: term.Old})
	case rollout == term.Rollback && before == term.New:
		first := &all[begun]
		first.Steps = slices.Insert(first.Steps, 0, Step{Action: Program, Role: term.Old})
	}
	return all
}

// surges lays out a journey of two replicas, one for each release.
func surges(journey []term.Rollout, replicas []string) []Stage {
	names := scenarios.StageNames(journey, len(replicas), false)
	all := []Stage{first(names[0], scenarios.Begins(journey), replicas[:1])}
	for leg, rollout := range journey {
		if rollout == term.Halt {
			continue
		}
		before := all[len(all)-1].Replicas[0]
		next := ReplicaStage{Replica: replicas[(leg+1)%2], Role: target(rollout)}
		both := []ReplicaStage{before, next}
		slices.SortFunc(both, func(a, b ReplicaStage) int { return strings.Compare(a.Replica, b.Replica) })
		all = append(all, Stage{Name: names[len(all)], Rollout: rollout, Replicas: both,
			Steps: []Step{{Action: Start, Replica: next.Replica, Role: next.Role}}})
		if !scenarios.Halts(journey, leg) {
			all = append(all, Stage{Name: names[len(all)], Rollout: rollout, Replicas: []ReplicaStage{next},
				Steps: []Step{{Action: Stop, Replica: before.Replica}}})
		}
	}
	return all
}

// first is the stage in which the replicas start.
func first(name string, role term.Role, replicas []string) Stage {
	s := Stage{Name: name}
	for _, r := range replicas {
		s.Replicas = append(s.Replicas, ReplicaStage{Replica: r, Role: role})
		s.Steps = append(s.Steps, Step{Action: Start, Replica: r, Role: role})
	}
	return s
}

// target is the release that a roll-out leads to.
func target(rollout term.Rollout) term.Role {
	if rollout == term.Rollback {
		return term.Old
	}
	return term.New
}

// replace is the stage that begins when replica r, the i-th, moves.
func replace(s Stage, name string, rollout term.Rollout, i int, r string) Stage {
	to := target(rollout)
	next := Stage{Name: name, Rollout: rollout, Replicas: slices.Clone(s.Replicas)}
	next.Replicas[i].Role = to
	next.Steps = []Step{{Action: Replace, Replica: r, Role: to}}
	return next
}

// HasPrograms reports whether a program may run beside the servers.
func (p *Plan) HasPrograms() bool { return p.Releases[0].Program != "" } // both releases have one file

// ProgramAt returns the release whose program runs during a stage, by the stage's name; "" where none runs. It
// reports whether the plan moves programs at all by then.
func (p *Plan) ProgramAt(stage string) (role term.Role, moves bool) {
	for _, s := range p.Stages {
		for _, step := range s.Steps {
			if step.Action == Program {
				role, moves = step.Role, true
			}
		}
		if s.Name == stage {
			return role, moves
		}
	}
	return "", false
}

// HasNoProgram reports whether the plan lets no program run during a stage, by its name.
func (p *Plan) HasNoProgram(stage string) bool {
	role, moves := p.ProgramAt(stage)
	return moves && role == ""
}

// candidates are the replicas of the stage that a target names.
func candidates(s Stage, t scenarios.Target) []ReplicaStage {
	var found []ReplicaStage
	for _, r := range s.Replicas {
		if string(t) == r.Replica || string(t) == string(r.Role) {
			found = append(found, r)
		}
	}
	return found
}

// settled reports whether every replica runs the same release: no roll-out is half done.
func settled(s Stage) bool {
	for _, r := range s.Replicas {
		if r.Role != s.Replicas[0].Role {
			return false
		}
	}
	return true
}
