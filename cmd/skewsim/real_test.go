package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/neighbours"
)

// pairUnderTest is what the real runs play: v1.36.3 and v1.37.0 if they are available.
func pairUnderTest(t testing.TB) string {
	t.Helper()
	old, new := neighbours.Pair(t)
	return pairOf(old, new)
}

func pairOf(old, new servers.Build) string { return old.Reference + ".." + new.Version }

// newField selects the scenario of a field that only the newer release of the pair has:
// of emptyDir.mode, which is new in 1.37, or of another that the pair's newer one has.
func newField(t testing.TB, ofMode, ofGroup string) string {
	t.Helper()
	_, new := neighbours.Pair(t)
	switch minor := semver.MajorMinor(new.Version); {
	case semver.Compare(minor, "v1.37") >= 0:
		return ofMode
	case minor == "v1.36":
		return ofGroup
	default:
		t.Skipf("NOT PLAYED: it needs v1.36 or later as the newer release, and the newest available one with its neighbour is %s", new.Version)
		return ""
	}
}

// real is skewsim as users run it: a process of its own.
type real struct {
	t   *testing.T
	bin string
}

// madeBuilds are made once for all tests of the process.
var madeBuilds struct {
	once sync.Once
	err  error
}

// getBuilds makes the API servers that the tests play, and their releases' typed clients.
// That takes minutes the first time, and says how it goes on.
func getBuilds(builds ...servers.Build) error {
	args := []string{"builds", "get"}
	for _, b := range builds {
		args = append(args, b.Reference, builder.TypedClientPrefix+b.Version)
	}
	get := exec.Command("skewsim", args...)
	get.Stderr = os.Stderr
	out, err := get.Output()
	if err != nil {
		return fmt.Errorf("builds get: %w\n%s", err, out)
	}
	return nil
}

// newReal is for tests that start kube-apiservers. The test's name says of which tier it is.
func newReal(t *testing.T) real {
	t.Helper()
	old, new := neighbours.Pair(t)
	madeBuilds.once.Do(func() { madeBuilds.err = getBuilds(old, new) })
	if madeBuilds.err != nil {
		t.Fatal(madeBuilds.err)
	}
	bin, err := exec.LookPath("skewsim") // this executable, as TestMain has it
	if err != nil {
		t.Fatal(err)
	}
	return real{t, bin}
}

// outcome is what a finished skewsim left.
type outcome struct {
	code           int
	stdout, stderr string
}

func (r real) run(args ...string) outcome {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 20*time.Minute) // the whole catalogue takes some
	defer cancel()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, r.bin, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		r.t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// until runs skewsim, calls act when a line of its output has the text, and
// waits for its end.
func (r real) until(text string, act func(*os.Process), args ...string) outcome {
	r.t.Helper()
	var stderr strings.Builder
	cmd := exec.Command(r.bin, args...)
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	var stdout strings.Builder
	acted := false
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		stdout.WriteString(line)
		if !acted && strings.Contains(line, text) {
			acted = true
			act(cmd.Process)
		}
		if err == io.EOF {
			break
		}
	}
	_ = cmd.Wait() // the exit code says it
	if !acted {
		r.t.Fatalf("no line says %q:\n%s\n%s", text, stdout.String(), stderr.String())
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (o outcome) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d\n%s\n%s", o.code, code, tail(o.stdout), o.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(o.stdout+o.stderr, text) {
			t.Errorf("nothing says %q:\n%s\n%s", text, tail(o.stdout), o.stderr)
		}
	}
}

func tail(text string) string { return text[max(0, len(text)-3000):] }

// serversIn returns the processes whose command line names the directory: every server of a
// run does, for its keys and logs lie there.
func serversIn(dir string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is one
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), dir) || !strings.Contains(string(line), "--etcd-servers") {
			continue // it has ended in between, or is not ours
		}
		pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
		pids = append(pids, pid)
	}
	return pids
}

// wantNoServers waits for a killed run's servers: the kernel ends them, which
// may take it a moment.
func wantNoServers(t *testing.T, dir string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for len(serversIn(dir)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("servers outlive the run: %v", serversIn(dir))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func kill(signal syscall.Signal) func(*os.Process) {
	return func(p *os.Process) { _ = p.Signal(signal) }
}
