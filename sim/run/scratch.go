package run

import (
	"context"
	"errors"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
)

// scratches are servers on stores of their own, which every run asks before the
// shared ones are started. Each is started once, by the first run that has something
// to ask.
type scratches struct {
	mu     sync.Mutex
	byName map[string]*scratch
}

// scratch is one such server.
type scratch struct {
	once     sync.Once
	store    Store
	process  servers.Process
	conn     *client.Connection
	followed map[string]bool // gates that its own hang on: see walker.followed
	err      error           // why there is none
}

func (all *scratches) get(name string) *scratch {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byName == nil {
		all.byName = map[string]*scratch{}
	}
	if all.byName[name] == nil {
		all.byName[name] = &scratch{}
	}
	return all.byName[name]
}

// scratch is a server of the release, on a store of its own; none of those who ask
// it stops it.
func (w *walker) scratch(ctx context.Context, role term.Role, b servers.Build, name string) (*scratch, error) {
	s := w.convoy.scratches.get(name)
	s.once.Do(func() {
		if !w.convoy.alone() {
			ctx = w.convoy.ctx // the others need it, whatever becomes of this one
		}
		s.err = guarded(func() error { return s.start(ctx, w, role, b, name) })
	})
	if s.err == nil {
		w.keepFollowed(role, s.followed)
	}
	return s, s.err
}

func (s *scratch) start(ctx context.Context, w *walker, role term.Role, b servers.Build, name string) (err error) {
	if s.store, err = w.convoy.newStore(ctx, name); err != nil {
		return err
	}
	if s.process, err = w.startAlone(ctx, role, b, name, s.store.Store()); err != nil {
		return err
	}
	s.followed = w.followedOf(role)
	e := s.process.Endpoint()
	s.conn, err = client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: panicsOf(s.process)})
	return err
}

// dismiss ends them all. Nobody asks any more.
func (all *scratches) dismiss() error {
	all.mu.Lock()
	defer all.mu.Unlock()
	var problems []error
	for _, s := range all.byName {
		if s.process != nil {
			s.process.Kill()
		}
		if s.store != nil {
			problems = append(problems, s.store.Close())
		}
	}
	clear(all.byName)
	return errors.Join(problems...)
}
