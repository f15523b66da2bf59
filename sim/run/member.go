package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/sim/guard"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// member is one of the runs that share a fleet of servers. A run alone shares it with none.
type member struct {
	shared   *shared
	config   Config
	ctx      context.Context // the run's own
	cancel   context.CancelCauseFunc
	turns    []plan.Step // those that start, replace and stop servers
	known    *known
	options  *options
	recorder *recorder
	watches  *watches
	lists    *lists
	precheck *precheck
	actor    *actor
	tester   *tester
	trials   *trialsAhead // nil: not begun
}

// newAlone returns a run that shares nothing with others.
func newAlone(ctx context.Context, c Config, cancel context.CancelCauseFunc) *member {
	return newShared(ctx, cancel, c).join(ctx, c, cancel)
}

func newMember(ctx context.Context, sh *shared, c Config, cancel context.CancelCauseFunc) *member {
	k := newKnown(c.Plan)
	m := &member{
		shared: sh, config: c, ctx: ctx, cancel: cancel, known: k,
		options: newOptions(c.Plan, c.Builds, c.Runtime, c.Place), recorder: newRecorder(k, c.History),
	}
	m.lists = newLists(k, m.recorder)
	m.watches = newWatches(ctx, watchConfig{
		known: k, recorder: m.recorder, fleet: sh.fleet, sync: sh.stores.sync, note: m.note, fail: cancel,
	})
	m.precheck = newPrecheck(precheckConfig{
		known: k, options: m.options, servers: sh.scratches, builds: c.Builds, clients: c.Clients, gateTags: c.GateTags,
		dir: c.Dir, probes: c.Probes, keptOnly: c.KeptOnly, where: c.Where, note: m.note, record: m.recorder.record,
	})
	m.actor = newActor(actorConfig{
		known: k, recorder: m.recorder, lists: m.lists, fleet: sh.fleet, clients: c.Clients,
		others: func(object string) bool { return sh.others(m, object) }, catchUp: m.watches.catchUp,
	})
	m.tester = &tester{
		known: k, recorder: m.recorder, lists: m.lists, at: sh.stores.at, within: catchUpWithin, order: len(sh.members),
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

// probe finds out what both releases serve and accept, before the roll-out.
func (m *member) probe() error {
	err := m.precheck.run(m.ctx)
	m.actor.accept(m.precheck.objects.taken)
	m.actor.declined = m.precheck.objects.declined
	return err
}

// stage plays one stage: its steps in order, neighbouring operations at once.
func (m *member) stage(ctx context.Context, index int, s plan.Stage) error {
	m.config.Progress.Stage(s)
	if err := m.recorder.record(history.Record{Stage: &history.Stage{Index: index, Name: s.Name}}); err != nil {
		return err
	}
	if err := m.shared.enter(ctx, m, index); err != nil {
		return err
	}
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

// overlap tells whether two neighbouring steps may overlap. An operation
// never overlaps the creates before it: its copy must exist. Trials have
// servers of their own, so that the replicas can end beside them.
func overlap(a, b plan.Step) bool {
	return a.Action == plan.Trial && b.Action == plan.Stop || a.Action == b.Action && (a.Action == plan.Start || a.Action == plan.Operate) &&
		a.Birth == b.Birth
}

func (m *member) group(ctx context.Context, stage int, steps []plan.Step) error {
	outcomes := newTeller(m.config.Progress, steps)
	leave, err := m.shared.takeFloor(ctx, steps)
	if err != nil {
		return err
	}
	defer leave()
	defer m.shared.pace.group(steps)()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	queue := newQueue(steps)
	for i, step := range steps {
		group.Go(func() error {
			defer queue.leave(i)
			return guard.Call(func() error {
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
	return m.actor.births.verdict()
}

// foresee has the servers of the next roll-out, or of the trials, executed when
// it is near.
func (m *member) foresee() error {
	switch stage := m.shared.pace.due(); {
	case stage < 0:
		return nil
	case stage == len(m.known.plan.Stages):
		m.shared.prewarm()
		return nil
	default:
		return m.shared.fleet.foresee(stage)
	}
}

// step executes one step and returns its outcome in words.
func (m *member) step(ctx context.Context, stage int, s plan.Step) (string, error) {
	switch s.Action {
	case plan.Start, plan.Replace, plan.Stop:
		return m.shared.turn(ctx, m, stage, s)
	case plan.Prepare:
		return m.actor.prepare(ctx, s)
	case plan.Rewrite:
		return m.actor.rewrite(ctx, s)
	case plan.Observe:
		return m.watches.observe(ctx, s, m.lists)
	case plan.Watch:
		return m.watches.watch(ctx, s)
	case plan.Attempt:
		return m.actor.attempt(ctx, s)
	case plan.Trial:
		return m.tried(ctx, s)
	case plan.Operate:
		outcome, err := m.actor.operate(ctx, s)
		m.shared.pace.step()
		return outcome, errors.Join(err, m.foresee())
	}
	return "", fmt.Errorf("step %d: unknown action %q", s.Number, s.Action)
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
