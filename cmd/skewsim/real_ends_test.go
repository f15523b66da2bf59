package main

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// TestKubernetesKilled ends a run by SIGKILL: no server is left, and what was seen can be
// judged and reported. TestSmokeEndsInTheMiddle ends runs in every other way.
func TestKubernetesKilled(t *testing.T) {
	endsInTheMiddle(t, newReal(t), "new: a=new b=new", killed, "", "--pair", pairUnderTest(t), "testdata/real/small.yaml")
}

// TestSmokeEndsInTheMiddle ends runs by Ctrl-C, by SIGKILL and by the death of a server. The
// tests of sim/run end runs at each step, on fakes.
func TestSmokeEndsInTheMiddle(t *testing.T) {
	r := tool(t)
	for name, c := range map[string]struct {
		at  string
		act func(*testing.T, string) func(*os.Process)
		end history.Outcome // "": it could not say
	}{
		"ctrl-c at a start":            {"create the namespace", interrupt, history.Interrupted},
		"ctrl-c while servers warm up": {"upgrading 1/2: a=new b=old", interrupt, history.Interrupted},
		"ctrl-c twice":                 {"merge-patch frobber-bystander", interruptTwice, history.Interrupted},
		"ctrl-c at an operation":       {"merge-patch frobber-bystander", interrupt, history.Interrupted},
		"ctrl-c in a rollback":         {"rolling-back 1/2", interrupt, history.Interrupted},
		"servers die":                  {"upgrading 1/2: a=new b=old", killServer, history.Failed},
		"skewsim is killed":            {"new: a=new b=new", killed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endsInTheMiddle(t, real{t, r.bin}, c.at, c.act, c.end, lean(t, t.TempDir(), "small", ""))
		})
	}
}

// endsInTheMiddle ends a run when its output has the text, and holds what it leaves.
func endsInTheMiddle(t *testing.T, r real, at string, act func(*testing.T, string) func(*os.Process), end history.Outcome, args ...string) {
	t.Helper()
	out, code := filepath.Join(t.TempDir(), "out"), ExitUnjudged
	if end == "" {
		code = -1
	}
	r.until(at, act(t, out), append([]string{"run", "--out", out}, args...)...).want(t, code)
	wantNoServers(t, out)
	for _, name := range []string{"result.json", "report.html"} { // only who was killed has left none
		if _, err := os.Stat(filepath.Join(out, name)); err == nil == (end == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	h, err := history.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if end == "" != (h.End == nil) || h.End != nil && h.End.Outcome != end {
		t.Errorf("ended with %+v, want %q", h.End, end)
	}
	r.run("judge", out).want(t, ExitUnjudged)
	r.run("report", out).want(t, ExitExpected)
	res := resultOf(t, out)
	if res.Verdict != term.Unknown || len(res.Findings) > 0 && !allExpected(res) {
		t.Errorf("%s: %s; %d findings", res.Verdict, res.Reason, len(res.Findings))
	}
	if _, err := os.Stat(filepath.Join(out, "secrets")); err == nil && code != -1 {
		t.Error("secrets: still there after the run")
	}
}

func allExpected(res result.Result) bool {
	return !slices.ContainsFunc(res.Findings, func(f result.Finding) bool { return !f.Expected })
}

func interrupt(*testing.T, string) func(*os.Process) { return kill(syscall.SIGINT) }

// interruptTwice sends the second signal while the first one's way out is under way.
func interruptTwice(*testing.T, string) func(*os.Process) {
	return func(p *os.Process) {
		_ = p.Signal(syscall.SIGINT)
		time.Sleep(20 * time.Millisecond) // two signals of one kind that wait are one
		_ = p.Signal(syscall.SIGINT)
	}
}

func killed(*testing.T, string) func(*os.Process) { return kill(syscall.SIGKILL) }

func killServer(t *testing.T, out string) func(*os.Process) {
	return func(*os.Process) {
		pids := serversOf(t, out)
		if len(pids) == 0 {
			t.Fatal("no server runs")
		}
		for _, pid := range pids { // one alone may be a server that has just been replaced
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
