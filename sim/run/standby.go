package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/plan"
)

// standbys are the trials' servers that were executed before their turn, each
// held off an empty scratch store: what they do before they ask it is done by
// the time it holds what they are to start over.
type standbys struct {
	once    sync.Once
	holding sync.WaitGroup
	mu      sync.Mutex
	byRole  map[term.Role]*standby
}

// standby is one such server.
type standby struct {
	store   Store
	gate    servers.Gate
	cancel  context.CancelFunc
	expires *time.Timer
	done    chan struct{} // closed when process or err is
	process servers.Process
	err     error
}

// standBy executes the servers of the trials that are sure to come: of releases
// that have something to decide now, or that no replica of the last stage runs.
func (c *convoy) standBy(ctx context.Context) {
	c.standbys.once.Do(func() {
		for _, role := range []term.Role{term.Old, term.New} {
			due := func(w *walker) bool { return len(w.undecided(role)) > 0 || w.leavesBehind(role) }
			if slices.ContainsFunc(c.present(), due) {
				c.standbys.holding.Go(func() { c.keepStandby(ctx, role) })
			}
		}
	})
}

// keepStandby holds a server for the role's trials. Without one they start
// theirs, or say why they cannot.
func (c *convoy) keepStandby(ctx context.Context, role term.Role) {
	var s *standby
	err := guarded(func() (err error) {
		s, err = c.hold(ctx, role)
		return err
	})
	if err != nil {
		c.note(err.Error())
		return
	}
	c.standbys.mu.Lock()
	defer c.standbys.mu.Unlock()
	c.standbys.byRole[role] = s
}

// leavesBehind tells whether operations of the last stage write, which a
// release that does not run then will not have seen.
func (w *walker) leavesBehind(role term.Role) bool {
	last := w.config.Plan.Stages[len(w.config.Plan.Stages)-1]
	runs := slices.ContainsFunc(last.Replicas, func(r plan.ReplicaStage) bool { return r.Role == role })
	return !runs && slices.ContainsFunc(last.Steps, func(s plan.Step) bool {
		return s.Action == plan.Operate && s.Verb.Writes()
	})
}

// hold executes a server with its gate to a store of its own shut.
func (c *convoy) hold(ctx context.Context, role term.Role) (*standby, error) {
	store, err := c.newStore(ctx, "trial-"+string(role))
	if err != nil {
		return nil, err
	}
	gate, err := store.Gate()
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &standby{store: store, gate: gate, cancel: cancel, done: make(chan struct{})}
	s.expires = time.AfterFunc(c.fleet.heldWithin, cancel)
	go func() {
		defer close(s.done)
		s.err = guarded(func() (err error) {
			s.process, err = c.host().Runtime.Start(ctx, c.host().Builds[role], servers.Placement{
				Name: "trial-" + string(role), Store: gate.Store(), Options: c.lead.options(role), MayNotRead: c.collections(role),
			})
			return err
		})
	}()
	return s, nil
}

// waits tells whether the server is still held: one that was held for too long
// was given up, and says nothing of what the store holds.
func (s *standby) waits() bool {
	if !s.expires.Stop() {
		<-s.done
		return false
	}
	select {
	case <-s.done:
		return s.err == nil
	default:
		return true
	}
}

// release opens the gate and waits for the server; how long that took is the
// time to ready of a start over what the store holds.
func (s *standby) release() (servers.Process, time.Duration, error) {
	began := time.Now()
	s.gate.Open()
	<-s.done
	return s.process, time.Since(began), s.err
}

// giveUp ends a server that nobody has asked for, with its store.
func (s *standby) giveUp() error {
	s.cancel()
	s.gate.Close()
	<-s.done
	if s.process != nil {
		s.process.Kill()
	}
	return s.store.Close()
}

// takeStandby is the release's standby server, nil for none; it is taken once.
func (c *convoy) takeStandby(role term.Role) *standby {
	c.standbys.once.Do(func() {}) // from now on nobody stands by
	c.standbys.holding.Wait()
	c.standbys.mu.Lock()
	defer c.standbys.mu.Unlock()
	s := c.standbys.byRole[role]
	delete(c.standbys.byRole, role)
	return s
}

// dismissStandbys ends those that nobody took.
func (c *convoy) dismissStandbys() error {
	var problems []error
	for _, role := range []term.Role{term.Old, term.New} {
		if s := c.takeStandby(role); s != nil {
			problems = append(problems, s.giveUp())
		}
	}
	return errors.Join(problems...)
}
