package oracletest

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// ReadInScratchStore records that a release reads a stored version of a copy in its scratch store.
func (s *Store) ReadInScratchStore(role term.Role, name string, revision int64) *history.Trial {
	i := slices.IndexFunc(s.History.Changes, func(c history.Change) bool { return c.Revision == revision && c.Key == "/example/"+name })
	if i < 0 {
		s.T.Fatalf("no change of %s at %d", name, revision)
	}
	o := s.Prune(role, s.History.Object(s.History.Changes[i].Value))
	o["metadata"].(Object)["resourceVersion"] = "4" // of the scratch store
	s.History.Trials = append(s.History.Trials, history.Trial{
		Role: role, Trial: history.TrialGet, APIVersion: o["apiVersion"].(string), Kind: o["kind"].(string), Copy: name,
		Key: s.History.Changes[i].Key, Value: s.History.Changes[i].Value, Revision: revision, Code: 200, Answer: s.Blob(o),
	})
	return &s.History.Trials[len(s.History.Trials)-1]
}

// ShowInWatch records an event of a WATCH that shows the stored version of a copy.
func (s *Store) ShowInWatch(event history.WatchEvent, role term.Role, name string) {
	o := s.Served(name, role)
	s.History.Watches = append(s.History.Watches, history.Watch{
		Step: 1, Replica: "a", Role: role, APIVersion: "example.dev/v1", Kind: "Widget", Event: event, Copy: name,
		Answer: s.Blob(o), Revision: s.Revisions[name],
	})
}

// DryRuns tries every write of the copies through both replicas, and returns the number of its
// step.
func (s *Store) DryRuns(names ...string) int {
	number := s.Step(plan.Step{Action: plan.Attempt})
	for _, name := range names {
		for _, replica := range s.Replicas() {
			for _, try := range term.Attempts() {
				s.History.Operations = append(s.History.Operations, history.Operation{
					Step: number, Copy: name, Purpose: history.Try, Replica: replica, Role: s.Serving[replica], Attempt: try.Word,
					Exchange: s.attempted(name, replica, try.Word),
				})
			}
		}
	}
	return number
}

// Watch opens a WATCH of the widgets through a replica.
func (s *Store) Watch(replica string) *WatchRecorder {
	w := &WatchRecorder{store: s, record: history.Watch{
		Step: s.Step(plan.Step{Action: plan.Watch}), Replica: replica, Role: s.Serving[replica], APIVersion: "example.dev/v1", Kind: "Widget",
	}, from: s.Head}
	w.Send(history.WatchOpened, "", s.Head)
	return w
}

// WatchRecorder records the events of a WATCH.
type WatchRecorder struct {
	store  *Store
	record history.Watch
	from   int64
}

// Send records an event.
func (w *WatchRecorder) Send(event history.WatchEvent, name string, revision int64) {
	r := w.record
	r.Event, r.Copy, r.Revision = event, name, revision
	w.store.History.Watches = append(w.store.History.Watches, r)
}

// CatchUp sends what was stored since, except some revisions.
func (w *WatchRecorder) CatchUp(but ...int64) *WatchRecorder {
	for _, c := range w.store.History.Changes {
		if c.Revision <= w.from || slices.Contains(but, c.Revision) {
			continue
		}
		event := history.WatchModified
		if c.Deleted {
			event = history.WatchDeleted
		}
		w.Send(event, c.Key[len("/example/"):], c.Revision)
	}
	w.from = w.store.Head
	return w
}

// Close ends the WATCH.
func (w *WatchRecorder) Close() { w.Send(history.WatchClosed, "", 0) }

// Fail ends the WATCH with an error event.
func (w *WatchRecorder) Fail(code int, message string) {
	w.Send(history.WatchError, "", 0)
	last := &w.store.History.Watches[len(w.store.History.Watches)-1]
	last.Code, last.Message = code, message
}

// ReadScratchStores lets both releases read everything that is stored, in scratch stores, and
// returns the number of its step.
func (s *Store) ReadScratchStores() int {
	number := s.Step(plan.Step{Action: plan.Trial})
	for _, role := range []term.Role{term.Old, term.New} {
		s.History.Trials = append(s.History.Trials, history.Trial{Step: number, Role: role, Trial: history.TrialStart, Values: len(s.Stored), Seconds: 2})
		for _, name := range slices.Sorted(maps.Keys(s.Stored)) {
			s.History.Trials = append(s.History.Trials, history.Trial{
				Step: number, Role: role, Trial: history.TrialGet, APIVersion: "example.dev/v1", Kind: "Widget", Copy: name,
				Revision: s.Revisions[name], Code: 200, Answer: s.Blob(s.Served(name, role)),
			})
		}
		for _, kind := range []history.TrialKind{history.TrialList, history.TrialWatch} {
			s.History.Trials = append(s.History.Trials, history.Trial{
				Step: number, Role: role, Trial: kind, APIVersion: "example.dev/v1", Kind: "Widget", Values: len(s.Stored), Code: 200,
			})
		}
	}
	return number
}

// Observe LISTs the widgets through both replicas, as a run does at the end of a stage, and returns
// the number of its step.
func (s *Store) Observe() int {
	number := s.Step(plan.Step{Action: plan.Observe})
	for _, replica := range s.Replicas() {
		s.listWidgets(number, replica)
	}
	return number
}

// List is a LIST that a line of the scenario makes. It returns the number of its step.
func (run *Run) List(replica string, options ...Option) int {
	a := run.Begin(term.ListAll, "", append(options, Via(replica)))
	run.listWidgets(a.Step.Number, replica)
	x := history.Exchange{Method: "GET", Code: a.code, Message: a.message, Warnings: a.warnings}
	if !x.Succeeded() {
		l := run.Listing(a.Step.Number, replica)
		l.Exchange, l.Items = x, nil
	}
	run.Record(a, history.Act, replica, x)
	return a.Step.Number
}

func (s *Store) listWidgets(step int, replica string) {
	l := history.Listing{
		Step: step, Replica: replica, Role: s.Serving[replica], APIVersion: "example.dev/v1", Kind: "Widget",
		Exchange: history.Exchange{Method: "GET", Code: 200},
	}
	for _, name := range slices.Sorted(maps.Keys(s.Stored)) {
		if s.Stored[name]["kind"] == "Widget" {
			l.Items = append(l.Items, history.Item{Copy: name, Revision: s.Revisions[name], Answer: s.Blob(s.Served(name, l.Role))})
		}
	}
	s.History.Listings = append(s.History.Listings, l)
}

// Look GETs the copy of a call through both replicas.
func (s *Store) Look(a *Call) {
	if s.Unobserved {
		return
	}
	for _, replica := range s.Replicas() {
		x := history.Exchange{Method: "GET", Code: 404, Message: a.Step.Copy + " not found"}
		if s.Stored[a.Step.Copy] != nil {
			x = history.Exchange{Method: "GET", Code: 200, Revision: s.Revisions[a.Step.Copy], Answer: s.Blob(s.Served(a.Step.Copy, s.Serving[replica]))}
		}
		s.Record(a, history.Look, replica, x)
	}
}
