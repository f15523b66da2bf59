package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// shared is what the runs of one journey share: a store, the servers over it, the pace, and
// the scratch stores. Each run has its own plan, copies, watches and history, and sees
// nothing of the others. Each stage rolls the servers out once, when every run has reached
// it.
type shared struct {
	// first is the run whose plan says what the servers are started with, and when. Those
	// of the others say the same with other step numbers.
	first     *member
	willRetry func(error) bool // see Config; nil: never
	lead      *fleet.Lead      // what the servers need of first
	members   []*member
	ctx       context.Context
	end       context.CancelCauseFunc // ends every run
	stores    *stores.Stores
	fleet     *fleet.Fleet
	pace      fleet.Pace
	decoding  *observe.Decoding
	scratches *precheck.ScratchServers
	floor     floor
	meetings  *meetings
}

// newShared prepares a store and a fleet for runs, with the host's configuration.
func newShared(ctx context.Context, end context.CancelCauseFunc, host Config) *shared {
	sh := &shared{
		ctx: ctx, end: end, willRetry: host.WillRetry, lead: &fleet.Lead{}, stores: stores.New(host.OpenStore, end),
		floor: make(floor, floors), meetings: newMeetings(),
	}
	sh.scratches = &precheck.ScratchServers{Open: sh.stores.Open, Lend: host.Lend, Lasting: func(own context.Context) context.Context {
		if sh.alone() {
			return own
		}
		return ctx // the others need it, even if this run ends
	}}
	sh.fleet = fleet.New(ctx, fleet.Config{Lead: sh.lead, Runs: sh, Runtime: host.Runtime, Gate: sh.stores.Gate})
	sh.decoding = observe.NewDecoding(observe.DecodingConfig{Lead: sh.lead, Runs: sh, Runtime: host.Runtime, Open: sh.stores.Open, Note: sh.note})
	return sh
}

// join adds a run. The first one leads.
func (sh *shared) join(ctx context.Context, config Config, cancel context.CancelCauseFunc) *member {
	m := newMember(ctx, sh, config, cancel)
	sh.members = append(sh.members, m)
	sh.meetings.join()
	if sh.first == nil {
		sh.follow(m)
	}
	return m
}

// follow has the servers started as a run's plan says.
func (sh *shared) follow(m *member) {
	sh.first = m
	*sh.lead = fleet.Lead{Known: m.known, Builds: m.config.Builds, Options: m.options}
}

// Together executes several plans with one journey on one fleet of servers over one store,
// and returns for each what Run returns. Their builds, options, replicas and roll-outs must
// be equal, and their namespaces and the names of their objects different. The first
// configuration opens the store and starts the servers. An error of one run ends that run
// only; the end of a server, or of the store, ends all.
func Together(ctx context.Context, all []Config) []error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	sh, errs := newShared(ctx, end, all[0]), make([]error, len(all))
	for i := range all {
		if all[i].Progress == nil {
			all[i].Progress = silent{}
		}
		own, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		sh.join(own, all[i], cancel)
	}
	broken := sh.agree()
	if broken == nil {
		broken = fault.Guard(func() error {
			defer sh.close()
			copy(errs, sh.play())
			return nil
		})
	}
	for i := range all {
		if broken != nil {
			errs[i] = errors.Join(errs[i], broken)
		}
		// A failed write of the history has ended the run already, with the same error.
		if end := all[i].History.Write(history.Record{End: ending(errs[i])}); end != nil && !errors.Is(errs[i], end) {
			errs[i] = errors.Join(errs[i], end)
		}
	}
	return errs
}

// agree returns an error unless all plans move servers alike. Runs that do not would wait
// for each other for ever.
func (sh *shared) agree() error {
	for _, w := range sh.members {
		if !slices.EqualFunc(w.turns, sh.first.turns, func(a, b plan.Step) bool {
			return a.Action == b.Action && a.Replica == b.Replica && a.Role == b.Role
		}) {
			return fmt.Errorf("%s and %s: runs with different journeys cannot share servers", sh.first.known.Plan.Scenario, w.known.Plan.Scenario)
		}
	}
	return nil
}

// play executes every run, from the pre-check to the last step.
func (sh *shared) play() []error {
	errs := sh.open()
	var going sync.WaitGroup
	for i, w := range sh.members {
		going.Go(func() {
			if errs[i] == nil {
				errs[i] = fault.Guard(func() error { return w.execute(w.ctx) })
			}
			errs[i] = because(w.ctx, errs[i], sh.stores, w.config.mourn)
			sh.leave(w)
		})
	}
	going.Wait()
	return errs
}

// open runs the pre-checks on scratch stores while the shared store starts. The runs are
// checked one after the other: a run finds the answers of the previous ones in the kept
// probes.
func (sh *shared) open() []error {
	errs := make([]error, len(sh.members))
	probed := make(chan struct{})
	go func() {
		defer close(probed)
		for i, w := range sh.members {
			errs[i] = fault.Guard(func() error { return w.probe() })
		}
		if err := sh.scratches.Dismiss(); err != nil {
			sh.note(err.Error())
		}
	}()
	err := fault.Guard(func() error { return sh.stores.OpenShared(sh.ctx, sh.changed) }) // the other goroutine must end first
	<-probed
	for i := range errs {
		if err != nil {
			errs[i] = errors.Join(errs[i], err)
		}
	}
	if i := slices.Index(errs, nil); i >= 0 {
		sh.follow(sh.members[i])
	}
	if err := errors.Join(errs...); err != nil && sh.willRetry != nil && sh.willRetry(err) {
		for i := range errs {
			errs[i] = cmp.Or(errs[i], ErrOtherRefused)
		}
	}
	return errs
}

// close closes what the runs share.
func (sh *shared) close() {
	if err := sh.decoding.DismissPrewarmed(); err != nil {
		sh.note(err.Error())
	}
	sh.fleet.Drain()
	if err := sh.stores.CloseShared(); err != nil {
		sh.note(err.Error())
	}
}

// alone reports whether there is only one run.
func (sh *shared) alone() bool { return len(sh.members) == 1 }

// present returns the runs under way.
func (sh *shared) present() []*member {
	return slices.DeleteFunc(slices.Clone(sh.members), sh.meetings.hasLeft)
}

// leave ends what belongs to one run. The others no longer wait for it.
func (sh *shared) leave(m *member) {
	if m.trials != nil {
		m.trials.giveUp()
	}
	if sh.alone() { // the end of the servers is recorded first, and they are all its own
		return
	}
	m.watches.Close()
	sh.meetings.leave(m)
}

// meet does an action once for all runs, when every one of them has reached the point.
func (sh *shared) meet(ctx context.Context, m *member, place string, do func(context.Context) (string, error)) (string, error) {
	meeting, err := sh.meetings.wait(ctx, m, place)
	if err != nil {
		return "", err
	}
	if !sh.alone() {
		ctx = sh.ctx // the others need it, even if this run ends
	}
	return meeting.do(ctx, do)
}

// enter begins a stage for all runs.
func (sh *shared) enter(ctx context.Context, m *member, stage int) error {
	_, err := sh.meet(ctx, m, fmt.Sprint("stage ", stage), func(context.Context) (string, error) {
		var plans []*plan.Plan
		for _, m := range sh.present() {
			plans = append(plans, m.known.Plan)
		}
		sh.pace.Enter(stage, plans...)
		if sh.pace.Due() == len(m.known.Plan.Stages) { // while the last roll-out's servers mostly wait
			sh.prewarm()
		}
		return "", nil
	})
	return err
}

// prewarm starts the servers of the trials that are near.
func (sh *shared) prewarm() {
	var all []*observe.Values
	for _, m := range sh.present() {
		all = append(all, m.values)
	}
	sh.decoding.Prewarm(sh.fleet.Context(), all, sh.fleet.Live())
}

// turn has the fleet start, replace or stop servers for all runs.
func (sh *shared) turn(ctx context.Context, m *member, stage int, s plan.Step) (string, error) {
	i := slices.IndexFunc(m.turns, func(t plan.Step) bool { return t.Number == s.Number })
	led := sh.first.turns[i]
	return sh.meet(ctx, m, fmt.Sprint("turn ", i), func(context.Context) (string, error) {
		switch led.Action {
		case plan.Stop:
			return sh.fleet.Stop(led)
		case plan.Program:
			return sh.fleet.Program(led)
		case plan.Start:
			if stage == 0 {
				return sh.fleet.Start(led)
			}
		}
		return sh.fleet.Replace(stage, led)
	})
}
