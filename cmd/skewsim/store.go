package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/run"
)

// stores opens etcds below a run directory: package run knows none itself.
type stores struct {
	dir   *runDir
	flags storeFlags
	// shared tells, by its name, a store that servers of both releases share. Those lie
	// where the flags say; scratch stores are always in this process.
	shared func(name string) bool
	say    func(format string, args ...any)
	app    *app // for its containers
}

// newStores opens what the flags say below the directory. The run's own store is called
// store.
func (a *app) newStores(dir *runDir, f storeFlags) stores {
	say := func(format string, args ...any) { fmt.Fprintf(a.err, "skewsim: "+format+"\n", args...) }
	return stores{dir: dir, flags: f, say: say, app: a, shared: func(name string) bool { return name == "store" }}
}

func (s stores) open(ctx context.Context, name string) (run.Store, error) {
	at := s.dir.file(filepath.Join("stores", name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return nil, err
	}
	_, before := os.Lstat(at)
	server, err := s.start(ctx, name, at)
	if err != nil {
		if errors.Is(before, fs.ErrNotExist) {
			// Another attempt would find half a store, and say that instead of why.
			err = errors.Join(err, os.RemoveAll(at))
		}
		return nil, err
	}
	return store{Server: server}, nil
}

func (s stores) start(ctx context.Context, name, at string) (*etcd.Server, error) {
	if s.flags.elsewhere() && s.shared(name) {
		return s.connect(ctx, name, at)
	}
	c := etcd.Config{Dir: at, LogPath: s.dir.file(filepath.Join("logs", "etcd-"+name+".log")), Fsync: s.flags.fsync}
	if s.flags.at != "" && s.shared(name) {
		return s.app.launchEtcd(ctx, s.flags.image(), c)
	}
	return etcd.Start(ctx, c)
}

// remove takes the stores' data away: the history holds every stored value.
func (s stores) remove() error {
	if s.flags.keep && !s.flags.elsewhere() {
		return nil
	}
	return os.RemoveAll(s.dir.file("stores"))
}

// store is an etcd in the form that package run asks for.
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
