package build_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

const hello = `package main

var greeting = "unset"

func main() { println(greeting) }
`

// recipe returns a recipe for a program that prints its version, and counts how often it is
// resolved.
func recipe(version string, resolved *atomic.Int32) build.Recipe {
	return build.Recipe{
		Name: "hello", Version: version, Main: hello,
		Resolve: func(context.Context, *build.Go) (build.Module, error) {
			resolved.Add(1)
			return build.Module{GoMod: "module hello\n\ngo 1.24\n", LDFlags: []string{"-X", "main.greeting=" + version}}, nil
		},
	}
}

// diary is a Progress that records its calls; on is called with each phase.
type diary struct {
	mu          sync.Mutex
	phases      []string
	done, total int
	on          func(phase string)
}

func (d *diary) Phase(text string) {
	d.mu.Lock()
	d.phases = append(d.phases, text)
	d.mu.Unlock()
	if d.on != nil {
		d.on(text)
	}
}

func (d *diary) Packages(done, total int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done, d.total = done, total
}

func (d *diary) all() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.phases, "\n")
}

func open(t *testing.T) *build.Cache {
	t.Helper()
	c, err := build.OpenCache(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func get(t *testing.T, c *build.Cache, r build.Recipe, p build.Progress) build.Built {
	t.Helper()
	b, err := c.Get(t.Context(), r, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// entries returns the entries in the cache's directory, without lock files.
func entries(t *testing.T, c *build.Cache) []string {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(c.Dir(), "builds"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestSmokeBuildsOnce(t *testing.T) {
	tiers.Need(t, tiers.Smoke)
	c, resolved, d := open(t), new(atomic.Int32), &diary{}
	first := get(t, c, recipe("v1", resolved), d)
	out, err := exec.Command(first.Path).CombinedOutput()
	if err != nil || string(out) != "v1\n" {
		t.Fatalf("the program printed %q: %v", out, err)
	}
	if want := "resolving hello v1\ncompiling hello v1"; d.all() != want || d.done != d.total || d.total == 0 {
		t.Errorf("progress %q, %d of %d packages", d.all(), d.done, d.total)
	}
	if !regexp.MustCompile(`^go1\.`).MatchString(first.Toolchain) || first.Took <= 0 || first.Size == 0 || len(first.Digest) != 64 {
		t.Errorf("recorded %+v", first)
	}
	// The second time it needs neither the go command nor the network.
	t.Setenv("PATH", "")
	second := get(t, c, recipe("v1", resolved), nil)
	if diff := cmp.Diff(first, second); diff != "" || resolved.Load() != 1 {
		t.Errorf("resolved %d times; %s", resolved.Load(), diff)
	}
}

// TestFrobberMoreFiles: a program may have more than one file; each influences the build.
func TestFrobberMoreFiles(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	r := recipe("v1", new(atomic.Int32))
	r.Main = "package main\n\nfunc main() { println(word) }\n"
	for _, word := range []string{"one", "two"} {
		r.Files = map[string]string{"word.go": "package main\n\nconst word = \"" + word + "\"\n"}
		out, err := exec.Command(get(t, c, r, nil).Path).CombinedOutput()
		if err != nil || string(out) != word+"\n" {
			t.Errorf("the program printed %q: %v", out, err)
		}
	}
	r.Files = map[string]string{"../word.go": ""}
	if _, err := c.Get(t.Context(), r, nil); err == nil || err.Error() != `recipe: "../word.go" cannot be part of a file name` {
		t.Errorf("Get said %v", err)
	}
}

func TestFrobberFilesArePrivate(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	seen := 0
	err := filepath.Walk(c.Dir(), func(path string, info os.FileInfo, err error) error {
		seen++
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil || seen < 5 {
		t.Errorf("saw %d files: %v", seen, err)
	}
}

func TestFrobberDamagedEntriesAreBuiltAnew(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	for _, c := range []struct {
		name   string
		damage func(b build.Built) error
		says   string
	}{
		{"changed", func(b build.Built) error { return os.WriteFile(b.Path, []byte("x"), 0o700) },
			`building hello v1 again: its executable is damaged: 1 bytes with digest [0-9a-f]{12}, recorded were \d+ with [0-9a-f]{12}`},
		{"a bit flipped", flip,
			`building hello v1 again: its executable is damaged: \d+ bytes with digest [0-9a-f]{12}, recorded were \d+ with [0-9a-f]{12}`},
		{"truncated", func(b build.Built) error { return os.Truncate(b.Path, b.Size/2) },
			`building hello v1 again: its executable is damaged: \d+ bytes with digest [0-9a-f]{12}, recorded were \d+ with [0-9a-f]{12}`},
		{"may not be executed", func(b build.Built) error { return os.Chmod(b.Path, 0o600) },
			`building hello v1 again: its executable may not be executed`},
		{"a directory in its place", func(b build.Built) error {
			return errors.Join(os.Remove(b.Path), os.Mkdir(b.Path, 0o700))
		},
			`building hello v1 again: its executable cannot be read: read .*: is a directory`},
		{"record of nothing", func(b build.Built) error {
			return os.WriteFile(filepath.Dir(b.Path)+"/build.json", []byte("{}"), 0o600)
		},
			`building hello v1 again: build.json is damaged: name ""`},
		{"executable gone", func(b build.Built) error { return os.Remove(b.Path) },
			`building hello v1 again: its executable cannot be read: open .*: no such file or directory`},
		{"record damaged", func(b build.Built) error {
			return os.WriteFile(filepath.Dir(b.Path)+"/build.json", []byte("{"), 0o600)
		},
			`building hello v1 again: build.json is damaged: unexpected end of JSON input`},
		{"record gone", func(b build.Built) error { return os.Remove(filepath.Dir(b.Path) + "/build.json") },
			`resolving hello v1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache, resolved, d := open(t), new(atomic.Int32), &diary{}
			before := get(t, cache, recipe("v1", resolved), nil)
			if err := c.damage(before); err != nil {
				t.Fatal(err)
			}
			after := get(t, cache, recipe("v1", resolved), d)
			if after.Digest != before.Digest || resolved.Load() != 2 {
				t.Errorf("resolved %d times; digest %s, was %s", resolved.Load(), after.Digest, before.Digest)
			}
			if !regexp.MustCompile("^" + c.says + "\n").MatchString(d.all()) {
				t.Errorf("said\n%s\nwant first\n%s", d.all(), c.says)
			}
		})
	}
}

func flip(b build.Built) error {
	text, err := os.ReadFile(b.Path)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 1
	return os.WriteFile(b.Path, text, 0o700)
}

// TestFrobberOneBuildAtATime: of several callers one builds, and the others wait and report that.
func TestFrobberOneBuildAtATime(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c, resolved := open(t), new(atomic.Int32)
	started, waiting := make(chan struct{}), make(chan struct{})
	slow := recipe("v1", resolved)
	resolve := slow.Resolve
	slow.Resolve = func(ctx context.Context, tool *build.Go) (build.Module, error) {
		close(started)
		<-waiting // the build goes on only when somebody waits for it
		return resolve(ctx, tool)
	}
	var wg sync.WaitGroup
	wg.Go(func() { get(t, c, slow, nil) })
	<-started
	d := &diary{on: func(phase string) {
		if strings.HasPrefix(phase, "waiting") {
			close(waiting)
		}
	}}
	get(t, c, recipe("v1", resolved), d)
	wg.Wait()
	if want := "waiting for hello v1, which another process is building"; d.all() != want || resolved.Load() != 1 {
		t.Errorf("resolved %d times; said %q, want %q", resolved.Load(), d.all(), want)
	}
}

// Another version does not wait.
func TestFrobberDifferentVersionsDoNotWait(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c, resolved := open(t), new(atomic.Int32)
	outer := recipe("v1", resolved)
	resolve := outer.Resolve
	outer.Resolve = func(ctx context.Context, tool *build.Go) (build.Module, error) {
		get(t, c, recipe("v2", resolved), nil) // would block for ever
		return resolve(ctx, tool)
	}
	one := get(t, c, outer, nil)
	all, err := c.List()
	if err != nil || len(all) != 2 || all[0].Version != "v1" || all[1].Version != "v2" {
		t.Fatalf("list: %+v %v", all, err)
	}
	if all[0].Used.Before(one.At) {
		t.Errorf("used %s, before it was built at %s", all[0].Used, one.At)
	}
	one.Used = all[0].Used // which only List tells
	if diff := cmp.Diff(one, all[0]); diff != "" {
		t.Error(diff)
	}
	if err := c.Remove(one.Key); err != nil {
		t.Error(err)
	}
	if left := entries(t, c); len(left) != 1 || left[0] != all[1].Key {
		t.Errorf("left %v", left)
	}
	for _, key := range []string{one.Key, "", "../builds", all[1].Key + ".lock"} {
		if err, want := c.Remove(key), fmt.Sprintf("cache: no build %q", key); err == nil || err.Error() != want {
			t.Errorf("Remove said %v, want %s", err, want)
		}
	}
}

func TestFrobberInterruptedBuildLeavesNothing(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	for _, when := range []string{"resolving", "compiling"} {
		t.Run(when, func(t *testing.T) {
			c := open(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			d := &diary{on: func(phase string) {
				if strings.HasPrefix(phase, when) {
					cancel(errors.New("interrupted"))
				}
			}}
			_, err := c.Get(ctx, recipe("v1", new(atomic.Int32)), d)
			if err == nil || !regexp.MustCompile(`^build hello v1: go (env|build): interrupted$`).MatchString(err.Error()) {
				t.Errorf("Get said %v", err)
			}
			if left := entries(t, c); len(left) > 0 {
				t.Errorf("left %v", left)
			}
			get(t, c, recipe("v1", new(atomic.Int32)), nil)
		})
	}
}

func TestFrobberInterruptedWait(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	d := &diary{on: func(string) { cancel(errors.New("interrupted")) }}
	outer := recipe("v1", new(atomic.Int32))
	resolve := outer.Resolve
	outer.Resolve = func(within context.Context, tool *build.Go) (build.Module, error) {
		_, err := c.Get(ctx, recipe("v1", new(atomic.Int32)), d)
		if want := "wait for hello v1, which another process is building: interrupted"; err == nil || err.Error() != want {
			t.Errorf("Get said %v, want %s", err, want)
		}
		return resolve(within, tool)
	}
	get(t, c, outer, nil)
}

// TestNoCache: a cache in a file is an error.
func TestNoCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := build.OpenCache(filepath.Join(file, "cache"))
	if want := "cache: mkdir " + file + ": not a directory; set SKEWSIM_CACHE to a directory that can be written"; err == nil || err.Error() != want {
		t.Errorf("Open said %v, want %s", err, want)
	}
}

// TestFrobberHas: Has reports only what Get would return without a build, and nothing of another
// recipe, or damaged.
func TestFrobberHas(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	r := recipe("v1", new(atomic.Int32))
	has := func(r build.Recipe, want bool, why string) {
		t.Helper()
		if c.Has(r) != want {
			t.Errorf("Has says %t: %s", !want, why)
		}
	}
	has(r, false, "nothing is built")
	b := get(t, c, r, nil)
	has(r, true, "it is built")
	other := r
	other.Revision = "2"
	has(other, false, "only another revision of it is")
	if err := os.Truncate(b.Path, b.Size/2); err != nil {
		t.Fatal(err)
	}
	has(r, false, "it is damaged")
	get(t, c, r, nil)
	has(r, true, "it is built again")
}
