package observe

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// prewarmedServers are scratch servers that were started early, each with its gate to an
// empty scratch store shut: by the time the store holds the values, they have done
// everything that they do before they first read it.
type prewarmedServers struct {
	once    sync.Once
	holding sync.WaitGroup
	mu      sync.Mutex
	byRole  map[term.Role]*prewarmed
}

// heldWithin is how long such a server is kept before it is given up. One that may not even
// read is slower after it gets the store if it was held for longer, because each of its
// retries waits longer.
const heldWithin = 15 * time.Second

// prewarmed is one such server.
type prewarmed struct {
	store   stores.Store
	gate    servers.Gate
	cancel  context.CancelFunc
	expires *time.Timer
	done    chan struct{} // closed when process or err is set
	process servers.Process
	err     error
}

// Prewarm starts the servers of the trials that are certain, given the replicas that serve: of releases that have
// values to read which none of these can show any more, or that no replica of the last stage runs.
func (d *Decoding) Prewarm(ctx context.Context, all []*Values, live []*fleet.Replica) {
	d.prewarmed.once.Do(func() {
		for _, role := range []term.Role{term.Old, term.New} {
			serves := slices.ContainsFunc(live, func(r *fleet.Replica) bool { return r.Role == role })
			if slices.ContainsFunc(all, func(v *Values) bool { return v.isCertain(role, serves) }) {
				d.prewarmed.holding.Go(func() { d.keepPrewarmed(ctx, role) })
			}
		}
	})
}

// keepPrewarmed holds a server for the role's trials. If it fails, the trials start their
// own, or report why they cannot.
func (d *Decoding) keepPrewarmed(ctx context.Context, role term.Role) {
	var s *prewarmed
	err := fault.Guard(func() (err error) {
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

// hold starts a server with its gate to a store of its own shut.
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
		s.err = fault.Guard(func() (err error) {
			s.process, err = d.Runtime.Start(ctx, d.Lead.Builds[role], servers.Placement{
				Name: "trial-" + string(role), Store: gate.Store(), Options: d.Lead.Options.Of(role), Scratch: true, MayNotRead: d.Runs.Collections(role),
			})
			return err
		})
	}()
	return s, nil
}

// waits reports whether the server is still held. A server that was held for too long was
// given up, which says nothing about the store's values.
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

// release opens the gate and waits for the server. The time until it is ready is that of a
// start over the store's values.
func (s *prewarmed) release() (servers.Process, time.Duration, error) {
	began := time.Now()
	s.gate.Open()
	<-s.done
	return s.process, time.Since(began), s.err
}

// giveUp ends a server that is not needed, with its store.
func (s *prewarmed) giveUp() error {
	s.cancel()
	s.gate.Close()
	<-s.done
	if s.process != nil {
		s.process.Kill()
	}
	return s.store.Close()
}

// takePrewarmed returns the release's prewarmed server once, nil without one.
func (d *Decoding) takePrewarmed(role term.Role) *prewarmed {
	d.prewarmed.once.Do(func() {}) // from now on none is prewarmed
	d.prewarmed.holding.Wait()
	d.prewarmed.mu.Lock()
	defer d.prewarmed.mu.Unlock()
	s := d.prewarmed.byRole[role]
	delete(d.prewarmed.byRole, role)
	return s
}

// DismissPrewarmed ends the servers that were not taken.
func (d *Decoding) DismissPrewarmed() error {
	var problems []error
	for _, role := range []term.Role{term.Old, term.New} {
		if s := d.takePrewarmed(role); s != nil {
			problems = append(problems, s.giveUp())
		}
	}
	return errors.Join(problems...)
}
