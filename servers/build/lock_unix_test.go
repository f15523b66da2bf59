//go:build unix

package build_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// role makes the test binary another process, which builds for ever in the
// cache that the variable names.
const role = "SKEWSIM_GOBUILD_TEST_CACHE"

func TestMain(m *testing.M) {
	// Programs here have one file, and caches are the tests' own: they may be built.
	os.Setenv(build.BuildsVariable, "on")
	if dir := os.Getenv(role); dir != "" {
		hang(dir)
	}
	os.Exit(m.Run())
}

func hang(dir string) {
	c, err := build.OpenCache(dir)
	if err == nil {
		r := recipe("v1", new(atomic.Int32))
		r.Resolve = func(context.Context, *build.Go) (build.Module, error) {
			fmt.Println("building")
			time.Sleep(time.Hour) // until it is killed; an empty select is a deadlock to Go, which ends the process
			return build.Module{}, errors.New("nobody killed it")
		}
		_, err = c.Get(context.Background(), r, nil)
	}
	fmt.Println(err)
	os.Exit(1)
}

// other starts that process and returns when it builds.
func other(t *testing.T, c *build.Cache) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+c.Dir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "building\n" {
		t.Fatalf("the other process said %q: %v", line, err)
	}
	return cmd
}

// A build in another process is waited for. When that process is killed, its
// lock is free, what it left is removed, and the build is done here.
func TestFrobberBuilderThatDies(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c, resolved := open(t), new(atomic.Int32)
	builder := other(t, c)
	if left := entries(t, c); len(left) != 1 || !strings.Contains(left[0], ".tmp-") {
		t.Fatalf("a build in progress shows as %v", left)
	}
	d := &diary{on: func(phase string) {
		if strings.HasPrefix(phase, "waiting") {
			_ = builder.Process.Kill()
		}
	}}
	b := get(t, c, recipe("v1", resolved), d)
	want := "waiting for hello v1, which another process is building\nresolving hello v1\ncompiling hello v1"
	if d.all() != want || resolved.Load() != 1 {
		t.Errorf("resolved %d times; said\n%s\nwant\n%s", resolved.Load(), d.all(), want)
	}
	if left := entries(t, c); len(left) != 1 || left[0] != b.Key {
		t.Errorf("left %v", left)
	}
}

// What builds of other programs left is removed too, but not from under a
// build that still runs.
func TestFrobberSweepSparesTheLiving(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	other(t, c)
	living := entries(t, c)
	dead := filepath.Join(c.Dir(), "builds", "hello-v0-linux-amd64-0123456789ab.tmp-42")
	if err := os.MkdirAll(filepath.Join(dead, "module"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := get(t, c, recipe("v2", new(atomic.Int32)), nil)
	if _, err := os.Stat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dead build's directory is still there: %v", err)
	}
	if left := strings.Join(entries(t, c), " "); left != living[0]+" "+b.Key {
		t.Errorf("left %s, want %s and %s", left, living[0], b.Key)
	}
}

// What another process builds is not pruned, nor is its lock; after its death both are.
func TestFrobberPruneSparesTheLiving(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	builder := other(t, c)
	living := entries(t, c)
	if all, err := c.Prune(build.Pruning{}, time.Now()); err != nil || len(all) > 0 {
		t.Errorf("pruned %+v: %v", all, err)
	}
	if left := entries(t, c); len(left) != 1 || left[0] != living[0] {
		t.Errorf("left %v, want %v", left, living)
	}
	_ = builder.Process.Kill()
	_ = builder.Wait()
	all, err := c.Prune(build.Pruning{}, time.Now())
	if err != nil || len(all) != 2 || all[0].Leftover != strings.SplitN(living[0], ".tmp-", 2)[0]+".lock" || all[1].Leftover != living[0] {
		t.Errorf("pruned %+v: %v", all, err)
	}
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
}
