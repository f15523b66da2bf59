package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Stores opens etcds below a run directory for package run. The run's own store has the
// name store.
type Stores struct {
	Dir    *rundir.Dir
	Store  Store  // where shared stores are
	Builds Builds // for the image of Store
	// Shared reports whether servers of both releases share the store of a name; nil: only
	// store. Other stores are always in this process.
	Shared func(name string) bool
	Warn   func(text string)
}

func (s Stores) isShared(name string) bool {
	if s.Shared == nil {
		return name == "store"
	}
	return s.Shared(name)
}

// Open opens a store of that name.
func (s Stores) Open(ctx context.Context, name string) (run.Store, error) {
	at := s.Dir.File(filepath.Join("stores", name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return nil, err
	}
	_, before := os.Lstat(at)
	server, err := s.start(ctx, name, at)
	if err != nil {
		if errors.Is(before, fs.ErrNotExist) {
			// Another attempt would find half a store, and report that instead of the
			// cause.
			err = errors.Join(err, os.RemoveAll(at))
		}
		return nil, err
	}
	return store{Server: server}, nil
}

func (s Stores) start(ctx context.Context, name, at string) (*etcd.Server, error) {
	if s.Store.IsElsewhere() && s.isShared(name) {
		return s.connect(ctx, name, at)
	}
	c := etcd.Config{Dir: at, LogPath: s.Dir.File(filepath.Join("logs", "etcd-"+name+".log")), Fsync: s.Store.Fsync}
	if s.Store.Image != "" && s.isShared(name) {
		return s.launch(ctx, c)
	}
	return etcd.Start(ctx, c)
}

// Remove removes the stores' data, unless the user keeps it: the history holds every stored
// value.
func (s Stores) Remove() error {
	if s.Store.Keep && !s.Store.IsElsewhere() {
		return nil
	}
	return os.RemoveAll(s.Dir.File("stores"))
}

// store implements run.Store with an etcd.
type store struct{ *etcd.Server }

func (s store) Store() servers.Store { return s.Server.Store() }

func (s store) Gate() (servers.Gate, error) { return s.Server.Gate() }

func (s store) Follow(ctx context.Context, each func(run.StoreChange)) (run.Follower, error) {
	return s.Watch(ctx, s.First(), func(e etcd.Event) { each(changeOf(e)) })
}

func changeOf(e etcd.Event) run.StoreChange {
	return run.StoreChange{
		Key: string(e.Key), Value: e.Value, Revision: e.ModRevision, Created: e.CreateRevision,
		Version: e.Version, Deleted: e.Deleted,
	}
}

// lastPart is a key's last part: the name of an object.
func lastPart(key string) string { return key[strings.LastIndex(key, "/")+1:] }

// connect opens the shared store in an external etcd.
func (s Stores) connect(ctx context.Context, name, at string) (*etcd.Server, error) {
	c := s.Store.Remote()
	c.Dir, c.LogPath = at, s.Dir.File(filepath.Join("logs", "etcd-"+name+".log"))
	server, err := etcd.Connect(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, prefix := range server.Swept() {
		s.Warn(fmt.Sprintf("removed %s from the etcd: a killed run had left it there", prefix))
	}
	if err := server.Unswept(); err != nil {
		s.Warn(fmt.Sprintf("keys of killed runs are still in the etcd: %v; the next run tries again to remove them", err))
	}
	if c.Keep {
		s.Warn(fmt.Sprintf("the run's keys stay in the etcd, under %s (--keep-store)", server.Prefix()))
	}
	return server, nil
}

// launch starts the shared store in a container.
func (s Stores) launch(ctx context.Context, c etcd.Config) (*etcd.Server, error) {
	engine, b, err := s.Builds.EtcdImage(ctx, s.Store.ImageName())
	if err != nil {
		return nil, err
	}
	return etcd.Launch(ctx, c, func(ctx context.Context, m etcd.Member) (etcd.Running, error) {
		p, err := engine.Run(ctx, container.Spec{
			Image: b.Image, Command: append([]string{b.Path}, m.Arguments...), Reads: []string{m.Certs}, Writes: []string{m.Data},
		}, container.Output{LogPath: m.LogPath})
		if err != nil {
			return nil, err // a nil process in the interface would not be nil
		}
		return p, nil
	})
}

// Reachable checks that an external etcd is fit to use, or that the image of a store
// exists, before anything is built.
func Reachable(ctx context.Context, builds Builds, s Store) error {
	if s.Image != "" {
		_, _, err := builds.EtcdImage(ctx, s.ImageName())
		return err
	}
	if !s.IsElsewhere() {
		return nil
	}
	if err := etcd.Check(ctx, s.Remote()); err != nil {
		return fault.ByUser(fault.Optionf("{etcd}: %w", err))
	}
	return nil
}
