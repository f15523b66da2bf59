package scratch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/guard"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// prewarmedServers are the trials' servers that were executed before their turn, each
// held off an empty scratch store: what they do before they ask it is done by
// the time it holds what they are to start over.
type prewarmedServers struct {
	once    sync.Once
	holding sync.WaitGroup
	mu      sync.Mutex
	byRole  map[term.Role]*prewarmed
}

// prewarmed is one such server.
type prewarmed struct {
	store   stores.Store
	gate    servers.Gate
	cancel  context.CancelFunc
	expires *time.Timer
	done    chan struct{} // closed when process or err is
	process servers.Process
	err     error
}

// Prewarm executes the servers of the trials that are sure to come: of releases
// that have something to decide now, or that no replica of the last stage runs.
func (d *Decoding) Prewarm(ctx context.Context, all []*Values) {
	d.prewarmed.once.Do(func() {
		for _, role := range []term.Role{term.Old, term.New} {
			due := func(v *Values) bool { return len(v.undecided(role)) > 0 || v.leavesBehind(role) }
			if slices.ContainsFunc(all, due) {
				d.prewarmed.holding.Go(func() { d.keepPrewarmed(ctx, role) })
			}
		}
	})
}

// keepPrewarmed holds a server for the role's trials. Without one they start
// theirs, or say why they cannot.
func (d *Decoding) keepPrewarmed(ctx context.Context, role term.Role) {
	var s *prewarmed
	err := guard.Call(func() (err error) {
		s, err = d.hold(ctx, role)
		return err
	})
	if err != nil {
		d.Note(err.Error())
		return
	}
	d.prewarmed.mu.Lock()
	defer d.prewarmed.mu.Unlock()
	d.prewarmed.byRole[role] = s
}

// hold executes a server with its gate to a store of its own shut.
func (d *Decoding) hold(ctx context.Context, role term.Role) (*prewarmed, error) {
	store, err := d.Open(ctx, "trial-"+string(role))
	if err != nil {
		return nil, err
	}
	gate, err := store.Gate()
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &prewarmed{store: store, gate: gate, cancel: cancel, done: make(chan struct{})}
	s.expires = time.AfterFunc(d.heldWithin, cancel)
	go func() {
		defer close(s.done)
		s.err = guard.Call(func() (err error) {
			s.process, err = d.Runtime.Start(ctx, d.Lead.Builds[role], servers.Placement{
				Name: "trial-" + string(role), Store: gate.Store(), Options: d.Lead.Options.Of(role), MayNotRead: d.Runs.Collections(role),
			})
			return err
		})
	}()
	return s, nil
}

// waits reports whether the server is still held: one that was held for too long
// was given up, and says nothing of what the store holds.
func (s *prewarmed) waits() bool {
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
func (s *prewarmed) release() (servers.Process, time.Duration, error) {
	began := time.Now()
	s.gate.Open()
	<-s.done
	return s.process, time.Since(began), s.err
}

// giveUp ends a server that nobody has asked for, with its store.
func (s *prewarmed) giveUp() error {
	s.cancel()
	s.gate.Close()
	<-s.done
	if s.process != nil {
		s.process.Kill()
	}
	return s.store.Close()
}

// takePrewarmed returns the release's prewarmed server, nil for none. It is taken once.
func (d *Decoding) takePrewarmed(role term.Role) *prewarmed {
	d.prewarmed.once.Do(func() {}) // from now on none is prewarmed
	d.prewarmed.holding.Wait()
	d.prewarmed.mu.Lock()
	defer d.prewarmed.mu.Unlock()
	s := d.prewarmed.byRole[role]
	delete(d.prewarmed.byRole, role)
	return s
}

// DismissPrewarmed ends those that nobody took.
func (d *Decoding) DismissPrewarmed() error {
	var problems []error
	for _, role := range []term.Role{term.Old, term.New} {
		if s := d.takePrewarmed(role); s != nil {
			problems = append(problems, s.giveUp())
		}
	}
	return errors.Join(problems...)
}
