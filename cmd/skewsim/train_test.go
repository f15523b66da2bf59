package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/rundir"
)

// playThrough runs skewsim over a chain in this process, and returns its verdict.
func playThrough(t *testing.T, args ...string) (code int, v chain.Verdict) {
	t.Helper()
	var said bytes.Buffer
	out := filepath.Join(t.TempDir(), "out")
	a := &App{Out: &said, Err: &said}
	began := time.Now()
	code = execute(t.Context(), a, append([]string{"run", "--out", out}, args...))
	t.Logf("%s: exit code %d after %.1f s", strings.Join(args, " "), code, time.Since(began).Seconds())
	raw, err := os.ReadFile(filepath.Join(out, rundir.ChainFile))
	if err != nil {
		t.Fatalf("%s: left no verdict: %v\n%s", args, err, tail(said.String()))
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	for _, leg := range v.Legs {
		if _, err := os.Stat(filepath.Join(out, "legs", leg.Directory, "report.html")); err != nil {
			t.Errorf("leg %s: %v", leg.Directory, err)
		}
		wantNoServers(t, filepath.Join(out, "legs", leg.Directory))
		t.Logf("%-22s %5.1f s, %3d copies, %3d taken over, %d findings", leg.Directory, leg.Seconds, leg.Copies, leg.Adopted, leg.Findings)
	}
	return code, v
}

func TestFrobberTrain(t *testing.T) { playTrain(t, 18, "--through", "frobber@1.0..1.9") }
func TestNightlyTrain(t *testing.T) {
	tiers.NeedFirst(t)
	playTrain(t, 60)
}

// playTrain plays releases of the train, forward and back, on one store. No leg finds
// anything, and every release serves on the way back what it served before.
func playTrain(t *testing.T, legs int, args ...string) {
	withFrobber(t)
	code, v := playThrough(t, append([]string{"train"}, args...)...)
	if code != ExitExpected || v.Verdict != term.Pass || len(v.Legs) != legs || len(v.Findings) > 0 || v.Compared == 0 {
		t.Errorf("exit code %d, %s: %s; %d legs, %d comparisons", code, v.Verdict, v.Reason, len(v.Legs), v.Compared)
	}
}
