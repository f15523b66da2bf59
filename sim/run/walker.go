package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// workers is how many operations of a stage go on at once. Those of one copy
// wait for each other, and the order of others changes nothing; more than this only makes servers
// and simulator wait for the same cores.
const workers = 4

// walker is the state of one run.
type walker struct {
	convoy *convoy // what it shares with the runs of its journey
	config Config
	ctx    context.Context // the run's own
	cancel context.CancelCauseFunc
	turns  []plan.Step // those that start, replace and stop servers
	copies map[string]plan.Copy
	names  names
	acts   map[string][]plan.Step // by copy: the operations that it meets, in their order
	known  map[term.Role]known
	// followed are the gates that those of a whole stage were found to hang on.
	followed     map[term.Role]map[string]bool
	followedLock sync.Mutex // both releases are asked at once
	births       *births
	rehearsed    rehearsals
	declined     map[string]error // by manifest: why none of its copies is created
	created      sync.Map         // names of copies that exist
	seen         sync.Map         // by seenAs: the sight that it is
	pages        sync.Map         // by seenAs: the page that it is
	memory       *memory
	watches      *watches
	trials       *trialAhead // nil: not begun
	mergings     sync.Map    // by release and kind: func() client.Merging
}

// known is what a release said of itself.
type known struct {
	release history.Release
	schema  *schema.Schema
	types   *schema.Schema // of its clients, where it is another one: see typesOf
	// documents are the OpenAPI v3 documents by group version.
	documents map[string]json.RawMessage
	kinds     []client.ServedKind // all that it serves
	// others are the kinds in further versions, which only steps go through.
	others []history.Resource
}

// newWalker makes a run that shares nothing with others.
func newWalker(ctx context.Context, c Config, cancel context.CancelCauseFunc) *walker {
	return newConvoy(ctx, cancel).join(ctx, c, cancel)
}

func newMember(ctx context.Context, c Config, cancel context.CancelCauseFunc) *walker {
	w := &walker{
		config: c, ctx: ctx, cancel: cancel, copies: map[string]plan.Copy{}, acts: map[string][]plan.Step{},
		known: map[term.Role]known{}, followed: map[term.Role]map[string]bool{}, memory: newMemory(), births: newBirths(),
		rehearsed: rehearsals{term.Old: {}, term.New: {}}, declined: map[string]error{},
	}
	w.names.inside, w.names.outside = c.Plan.Names(true), c.Plan.Names(false)
	w.memory.askedIn = w.askedIn
	w.watches = newWatches(ctx, w)
	for _, specimen := range c.Plan.Copies {
		w.copies[specimen.Name] = specimen
		if specimen.Leg > 0 { // it is stored, whether or not a server shows it at once
			w.created.Store(specimen.Name, true)
		}
	}
	for _, stage := range c.Plan.Stages {
		for _, s := range stage.Steps {
			switch {
			case s.Action == plan.Operate && !s.Birth && s.Copy != "":
				w.acts[s.Copy] = append(w.acts[s.Copy], s)
			case movesServers(s):
				w.turns = append(w.turns, s)
			}
		}
	}
	return w
}

// kindOf names a kind in one version.
func kindOf(r history.Resource) string { return history.Follow(r.APIVersion, r.Kind) }

// record writes down what happened, and remembers what the run itself needs of it.
func (w *walker) record(r history.Record) error {
	w.memory.note(r)
	return w.config.History.Write(r)
}

// intend records a write before it is sent: a run that is killed meanwhile leaves its
// effect, and not its answer.
func (w *walker) intend(op history.Operation) error {
	intent := op.Intent()
	return w.record(history.Record{Intent: &intent})
}

// stage plays one stage: its steps in order, neighbouring operations at once.
func (w *walker) stage(ctx context.Context, index int, s plan.Stage) error {
	w.config.Progress.Stage(s)
	if err := w.record(history.Record{Stage: &history.Stage{Index: index, Name: s.Name}}); err != nil {
		return err
	}
	if err := w.convoy.enter(ctx, w, index); err != nil {
		return err
	}
	for begin := 0; begin < len(s.Steps); {
		end := begin + 1
		for end < len(s.Steps) && overlap(s.Steps[begin], s.Steps[end]) {
			end++
		}
		w.tryAhead(ctx, s.Steps[begin:])
		if err := w.group(ctx, index, s.Steps[begin:end]); err != nil {
			return err
		}
		if err := w.foresee(w.convoy.fleet.ctx); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// overlap tells whether two neighbouring steps may overlap. An operation
// never overlaps the creates before it: its copy must exist. Trials have
// servers of their own, so that the replicas can end beside them.
func overlap(a, b plan.Step) bool {
	return a.Action == plan.Trial && b.Action == plan.Stop || a.Action == b.Action && (a.Action == plan.Start || a.Action == plan.Operate) &&
		a.Birth == b.Birth
}

func (w *walker) group(ctx context.Context, stage int, steps []plan.Step) error {
	outcomes := newTeller(w.config.Progress, steps)
	leave, err := w.convoy.takeFloor(ctx, steps)
	if err != nil {
		return err
	}
	defer leave()
	defer w.convoy.pace.group(steps)()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	queue := newQueue(steps)
	for i, step := range steps {
		group.Go(func() error {
			defer queue.leave(i)
			return guarded(func() error {
				if err := queue.wait(ctx, i); err != nil {
					return err
				}
				outcome, err := w.step(ctx, stage, step)
				if err == nil {
					outcomes.tell(i, outcome)
				}
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return w.births.verdict()
}

// foresee has the servers of the next roll-out, or of the trials, executed when
// it is near.
func (w *walker) foresee(ctx context.Context) error {
	switch stage := w.convoy.pace.due(); {
	case stage < 0:
		return nil
	case stage == len(w.config.Plan.Stages):
		w.convoy.standBy(ctx)
		return nil
	default:
		return w.convoy.fleet.foresee(stage)
	}
}

func (w *walker) step(ctx context.Context, stage int, s plan.Step) (string, error) {
	switch s.Action {
	case plan.Start, plan.Replace, plan.Stop:
		return w.convoy.turn(ctx, w, stage, s)
	case plan.Prepare:
		return w.prepare(ctx, s)
	case plan.Rewrite:
		return w.rewrite(ctx, s)
	case plan.Observe:
		return w.observe(ctx, s)
	case plan.Watch:
		return w.watch(ctx, s)
	case plan.Attempt:
		return w.attempt(ctx, s)
	case plan.Trial:
		return w.tried(ctx, s)
	case plan.Operate:
		outcome, err := w.operate(ctx, s)
		w.convoy.pace.step()
		return outcome, errors.Join(err, w.foresee(w.convoy.fleet.ctx))
	}
	return "", fmt.Errorf("step %d: unknown action %q", s.Number, s.Action)
}

// recordChange writes down one change of the store.
func (w *walker) recordChange(c StoreChange) error {
	w.learnKey(c)
	envelope := storage.Describe(c.Value)
	change := &history.Change{
		Revision: c.Revision, Key: c.Key, Deleted: c.Deleted, Created: c.Created, Version: c.Version, Size: len(c.Value),
	}
	if !c.Deleted {
		change.Encoding, change.APIVersion, change.Kind = string(envelope.Encoding), envelope.APIVersion, envelope.Kind
		change.Provider, change.KeyName = envelope.Provider, envelope.Key
		change.Value, _ = w.config.History.Bytes(c.Value) // the writer keeps its first error
	}
	return w.record(history.Record{Change: change})
}

// teller passes on what steps came to in the plan's order, whatever order they
// ended in.
type teller struct {
	mu       sync.Mutex
	progress Progress
	steps    []plan.Step
	outcomes []*string
	next     int
}

func newTeller(p Progress, steps []plan.Step) *teller {
	return &teller{progress: p, steps: steps, outcomes: make([]*string, len(steps))}
}

func (t *teller) tell(i int, outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes[i] = &outcome
	for t.next < len(t.steps) && t.outcomes[t.next] != nil {
		t.progress.Step(t.steps[t.next], *t.outcomes[t.next])
		t.next++
	}
}
