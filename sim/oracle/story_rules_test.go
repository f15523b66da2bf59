package oracle_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// More of what a story can tell: dry runs, watches, trials, and servers that
// end by themselves.

// controlled begins a story with two control copies of which the first is
// touched at stage old, by a merge patch of an old-typed client; the upgrade
// has then begun.
func controlled(t *testing.T, options ...option) *story {
	s := tell(t)
	s.create("control-1", plainSpec, by(term.OldTyped))
	s.create("control-2", plainSpec, by(term.OldTyped), via("b"))
	s.patch("control-1", append([]option{by(term.OldTyped)}, options...)...) // step 4
	s.stage("upgrading 1/2", term.New, term.Old)
	return s // step 5
}

const plainSpec = `{"colour": "red", "size": "1"}`

// attempt tries every write of the copies through both replicas.
func (s *story) attempt(names ...string) int {
	number := s.step(plan.Step{Action: plan.Attempt})
	for _, name := range names {
		for _, replica := range s.servers() {
			for _, try := range term.Attempts() {
				s.h.Operations = append(s.h.Operations, history.Operation{
					Step: number, Copy: name, Purpose: history.Try, Replica: replica, Role: s.serving[replica], Attempt: try.Word,
					Exchange: s.attempted(name, replica, try.Word),
				})
			}
		}
	}
	return number
}

// tried is a try of a step, for a test to bend.
func (s *story) tried(step int, name, replica string, what term.Attempt) *history.Operation {
	s.t.Helper()
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step && op.Copy == name && op.Replica == replica && op.Attempt == what {
			return op
		}
	}
	s.t.Fatalf("step %d has no %s of %s through %s", step, what, name, replica)
	return nil
}

// watch opens a WATCH of the widgets through a replica.
func (s *story) watch(replica string) *watching {
	w := &watching{s: s, record: history.Watch{
		Step: s.step(plan.Step{Action: plan.Watch}), Replica: replica, Role: s.serving[replica], APIVersion: "example.dev/v1", Kind: "Widget",
	}, from: s.head}
	w.tell(history.WatchOpened, "", s.head)
	return w
}

// watching is a WATCH that is being recorded.
type watching struct {
	s      *story
	record history.Watch
	from   int64
}

func (w *watching) tell(event history.WatchEvent, name string, revision int64) {
	r := w.record
	r.Event, r.Copy, r.Revision = event, name, revision
	w.s.h.Watches = append(w.s.h.Watches, r)
}

// catchUp sends what the store took in since, but for some revisions.
func (w *watching) catchUp(but ...int64) *watching {
	for _, c := range w.s.h.Changes {
		if c.Revision <= w.from || slices.Contains(but, c.Revision) {
			continue
		}
		event := history.WatchModified
		if c.Deleted {
			event = history.WatchDeleted
		}
		w.tell(event, c.Key[len("/example/"):], c.Revision)
	}
	w.from = w.s.head
	return w
}

func (w *watching) close() { w.tell(history.WatchClosed, "", 0) }

// fails ends the watch with an error event.
func (w *watching) fails(code int, message string) {
	w.tell(history.WatchError, "", 0)
	last := &w.s.h.Watches[len(w.s.h.Watches)-1]
	last.Code, last.Message = code, message
}

// trial lets both releases read everything stored now, on a scratch store.
func (s *story) trial() int {
	number := s.step(plan.Step{Action: plan.Trial})
	for _, role := range []term.Role{term.Old, term.New} {
		s.h.Trials = append(s.h.Trials, history.Trial{Step: number, Role: role, Trial: history.TrialStart, Values: len(s.stored), Seconds: 2})
		for _, name := range slices.Sorted(maps.Keys(s.stored)) {
			s.h.Trials = append(s.h.Trials, history.Trial{
				Step: number, Role: role, Trial: history.TrialGet, APIVersion: "example.dev/v1", Kind: "Widget", Copy: name,
				Revision: s.revision[name], Code: 200, Answer: s.blob(s.served(name, role)),
			})
		}
		for _, kind := range []history.TrialKind{history.TrialList, history.TrialWatch} {
			s.h.Trials = append(s.h.Trials, history.Trial{
				Step: number, Role: role, Trial: kind, APIVersion: "example.dev/v1", Kind: "Widget", Values: len(s.stored), Code: 200,
			})
		}
	}
	return number
}

// trialOf is a trial, for a test to bend; of a GET with the copy's name.
func (s *story) trialOf(kind history.TrialKind, role term.Role, name string) *history.Trial {
	s.t.Helper()
	for i := range s.h.Trials {
		if t := &s.h.Trials[i]; t.Trial == kind && t.Role == role && t.Copy == name {
			return t
		}
	}
	s.t.Fatalf("no %s of %s by %s", kind, name, role)
	return nil
}

// changeOf is the stored change at a copy's newest revision, for a test to bend.
func (s *story) changeOf(name string) *history.Change {
	s.t.Helper()
	for i := range s.h.Changes {
		if c := &s.h.Changes[i]; c.Revision == s.revision[name] {
			return c
		}
	}
	s.t.Fatalf("nothing is stored of %s", name)
	return nil
}

// probe is a dry run with an unknown field, after a step.
func (s *story) probe(step int, replica string, code int) {
	s.h.Operations = append(s.h.Operations, history.Operation{
		Step: step, Purpose: history.Probe, Replica: replica, Role: s.serving[replica],
		Exchange: history.Exchange{Method: "PATCH", Code: code, Message: "field not declared"},
	})
}

// dies ends a server in the step that was added last.
func (s *story) dies(replica string) {
	s.h.Servers = append(s.h.Servers, history.Server{
		Step: s.steps, Replica: replica, Role: s.serving[replica], Version: s.h.Releases[s.serving[replica]].Version,
		Event: history.Died, Message: "exit status 2",
	})
}

// stepOf changes a step of the plan.
func (s *story) stepOf(number int, change func(*plan.Step)) {
	for i := range s.h.Header.Plan.Stages {
		for j := range s.h.Header.Plan.Stages[i].Steps {
			if at := &s.h.Header.Plan.Stages[i].Steps[j]; at.Number == number {
				change(at)
			}
		}
	}
}
