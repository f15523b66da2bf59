package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// heldWithin is how long a server that may not write is kept before it is given up: after
// half a minute it ends by itself. One that was held for so long is ready as soon as it gets
// the store, so that giving it up sooner would cost another start.
const heldWithin = 25 * time.Second

// givesUpAfter is how long the parts of a server that wait for the store retry before they
// end the server, counted from its start. A server that was held for a part of that time,
// or got the store together with others, may have ended because of that: two servers that
// repair the same object at once conflict, and one of them ends after a minute.
const givesUpAfter = 30 * time.Second

// coming is a server that will become a replica. It is started with a gate to the store
// that allows only reads, until its roll-out begins.
type coming struct {
	step   plan.Step
	early  bool // it was started before its stage
	first  bool // it is one of several that fill an empty store at once
	begun  time.Time
	gate   servers.Gate
	cancel context.CancelFunc // gives it up
	known  chan struct{}      // closed when replica or err is set

	replica *Replica
	err     error

	mu      sync.Mutex
	letIn   time.Time // zero: it is held
	over    bool      // it was given up while it was held
	again   bool      // it has ended by itself, and is started again
	expires *time.Timer
}

// enter opens the gate, and reports whether the server still runs.
func (c *coming) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return false
	}
	if c.letIn.IsZero() {
		c.letIn = time.Now()
		c.expires.Stop()
		c.gate.Open()
	}
	return true
}

// giveUp ends a server that is still held.
func (c *coming) giveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.known: // it is ready: waiting does it no harm
	default:
		c.over = c.letIn.IsZero()
	}
	if c.over {
		c.cancel()
	}
}

// ended gives up a server that was started early and ended by itself before it was ready:
// it is started again in its turn, as any supervisor of servers does. If it may have ended
// because it was held, it only ended early; else its death counts. The first servers of an
// empty store may conflict while they fill it, and are started again too.
func (c *coming) ended(patience time.Duration) history.ServerEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.again = c.early || c.first
	c.over = c.over || c.again
	if c.first {
		return history.Tripped
	}
	if c.early && (c.letIn.IsZero() || time.Since(c.begun) >= patience) {
		return history.EndedEarly
	}
	return history.Died
}

// endedAlone reports whether the server has ended by itself, and is started again.
func (c *coming) endedAlone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again
}

// isOver reports whether the server was given up.
func (c *coming) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// waited describes how long a ready server took. For one that was held, it is the time
// since the server got the store, for which its stage waited.
func (c *coming) waited(p servers.Process) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.early && !c.letIn.IsZero() {
		return fmt.Sprintf("ready %.1fs after it was let at the store", time.Since(c.letIn).Seconds())
	}
	return fmt.Sprintf("ready after %.1fs", p.ReadyAfter().Seconds())
}

// heldFor returns how much of the time until it was ready a server was held off the store:
// that part of a slow start is not the server's fault.
func (c *coming) heldFor(p servers.Process) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.early || c.letIn.IsZero() {
		return 0
	}
	return max(0, p.ReadyAfter()-time.Since(c.letIn))
}

// occasion is when a server is started.
type occasion int

const (
	inTurn     occasion = iota
	beforehand          // before its stage: it is held off the store until that begins
	amongFirst          // with others, over an empty store
)

// execute starts a server for the step.
func (f *Fleet) execute(s plan.Step, at occasion) (*coming, error) {
	gate, err := f.Gate()
	if err != nil {
		return nil, fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	ctx, cancel := context.WithCancel(f.ctx)
	c := &coming{step: s, early: at == beforehand, first: at == amongFirst, begun: time.Now(), gate: gate, cancel: cancel, known: make(chan struct{})}
	if c.early {
		// Reads change nothing; a release must not write before its stage.
		gate.Read()
		c.expires = time.AfterFunc(f.HeldWithin, c.giveUp)
	} else {
		c.letIn = time.Now()
		gate.Open()
	}
	f.leaving.Go(func() { f.bring(ctx, c) })
	return c, nil
}

// bring waits until the server is ready, and ends the run if it never is: at once, not in
// its turn.
func (f *Fleet) bring(ctx context.Context, c *coming) {
	defer close(c.known)
	c.err = fault.Guard(func() (err error) {
		c.replica, err = f.launch(ctx, c)
		return err
	})
	switch {
	case c.isOver() && c.replica != nil: // it became ready just then
		f.kill(c.replica, "killed: it was given up")
		c.replica = nil
	case c.isOver():
		c.gate.Close()
	case c.err != nil:
		c.gate.Close()
		f.Runs.End(c.err)
	}
}

// Foresee starts the servers of the roll-out that begins with the stage before that stage.
// They do everything that needs no write to the store, and do not get to write: no release
// changes the store before its stage.
func (f *Fleet) Foresee(stage int) error {
	f.mu.Lock()
	begun := stage <= f.foreseen
	f.foreseen = max(f.foreseen, stage)
	f.mu.Unlock()
	if begun {
		return nil
	}
	for _, s := range f.letInAtOnce(stage) {
		if f.redefines(s) {
			continue // no server starts
		}
		c, err := f.execute(s, beforehand)
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.held[s.Replica] = c
		f.mu.Unlock()
	}
	return nil
}

// rollOut gives the store to every server of the roll-out that begins with the stage,
// except those that take turns. Servers of the same release that are still ending from the
// last time may only read, and do not disturb.
func (f *Fleet) rollOut(stage int) error { return f.letIn(f.letInAtOnce(stage)) }

// letIn gives the store to servers that do not have it yet. It starts those that were given
// up, or that were not started early.
func (f *Fleet) letIn(moves []plan.Step) error {
	for _, s := range moves {
		f.mu.Lock()
		c, in := f.held[s.Replica], f.warming[s.Replica] != nil
		delete(f.held, s.Replica)
		f.mu.Unlock()
		if in {
			continue
		}
		if c == nil || !c.enter() {
			var err error
			if c, err = f.execute(s, inTurn); err != nil {
				return err
			}
		}
		f.mu.Lock()
		f.warming[s.Replica] = c
		f.mu.Unlock()
	}
	return nil
}

// letInAtOnce returns the moves of a roll-out whose servers may get the store together: all
// of them or, if the first server has something to take over, only that one.
func (f *Fleet) letInAtOnce(stage int) []plan.Step {
	moves := moves(f.Lead.Known.Plan, stage)
	first := f.Lead.Known.Plan.Stages[stage-1].Rollout == "" // no roll-out is before it
	if first && f.takesOver() {
		return moves[:min(1, len(moves))]
	}
	return moves
}

// takesOver reports whether the new release takes over data that the old one stores in
// another form: by a gate that is off in the old release, and on or removed in the new one.
func (f *Fleet) takesOver() bool {
	teller, tells := f.Runtime.(servers.GateTeller)
	if !tells {
		return false
	}
	gate := teller.TakesOver(f.Lead.Builds[term.New])
	on, has := f.Lead.Known.ByRole[term.Old].Said.Gates[gate]
	later, too := f.Lead.Known.ByRole[term.New].Said.Gates[gate]
	return has && !on && (later || !too)
}
