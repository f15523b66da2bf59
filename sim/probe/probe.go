package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/client"
)

// Config says what to start.
type Config struct {
	Build servers.Build
	// Runtime returns what starts servers.
	Runtime func(secrets, logs string) (servers.Runtime, error)
	// Temporary receives the directory that must not outlive the process; nil: nobody does.
	Temporary func(dir string)
	// Logs is a directory that keeps the log of a server that does not become ready, or ends by
	// itself; "": each log goes with its server.
	Logs string
	// Name is the server's name in its log and in errors. Default: probe.
	Name string
	// Options are those of the server. Gates that its gates depend on are switched too, unless
	// Options name them.
	Options servers.Options
	// EveryAPI has the server serve every version that it can serve, if its APIs can be
	// switched. Options.RuntimeConfig is laid over that.
	EveryAPI bool
	// Store is where the server stores. Default: a store of its own, which ends with it.
	Store *servers.Store
	// ReadyWithin and MayNotRead are those of servers.Placement.
	ReadyWithin time.Duration
	MayNotRead  []string
}

// Server is a running server that belongs to no run.
type Server struct {
	Conn    *client.Connection
	Process servers.Process
	Build   servers.Build
	// Version is what the server reports.
	Version string
	// Store is where it stores.
	Store servers.Store
	// Etcd is the store; nil if Config names one.
	Etcd *etcd.Server
	// Options are those that it was started with. Gates are the gates among them, with those that they depend on.
	Options servers.Options
	Gates   map[string]bool

	ends   []func() error // in the order of making
	again  func(ctx context.Context) error
	starts int
	logs   []string // of the processes that were replaced
	kept   []string // where Config.Logs has the logs of all starts
	ready  bool
}

// Close stops the server and removes what it left.
func (s *Server) Close() error {
	var all []error
	if s.ready && s.Process.Err() == nil && len(s.logs) == 0 {
		for _, log := range s.kept {
			s.ends = append([]func() error{func() error { return os.RemoveAll(log) }}, s.ends...)
		}
	}
	for i := len(s.ends) - 1; i >= 0; i-- {
		all = append(all, s.ends[i]())
	}
	s.ends = nil
	return errors.Join(all...)
}

// Start starts a server, and returns when it is ready. If it fails, it leaves nothing.
func Start(ctx context.Context, c Config) (_ *Server, err error) {
	s := &Server{Build: c.Build}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	dir, err := s.folder(c)
	if err != nil {
		return nil, err
	}
	if err := s.openStore(ctx, c, dir); err != nil {
		return nil, err
	}
	runtime, err := c.Runtime(filepath.Join(dir, "secrets"), cmp.Or(c.Logs, filepath.Join(dir, "logs")))
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, runtime.Close)
	if err := s.launch(ctx, c, runtime); err != nil {
		return nil, err
	}
	s.again = func(ctx context.Context) error {
		c.Options.FeatureGates = s.Gates
		return s.launch(ctx, c, runtime)
	}
	said, err := client.Version(ctx, s.Conn)
	if err != nil {
		return nil, err
	}
	s.Version, s.ready = c.Build.VersionOf(said), true
	return s, nil
}

// Restart starts a server that ended again, on the same store and with the same options, and returns
// the new connection. It must not be called by two callers at once.
func (s *Server) Restart(ctx context.Context) (*client.Connection, error) {
	s.Process.Kill() // it may live and not answer
	s.logs = append(s.logs, s.Process.LogPath())
	if err := s.again(ctx); err != nil {
		return nil, err
	}
	return s.Conn, nil
}

// LogPaths returns the logs of the server, one for each start.
func (s *Server) LogPaths() []string { return append(slices.Clone(s.logs), s.Process.LogPath()) }

// folder makes the directory of everything that the server leaves.
func (s *Server) folder(c Config) (string, error) {
	dir, err := os.MkdirTemp("", "skewsim-probe-")
	if err != nil {
		return "", err
	}
	if c.Temporary != nil {
		c.Temporary(dir)
	}
	s.ends = append(s.ends, func() error { return os.RemoveAll(dir) })
	return dir, nil
}

func (s *Server) openStore(ctx context.Context, c Config, dir string) error {
	if c.Store != nil {
		s.Store = *c.Store
		return nil
	}
	log := filepath.Join(dir, "etcd.log")
	if c.Logs != "" {
		if err := os.MkdirAll(c.Logs, 0o700); err != nil {
			return err
		}
		log = filepath.Join(c.Logs, cmp.Or(c.Name, "probe")+"-etcd.log")
		s.kept = append(s.kept, log)
	}
	store, err := etcd.Start(ctx, etcd.Config{Dir: filepath.Join(dir, "store"), LogPath: log})
	if err != nil {
		return err
	}
	s.ends = append(s.ends, store.Close)
	s.Store, s.Etcd = store.Store(), store
	return nil
}

// launch starts the server, again with more gates if its gates depend on others, and connects.
func (s *Server) launch(ctx context.Context, c Config, runtime servers.Runtime) error {
	options := c.options(ctx)
	given := func(gate string) bool { _, is := c.Options.FeatureGates[gate]; return is }
	process, err := servers.StartFollowing(func(int) (servers.Process, error) {
		at := servers.Placement{Name: cmp.Or(c.Name, "probe"), Store: s.Store, Options: options, ReadyWithin: c.ReadyWithin, MayNotRead: c.MayNotRead}
		if s.starts++; s.starts > 1 {
			at.Name = fmt.Sprintf("%s-%d", at.Name, s.starts)
		}
		if c.Logs != "" {
			s.kept = append(s.kept, filepath.Join(c.Logs, at.Name+".log"))
		}
		return runtime.Start(ctx, c.Build, at)
	}, func(ended error) bool { return len(servers.FollowGates(ended, true, options.FeatureGates, given)) > 0 })
	if err != nil {
		return fmt.Errorf("start %s: %w", c.Build.Reference, err)
	}
	s.Process, s.Options, s.Gates = process, options, options.FeatureGates
	s.ends = append(s.ends, func() error { process.Kill(); return nil })
	s.Conn, err = connect(process)
	return err
}

// options returns the options of the server, which launch may change.
func (c Config) options(ctx context.Context) servers.Options {
	o := c.Options
	o.FeatureGates = map[string]bool{}
	maps.Copy(o.FeatureGates, c.Options.FeatureGates)
	if c.EveryAPI && builder.SwitchesAPIs(ctx, c.Build) {
		o.RuntimeConfig = builder.EveryAPI()
		maps.Copy(o.RuntimeConfig, c.Options.RuntimeConfig)
	}
	return o
}

func connect(p servers.Process) (*client.Connection, error) {
	e := p.Endpoint()
	return client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: func(ctx context.Context, auditID string) *client.Panic {
		return (*client.Panic)(servers.AwaitPanic(ctx, p, auditID))
	}})
}
