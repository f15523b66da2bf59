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

func TestSmokeTrain(t *testing.T)   { playTrain(t, 6, "--through", "frobber@1.2..1.5") }
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

// TestFrobberTrainWithMutant: a mistake in the midst of the train fails the leg that meets
// it, and the legs around it go on; halted there, none has a way back.
func TestFrobberTrainWithMutant(t *testing.T) {
	withFrobber(t)
	code, v := playThrough(t, "train", "--forward", "--through", "frobber@1.1,1.2,1.3+forgets,1.4,1.5")
	if code != ExitDiffers || v.Verdict != term.Fail || len(v.Legs) != 4 || !v.Forward {
		t.Fatalf("exit code %d, %s: %s; %d legs", code, v.Verdict, v.Reason, len(v.Legs))
	}
	for i, want := range []term.VerdictWord{term.Pass, term.Pass, term.Fail, term.Pass} {
		if leg := v.Legs[i]; leg.Verdict != want {
			t.Errorf("leg %s: %s: %s, want %s", leg.Directory, leg.Verdict, leg.Reason, want)
		}
	}
}

// TestFrobberTrainCarries: what a release in the midst adds is carried over the hops that
// follow, and a release that drops it is caught; the right one passes.
func TestFrobberTrainCarries(t *testing.T) {
	withFrobber(t)
	code, v := playThrough(t, "train", "--through", "frobber@1.5,1.6,1.7")
	if code != ExitExpected || v.Verdict != term.Pass || len(v.Uncaught) > 0 {
		t.Errorf("exit code %d, %s: %s; uncaught: %v", code, v.Verdict, v.Reason, v.Uncaught)
	}
	code, v = playThrough(t, "train", "--through", "frobber@1.5,1.6+omits,1.7")
	if code != ExitDiffers || v.Verdict != term.Fail || v.Legs[0].Verdict != term.Fail {
		t.Fatalf("exit code %d, %s: %s", code, v.Verdict, v.Reason)
	}
	if told := strings.Join(v.Legs[0].Unexpected, "\n"); !strings.Contains(told, "Frobber plural-l01-treated-") || !strings.Contains(told, ".spec.params") {
		t.Errorf("leg 1 tells nothing of the plural: %s", told)
	}
}

// TestFrobberTrainUnserved: 1.4+unserved fails the legs that it is in. The next one back is
// not blamed: what could not be taken over was written again all the same.
func TestFrobberTrainUnserved(t *testing.T) {
	withFrobber(t)
	_, v := playThrough(t, "train", "--through", "frobber@1.2,1.3,1.4+unserved,1.5")
	if len(v.Legs) != 6 || v.Legs[5].Verdict != term.Pass {
		t.Errorf("%s: %s; %+v", v.Verdict, v.Reason, v.Legs)
	}
}

// TestFrobberTrainUnwritten: without a storage rewrite on the way back, 1.2 cannot read
// what 1.4 has stored, though each hop is safe by itself.
func TestFrobberTrainUnwritten(t *testing.T) {
	withFrobber(t)
	code, v := playThrough(t, "train", "--without-rewrite", "--through", "frobber@1.2,1.3,1.4")
	if code != ExitDiffers || v.Verdict != term.Fail || len(v.Legs) != 4 {
		t.Fatalf("exit code %d, %s: %s; %d legs", code, v.Verdict, v.Reason, len(v.Legs))
	}
	if last := v.Legs[3]; last.Verdict != term.Fail || !strings.HasPrefix(last.Reason, string(term.CheckEverythingDecodes)) {
		t.Errorf("leg %s: %s: %s", last.Directory, last.Verdict, last.Reason)
	}
	code, v = playThrough(t, "train", "--through", "frobber@1.2,1.3,1.4")
	if code != ExitExpected || v.Verdict != term.Pass {
		t.Errorf("with a rewrite: exit code %d, %s: %s", code, v.Verdict, v.Reason)
	}
}
