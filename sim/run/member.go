package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/act"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
	"github.com/skewsim/skewsim/sim/run/precheck"
)

// member is one of the runs that share a fleet of servers, or a single run with a fleet of
// its own.
type member struct {
	shared   *shared
	config   Config
	ctx      context.Context // the run's own
	cancel   context.CancelCauseFunc
	turns    []plan.Step // the steps that start, replace and stop servers
	known    *fleet.Known
	options  *fleet.Options
	recorder *observe.Recorder
	watches  *observe.Watches
	lists    *observe.Lists
	precheck *precheck.Precheck
	actor    *act.Actor
	values   *observe.Values
	trials   *trialsAhead // nil: not begun
	now      int          // the index of the stage
}

// newAlone returns a run that shares nothing with others.
func newAlone(ctx context.Context, c Config, cancel context.CancelCauseFunc) *member {
	return newShared(ctx, cancel, c).join(ctx, c, cancel)
}

func newMember(ctx context.Context, sh *shared, c Config, cancel context.CancelCauseFunc) *member {
	k := fleet.NewKnown(c.Plan)
	m := &member{
		shared: sh, config: c, ctx: ctx, cancel: cancel, known: k,
		options: fleet.NewOptions(c.Plan, c.Builds, c.Runtime, c.Place), recorder: observe.NewRecorder(k, c.History),
	}
	m.lists = observe.NewLists(k, m.recorder)
	m.watches = observe.NewWatches(ctx, observe.WatchConfig{
		Known: k, Recorder: m.recorder, Fleet: sh.fleet, Sync: sh.stores.Sync, Note: m.note, Fail: cancel,
	})
	m.precheck = precheck.New(precheck.Config{
		Known: k, Options: m.options, Servers: sh.scratches, Builds: c.Builds, Clients: c.Clients, GateTags: c.GateTags,
		Dir: c.Dir, Probes: c.Probes, KeptOnly: c.KeptOnly, Where: c.Where, Note: m.note, Record: m.recorder.Record,
	})
	m.actor = act.New(act.Config{
		Known: k, Recorder: m.recorder, Lists: m.lists, Fleet: sh.fleet, Clients: c.Clients,
		Others: func(object string) bool { return others(sh.members, m, object) }, CatchUp: m.watches.CatchUp, Shows: m.watches.Shows,
		Trying: func(objects int) { sh.pace.Trying(c.Plan, m.now, objects) }, Tried: func() error { sh.pace.Tried(); return m.foresee() },
	})
	m.values = &observe.Values{
		Known: k, Recorder: m.recorder, Lists: m.lists, At: sh.stores.At, Within: observe.CatchUpWithin, Order: len(sh.members),
	}
	for _, stage := range c.Plan.Stages {
		for _, s := range stage.Steps {
			if movesServers(s) {
				m.turns = append(m.turns, s)
			}
		}
	}
	return m
}

func (m *member) note(text string) { m.config.Progress.Note(text) }

// noteLeftOut says which admission webhooks nobody serves.
func (m *member) noteLeftOut() {
	for _, role := range []term.Role{term.Old, term.New} {
		if i := m.config.Builds[role].Installs; i != nil {
			for _, text := range i.LeftOut {
				m.note(fmt.Sprintf("admission webhook of %s left out: %s", role, text))
			}
		}
	}
}

// probe finds out what both releases serve and accept, before the roll-out.
func (m *member) probe() error {
	m.noteLeftOut()
	found, err := m.precheck.Run(m.ctx)
	m.actor.Accept(found.Accepted)
	m.actor.Declined = found.Declined
	return err
}

// stage executes one stage: its steps in order, neighbouring operations at once.
func (m *member) stage(ctx context.Context, index int, s plan.Stage) error {
	m.now = index
	m.config.Progress.Stage(s)
	if err := m.recorder.Record(history.Record{Stage: &history.Stage{Index: index, Name: s.Name}}); err != nil {
		return err
	}
	if err := m.shared.enter(ctx, m, index); err != nil {
		return err
	}
	m.actor.Enter()
	for begin := 0; begin < len(s.Steps); {
		end := begin + 1
		for end < len(s.Steps) && overlap(s.Steps[begin], s.Steps[end]) {
			end++
		}
		m.tryAhead(ctx, s.Steps[begin:])
		if err := m.group(ctx, index, s.Steps[begin:end]); err != nil {
			return err
		}
		if err := m.foresee(); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// overlap reports whether two neighbouring steps may overlap. An operation never overlaps
// the creates before it: its copy must exist. Trials have servers of their own, so that the
// replicas can end at the same time.
func overlap(a, b plan.Step) bool {
	return a.Action == plan.Trial && b.Action == plan.Stop || a.Action == b.Action && (a.Action == plan.Start || a.Action == plan.Operate) &&
		a.Birth == b.Birth
}

func (m *member) group(ctx context.Context, stage int, steps []plan.Step) error {
	outcomes := newTeller(m.config.Progress, steps)
	leave, err := m.shared.floor.take(ctx, steps)
	if err != nil {
		return err
	}
	defer leave()
	defer m.shared.pace.Group(steps)()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fleet.Workers)
	queue := newQueue(steps)
	for i, step := range steps {
		group.Go(func() error {
			defer queue.leave(i)
			return fault.Guard(func() error {
				if err := queue.wait(ctx, i); err != nil {
					return err
				}
				outcome, err := m.step(ctx, stage, step)
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
	return m.actor.Refused()
}

// paced counts an operation.
func (m *member) paced() error {
	m.shared.pace.Step()
	return m.foresee()
}

// foresee starts the servers of the next roll-out, or of the trials, when it is near.
func (m *member) foresee() error {
	switch stage := m.shared.pace.Due(); {
	case stage < 0:
		return nil
	case stage == len(m.known.Plan.Stages):
		m.shared.prewarm()
		return nil
	default:
		return m.shared.fleet.Foresee(stage)
	}
}

// step executes one step and returns its outcome in words.
func (m *member) step(ctx context.Context, stage int, s plan.Step) (string, error) {
	switch s.Action {
	case plan.Start, plan.Replace, plan.Program, plan.Stop:
		return m.shared.turn(ctx, m, stage, s)
	case plan.Prepare:
		return m.actor.Prepare(ctx, s)
	case plan.Rewrite:
		return m.actor.Rewrite(ctx, s)
	case plan.Observe:
		return m.watches.Observe(ctx, s, m.lists)
	case plan.Watch:
		return m.watches.Watch(ctx, s)
	case plan.Attempt:
		return m.actor.Attempt(ctx, s)
	case plan.Trial:
		return m.tried(ctx, s)
	case plan.Operate:
		outcome, err := m.actor.Operate(ctx, s)
		return outcome, errors.Join(err, m.paced())
	}
	return "", fmt.Errorf("step %d: unknown action %q", s.Number, s.Action)
}

// teller reports the outcomes of steps in the plan's order, whatever order they ended in.
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
