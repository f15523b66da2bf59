package reports

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// lane is one replica's way through the stages.
type lane struct {
	Replica string
	Spans   []span
}

// span is a replica in one stage.
type span struct {
	Role    term.Role
	Version string
	Moved   bool   // it was started, or replaced, as the stage began
	Note    string // how long it took to be ready, or how it died
	Died    bool
}

// lanes draws each replica's releases by stage.
func lanes(r Run) []lane {
	versions := map[term.Role]string{}
	for _, b := range r.Result.Builds {
		versions[b.Role] = firstOf(b.Version, b.Reference)
	}
	drawn := make([]lane, len(r.Plan.Replicas))
	for i, replica := range r.Plan.Replicas {
		drawn[i].Replica = replica
		for _, stage := range r.Plan.Stages {
			drawn[i].Spans = append(drawn[i].Spans, spanOf(stage, replica, versions, r.Servers))
		}
	}
	return drawn
}

// spanOf draws one replica in one stage.
func spanOf(stage plan.Stage, replica string, versions map[term.Role]string, events []history.Server) span {
	var s span
	for _, at := range stage.Replicas {
		if at.Replica == replica {
			s.Role, s.Version = at.Role, versions[at.Role]
		}
	}
	for _, step := range stage.Steps {
		if step.Replica == replica && (step.Action == plan.Start || step.Action == plan.Replace) {
			s.Moved = true
		}
	}
	for _, e := range events {
		if e.Replica == replica && within(stage, e.Step) {
			s.tell(e)
		}
	}
	return s
}

// tell notes an event that the reader of a timeline looks for.
func (s *span) tell(e history.Server) {
	switch {
	case e.Event == history.Died:
		s.Died, s.Note = true, "died in step "+fmt.Sprint(e.Step)
		if e.Message != "" {
			s.Note += ": " + e.Message
		}
	case e.Event == history.Ready && !s.Died:
		s.Note = "ready after " + seconds(e.Seconds)
	}
}

// within tells whether a step belongs to the stage.
func within(stage plan.Stage, step int) bool {
	for _, s := range stage.Steps {
		if s.Number == step {
			return true
		}
	}
	return false
}
