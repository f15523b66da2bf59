package serverstest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// Subject is what is tested.
type Subject struct {
	// New makes a runtime that keeps its secrets below dir and its logs in
	// logs. Neither exists yet.
	New func(dir, logs string) (servers.Runtime, error)
	// Build is one that the runtime can start.
	Build servers.Build
	// Store makes an empty store that lives until the test ends.
	Store func(t *testing.T) servers.Store
	// Object is one that any server of the build takes.
	Object Object
	// Deadly are options with which the server ends before it is ready, and
	// LastWords what its log then says.
	Deadly    servers.Options
	LastWords string
	// Refused are options that the runtime must refuse to start with.
	Refused servers.Options
}

// Object is created to see whether servers share a store.
type Object struct {
	Collection string // path: /api/v1/namespaces
	Name       string
	Body       string // JSON
}

// Run tests the runtime, a subtest for each promise.
func Run(t *testing.T, s Subject) {
	t.Run("ready server", s.readyServer)
	t.Run("shared store", s.sharedStore)
	t.Run("death", s.death)
	t.Run("death before ready", s.deathBeforeReady)
	t.Run("stop", s.stop)
	t.Run("stop out of time", s.stopOutOfTime)
	t.Run("interrupted start", s.interruptedStart)
	t.Run("start out of time", s.startOutOfTime)
	t.Run("ports", s.ports)
	t.Run("refused options", s.refusedOptions)
	t.Run("names", s.names)
	t.Run("close", s.close)
}

// bench is one runtime under test.
type bench struct {
	Subject
	t         *testing.T
	runtime   servers.Runtime
	store     servers.Store
	dir, logs string
}

func (s Subject) bench(t *testing.T) *bench {
	t.Helper()
	parent := t.TempDir()
	b := &bench{Subject: s, t: t, dir: filepath.Join(parent, "run"), logs: filepath.Join(parent, "logs")}
	b.store = s.Store(t)
	var err error
	if b.runtime, err = s.New(b.dir, b.logs); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.runtime.Close(); err != nil {
			t.Error(err)
		}
		if pids := processes(t, b.dir); len(pids) > 0 {
			t.Errorf("processes %v are left", pids)
		}
	})
	return b
}

func (b *bench) placement(name string) servers.Placement {
	return servers.Placement{Name: name, Store: b.store}
}

func (b *bench) start(name string) servers.Process {
	b.t.Helper()
	p, err := b.runtime.Start(b.t.Context(), b.Build, b.placement(name))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Logf("%s is ready after %s", name, p.ReadyAfter().Round(time.Millisecond))
	return p
}

// await fails the test when the channel is not closed soon.
func await(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatalf("%s: not after 30 s", what)
	}
}

// eventually polls a condition that nothing announces.
func eventually(t *testing.T, what string, met func() bool) {
	t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	limit := time.After(30 * time.Second)
	for !met() {
		select {
		case <-poll.C:
		case <-limit:
			t.Fatalf("%s: not after 30 s", what)
		}
	}
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// private checks that nobody but the owner can look at anything in dir.
func private(t *testing.T, dir string) {
	t.Helper()
	seen := 0
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		seen++
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil || seen < 2 {
		t.Errorf("%s: saw %d files: %v", dir, seen, err)
	}
}
