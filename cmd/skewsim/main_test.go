package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

var update = flag.Bool("update", false, "write golden files anew")

// built holds the directory of the executables that TestMain removes at the end.
var built struct {
	sync.Mutex
	dir string
}

// TestMain lets tests and test scripts call this executable as skewsim, which is on PATH.
func TestMain(m *testing.M) {
	testscript.Main(cleaning{m}, map[string]func(){
		"skewsim": func() {
			a := newApp()
			ctx, stop := a.interruptible(context.Background())
			code := a.execute(ctx, os.Args[1:])
			stop()
			os.Exit(code)
		},
	})
}

// cleaning runs the tests, and removes what was built for all of them.
type cleaning struct{ testscript.TestingM }

func (c cleaning) Run() int {
	code := c.TestingM.Run()
	built.Lock()
	defer built.Unlock()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	return code
}

// buildFrobber builds the reference server once for all tests of the process, and puts it
// on PATH, where skewsim finds it: beside the test there is none.
var buildFrobber = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "skewsim-test-")
	if err != nil {
		return err
	}
	built.Lock()
	built.dir = dir
	built.Unlock()
	build := exec.Command("go", "build", "-o", dir, "../frobber-apiserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // so that an image may hold it alone
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build frobber-apiserver: %w\n%s", err, out)
	}
	return os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
})

// withFrobber is for tests that start Frobber. The test's name says of which tier it is.
func withFrobber(t testing.TB) {
	t.Helper()
	tiers.NeedAny(t)
	if err := buildFrobber(); err != nil {
		t.Fatal(err)
	}
}

// tool returns skewsim as users run it, a process of its own, with Frobber on its PATH.
func tool(t *testing.T) real {
	t.Helper()
	withFrobber(t)
	bin, err := exec.LookPath("skewsim")
	if err != nil {
		t.Fatal(err)
	}
	return real{t, bin}
}

// TestScripts holds the command line: help, errors, exit codes, and what needs
// no server. Each file under testdata/script is one story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SKEWSIM_CACHE", e.WorkDir+"/cache")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("PATH", withoutFrobber(e.Getenv("PATH")))
			return nil
		},
	})
}

// withoutFrobber is a PATH without what buildFrobber puts there, which it may have done
// already: a story that needs no server must not find one.
func withoutFrobber(path string) string {
	built.Lock()
	defer built.Unlock()
	dirs := filepath.SplitList(path)
	return strings.Join(slices.DeleteFunc(dirs, func(dir string) bool { return dir == built.dir }), string(filepath.ListSeparator))
}
