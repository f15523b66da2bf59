package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// floors is how many runs of a journey play at once between two turns of its
// servers: while one waits for a server, another has the cores. More would only
// make servers late, and what is late tells nothing.
const floors = 2

// convoy is what runs of one journey share: a store, the servers over it, the pace,
// and the trials' servers. Each run has a plan, copies, watches and a history of its
// own, and sees nothing of the others. Stage by stage the servers are rolled out
// once, when every run has come so far.
type convoy struct {
	// lead is the run whose plan says what the servers are started with, and when:
	// those of the others say the same, under other numbers.
	lead      *walker
	members   []*walker
	ctx       context.Context
	end       context.CancelCauseFunc // ends every run
	store     Store
	follower  Follower
	fleet     *fleet
	pace      pace
	standbys  standbys
	scratches scratches
	floor     chan struct{} // holds a word for each run that plays
	storeless chan struct{} // closed when a store has ended by itself
	storeEnd  error         // then: a *StoreError
	lose      sync.Once

	mu       sync.Mutex
	gone     map[*walker]bool
	meetings map[string]*meeting
	due      map[term.Role][]*trials // what there is to try, by run
}

// meeting is a place in the journey that every run must have come to before
// something is done there for all of them, once.
type meeting struct {
	arrived  map[*walker]bool
	complete chan struct{} // closed when all have arrived that are still under way
	once     sync.Once
	outcome  string
	err      error
}

func newConvoy(ctx context.Context, end context.CancelCauseFunc) *convoy {
	return &convoy{
		ctx: ctx, end: end, storeless: make(chan struct{}), floor: make(chan struct{}, floors), standbys: standbys{byRole: map[term.Role]*standby{}},
		gone: map[*walker]bool{}, meetings: map[string]*meeting{}, due: map[term.Role][]*trials{},
	}
}

// join adds a run. The first one leads.
func (c *convoy) join(ctx context.Context, config Config, cancel context.CancelCauseFunc) *walker {
	w := newMember(ctx, config, cancel)
	w.convoy = c
	c.members = append(c.members, w)
	if c.lead == nil {
		c.lead, c.fleet = w, newFleet(c.ctx, w)
	}
	return w
}

// Together walks several plans of one journey on one fleet of servers over one
// store, and gives what Run gives for each. Their builds, options, replicas and
// roll-outs are equal, their namespaces and the names of their objects are not. The
// first configuration opens the store and starts the servers. What ends one run
// early ends it alone; the end of a server, or of the store, ends all.
func Together(ctx context.Context, all []Config) []error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	c, errs := newConvoy(ctx, end), make([]error, len(all))
	for i := range all {
		if all[i].Progress == nil {
			all[i].Progress = silent{}
		}
		own, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		c.join(own, all[i], cancel)
	}
	broken := c.agree()
	if broken == nil {
		broken = guarded(func() error {
			defer c.close()
			copy(errs, c.play())
			return nil
		})
	}
	for i := range all {
		if broken != nil {
			errs[i] = errors.Join(errs[i], broken)
		}
		// An unwritable history has ended the run already, with the same error.
		if end := all[i].History.Write(history.Record{End: ending(errs[i])}); end != nil && !errors.Is(errs[i], end) {
			errs[i] = errors.Join(errs[i], end)
		}
	}
	return errs
}

// agree holds that all plans move servers alike. Runs that did not would wait for
// each other for ever.
func (c *convoy) agree() error {
	for _, w := range c.members {
		if !slices.EqualFunc(w.turns, c.lead.turns, func(a, b plan.Step) bool {
			return a.Action == b.Action && a.Replica == b.Replica && a.Role == b.Role
		}) {
			return fmt.Errorf("%s and %s: the runs that share servers are not of one journey", c.lead.config.Plan.Scenario, w.config.Plan.Scenario)
		}
	}
	return nil
}

// play is every run, from what the releases say of themselves to the last step.
func (c *convoy) play() []error {
	errs := c.open()
	var going sync.WaitGroup
	for i, w := range c.members {
		going.Go(func() {
			if errs[i] == nil {
				errs[i] = guarded(func() error { return w.walk(w.ctx) })
			}
			errs[i] = c.because(w.ctx, errs[i])
			c.leave(w)
		})
	}
	going.Wait()
	return errs
}

// open learns what the releases say of themselves, on scratch stores, while the
// shared store starts. One run asks after the other: what one was told the next
// finds beside the builds.
func (c *convoy) open() []error {
	errs := make([]error, len(c.members))
	probed := make(chan struct{})
	go func() {
		defer close(probed)
		for i, w := range c.members {
			errs[i] = guarded(func() error { return w.probe(w.ctx) })
		}
		if err := c.scratches.dismiss(); err != nil {
			c.note(err.Error())
		}
	}()
	err := guarded(func() error { return c.openStore(c.ctx) }) // the other half must end first
	<-probed
	for i := range errs {
		if err != nil {
			errs[i] = errors.Join(errs[i], err)
		}
	}
	if i := slices.Index(errs, nil); i >= 0 {
		c.lead = c.members[i]
		c.fleet.w = c.lead
	}
	return errs
}

func (c *convoy) openStore(ctx context.Context) error {
	store, err := c.newStore(ctx, "store")
	if err != nil {
		return err
	}
	c.store = store
	follower, err := store.Follow(ctx, c.changed)
	if err != nil {
		return err
	}
	c.follower = follower
	go c.heed(follower.Done(), func() error { return ownEnd(ctx, follower.Err()) })
	return nil
}

// newStore opens the shared store, or a scratch one.
func (c *convoy) newStore(ctx context.Context, name string) (Store, error) {
	store, err := c.host().OpenStore(ctx, name)
	if err == nil {
		go c.heed(store.Done(), store.Err)
	}
	return store, err
}

// close ends what the runs shared.
func (c *convoy) close() {
	if err := c.dismissStandbys(); err != nil {
		c.note(err.Error())
	}
	c.fleet.drain()
	if c.store == nil {
		return
	}
	if err := c.store.Close(); err != nil {
		c.note(err.Error())
	}
}

// host is the configuration whose runtime and stores are everybody's.
func (c *convoy) host() Config { return c.members[0].config }

// alone tells that nobody else is in the convoy.
func (c *convoy) alone() bool { return len(c.members) == 1 }

// present are the runs that are under way.
func (c *convoy) present() []*walker {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.members), func(w *walker) bool { return c.gone[w] })
}

// leave ends what is a run's own. Nobody waits for it any more.
func (c *convoy) leave(w *walker) {
	if w.trials != nil {
		w.trials.giveUp()
	}
	if !c.alone() { // else the end of the servers is told first, and they are all its own
		w.watches.close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone[w] = !c.alone()
	for _, m := range c.meetings {
		c.complete(m)
	}
}

// complete opens a meeting when everybody who is under way has come. The caller
// holds the lock.
func (c *convoy) complete(m *meeting) {
	for _, w := range c.members {
		if !c.gone[w] && !m.arrived[w] {
			return
		}
	}
	select {
	case <-m.complete:
	default:
		close(m.complete)
	}
}

// meet does something for all runs, once, when every one of them has come to
// the place.
func (c *convoy) meet(ctx context.Context, w *walker, place string, do func(context.Context) (string, error)) (string, error) {
	m := c.arrive(w, place)
	select {
	case <-m.complete:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if !c.alone() {
		ctx = c.ctx // the others need it, whatever becomes of this one
	}
	m.once.Do(func() {
		m.err = guarded(func() (err error) {
			m.outcome, err = do(ctx)
			return err
		})
	})
	return m.outcome, m.err
}

func (c *convoy) arrive(w *walker, place string) *meeting {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.meetings[place]
	if m == nil {
		m = &meeting{arrived: map[*walker]bool{}, complete: make(chan struct{})}
		c.meetings[place] = m
	}
	m.arrived[w] = true
	c.complete(m)
	return m
}

// enter begins a stage for all runs.
func (c *convoy) enter(ctx context.Context, w *walker, stage int) error {
	_, err := c.meet(ctx, w, fmt.Sprint("stage ", stage), func(context.Context) (string, error) {
		c.pace.enter(stage, c.present()...)
		if c.pace.due() == len(w.config.Plan.Stages) { // beside the last roll-out's servers, which mostly wait
			c.standBy(c.fleet.ctx)
		}
		return "", nil
	})
	return err
}

// movesServers tells whether a step starts, replaces or stops servers.
func movesServers(s plan.Step) bool {
	return s.Action == plan.Start || s.Action == plan.Replace || s.Action == plan.Stop
}

// turn has the fleet start, replace or stop servers for all runs.
func (c *convoy) turn(ctx context.Context, w *walker, stage int, s plan.Step) (string, error) {
	i := slices.IndexFunc(w.turns, func(t plan.Step) bool { return t.Number == s.Number })
	led := c.lead.turns[i]
	return c.meet(ctx, w, fmt.Sprint("turn ", i), func(context.Context) (string, error) {
		switch led.Action {
		case plan.Start:
			return c.fleet.start(led)
		case plan.Replace:
			return c.fleet.replace(stage, led)
		}
		return c.fleet.stop(led)
	})
}

// takeFloor lets a run play when it is its turn; what it returns tells that it has
// played. What waits for the others does not keep them from playing.
func (c *convoy) takeFloor(ctx context.Context, steps []plan.Step) (leave func(), err error) {
	waits := func(s plan.Step) bool { return movesServers(s) || s.Action == plan.Trial }
	if slices.ContainsFunc(steps, waits) {
		return func() {}, nil
	}
	select {
	case c.floor <- struct{}{}:
		return func() { <-c.floor }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
