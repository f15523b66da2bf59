package precheck

import (
	"context"
	"errors"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// ScratchServers are servers on stores of their own, which every run asks before the shared
// ones are started. Each is started once, by the first run that needs it.
type ScratchServers struct {
	Open func(ctx context.Context, name string) (stores.Store, error)
	// Lasting returns the context of servers that several runs ask, given that of one run.
	Lasting func(context.Context) context.Context
	// Lend returns a server that runs already, see run.Config; nil: nobody lends any.
	Lend func(servers.Build, servers.Options) *client.Connection

	mu     sync.Mutex
	byName map[string]*scratchServer
}

// scratchServer is one such server.
type scratchServer struct {
	once     sync.Once
	store    stores.Store
	process  servers.Process
	conn     *client.Connection
	required map[string]bool // gates that its own depend on
	err      error           // why it did not start
}

func (all *ScratchServers) get(name string) *scratchServer {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byName == nil {
		all.byName = map[string]*scratchServer{}
	}
	if all.byName[name] == nil {
		all.byName[name] = &scratchServer{}
	}
	return all.byName[name]
}

// lent returns a server that runs already with these options, if it answers; nil: there is none.
func (all *ScratchServers) lent(ctx context.Context, b servers.Build, o servers.Options) *client.Connection {
	if all.Lend == nil {
		return nil
	}
	conn := all.Lend(b, o)
	if conn == nil {
		return nil
	}
	if _, err := client.Version(ctx, conn); err != nil {
		return nil
	}
	return conn
}

// start returns a server of the release on a store of its own. None of the runs that ask it
// stops it.
func (all *ScratchServers) start(ctx context.Context, o *fleet.Options, role term.Role, b servers.Build, name string) (*scratchServer, error) {
	s := all.get(name)
	s.once.Do(func() {
		s.err = fault.Guard(func() error { return s.start(all.Lasting(ctx), all.Open, o, role, b, name) })
	})
	if s.err == nil {
		o.Require(role, s.required)
	}
	return s, s.err
}

func (s *scratchServer) start(
	ctx context.Context, open func(context.Context, string) (stores.Store, error), o *fleet.Options, role term.Role, b servers.Build, name string,
) (err error) {
	if s.store, err = open(ctx, name); err != nil {
		return err
	}
	if s.process, err = o.StartAlone(ctx, role, b, name, s.store.Store()); err != nil {
		return err
	}
	s.required = o.RequiredOf(role)
	s.conn, err = fleet.Connect(s.process, 0)
	return err
}

// Dismiss ends all scratch servers after the last request.
func (all *ScratchServers) Dismiss() error {
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
