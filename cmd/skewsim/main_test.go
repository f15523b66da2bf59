package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/frobber/cli"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

var update = flag.Bool("update", false, "write golden files anew")

// built is the directory, on PATH, of the executables that are built for all tests of the
// process. TestMain makes and removes it.
var built string

// TestMain lets tests and test scripts call this executable as skewsim, which is on PATH.
// Started as the reference server, it is that.
func TestMain(m *testing.M) {
	if isReferenceServer() {
		os.Exit(cli.Main(os.Args[2:]))
	}
	testscript.Main(cleaning{m}, map[string]func(){
		"skewsim": func() {
			a := newApp()
			a.ReferenceServerOnPath = referenceServerOnPath()
			ctx, stop := a.Interruptible(context.Background())
			code := execute(ctx, a, os.Args[1:])
			stop()
			os.Exit(code)
		},
	})
}

// cleaning runs the tests with a directory for what is built for all of them.
type cleaning struct{ testscript.TestingM }

func (c cleaning) Run() int {
	dir, err := os.MkdirTemp("", "skewsim-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		built = dir
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return c.TestingM.Run()
}

// onPathVariable has tests play the frobber-apiserver on PATH, such as a script, or one without
// the race detector.
const onPathVariable = "SKEWSIM_TEST_FROBBER_ON_PATH"

func referenceServerOnPath() bool { return os.Getenv(onPathVariable) != "" }

// buildFrobber builds the reference server once for all tests of the process, on PATH. Few
// tests need it: the test binary is a reference server itself.
var buildFrobber = sync.OnceValue(func() error {
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", built, "../frobber-apiserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // so that an image may hold it alone
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build frobber-apiserver: %w\n%s", err, out)
	}
	return nil
})

// withFrobber is for tests that start Frobber. The test's name says of which tier it is.
func withFrobber(t testing.TB) {
	t.Helper()
	tiers.NeedAny(t)
}

// frobberOnPath returns the path of an executable that is the reference server and nothing
// else, and has the test play it.
func frobberOnPath(t testing.TB) string {
	t.Helper()
	withFrobber(t)
	if err := buildFrobber(); err != nil {
		t.Fatal(err)
	}
	t.Setenv(onPathVariable, "1")
	return filepath.Join(built, "frobber-apiserver")
}

// frobberReleases returns the names of the reference server's releases, mutants and variants.
func frobberReleases(t *testing.T) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(self, frobberapiserver.Subcommand, "releases").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// tool returns skewsim as users run it, a process of its own.
func tool(t *testing.T) real {
	t.Helper()
	withFrobber(t)
	bin, err := exec.LookPath("skewsim")
	if err != nil {
		t.Fatal(err)
	}
	return real{t, bin}
}
