package main

import (
	"context"
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
	fsync bool
	keep  bool
}

func (s stores) open(ctx context.Context, name string) (run.Store, error) {
	at := s.dir.file(filepath.Join("stores", name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return nil, err
	}
	server, err := etcd.Start(ctx, etcd.Config{
		Dir: at, LogPath: s.dir.file(filepath.Join("logs", "etcd-"+name+".log")), Fsync: s.fsync,
	})
	if err != nil {
		return nil, err
	}
	return store{Server: server}, nil
}

// remove takes the stores' data away: the history holds every stored value.
func (s stores) remove() error {
	if s.keep {
		return nil
	}
	return os.RemoveAll(s.dir.file("stores"))
}

// store is an embedded etcd in the form that package run asks for.
type store struct{ *etcd.Server }

func (s store) Store() servers.Store { return s.Server.Store() }

func (s store) Gate() (servers.Gate, error) { return s.Server.Gate() }

func (s store) Follow(ctx context.Context, each func(run.StoreChange)) (run.Follower, error) {
	return s.Watch(ctx, 1, func(e etcd.Event) { each(changeOf(e)) })
}

func changeOf(e etcd.Event) run.StoreChange {
	return run.StoreChange{
		Key: string(e.Key), Value: e.Value, Revision: e.ModRevision, Created: e.CreateRevision,
		Version: e.Version, Deleted: e.Deleted,
	}
}

// lastPart is a key's last part: the name of an object.
func lastPart(key string) string { return key[strings.LastIndex(key, "/")+1:] }
