package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// repeatVariable says how often TestNightlySameAgain plays; make repeat sets it to 20.
const repeatVariable = "SKEWSIM_REPEAT"

func repeats(t *testing.T) int {
	t.Helper()
	text := os.Getenv(repeatVariable)
	if text == "" {
		return 3
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		t.Fatalf("%s=%q: want a number of 2 or more", repeatVariable, text)
	}
	return n
}

// TestNightlySameAgain plays a small scenario with findings of many kinds again and
// again, every other time beside loops that keep all cores busy. The same
// scenario, releases and seed give the same plan, byte for byte, and the same
// result but for how long things took.
func TestNightlySameAgain(t *testing.T) {
	tiers.NeedFirst(t)
	r := newReal(t)
	n := repeats(t)
	var first played
	for i := range n {
		stop := func() {}
		if i%2 == 1 {
			stop = burn(runtime.NumCPU())
		}
		again := r.playAgain(t, filepath.Join(t.TempDir(), "out"))
		stop()
		if i == 0 {
			first = again
			continue
		}
		wantSame(t, fmt.Sprintf("run %d of %d: plan.txt", i+1, n), first.plan, again.plan)
		wantSame(t, fmt.Sprintf("run %d of %d: result.json", i+1, n), first.result, again.result)
		if t.Failed() {
			return // the first difference is the one to look at
		}
	}
}

// played is what must be the same each time.
type played struct{ plan, result string }

func (r real) playAgain(t *testing.T, out string) played {
	t.Helper()
	name := newField(t, "loss", "loss-group")
	r.run("run", "testdata/real/"+name+".yaml", "--pair", pairUnderTest(t), "--seed", "7", "--out", out, "--quiet").want(t, ExitExpected, "PASS  "+name+",")
	plan, err := os.ReadFile(filepath.Join(out, "plan.txt"))
	if err != nil {
		t.Fatal(err)
	}
	res := resultOf(t, out)
	if len(res.Findings) == 0 {
		t.Error("no findings: equal results would show nothing")
	}
	return played{string(plan), timeless(t, res)}
}

// timeless is a result less what depends on how long the run took: the timing;
// how often was looked, for a LIST from a cache is asked again until the cache
// has caught up; and the changes in the store, which servers make of themselves
// too. What was judged, and how much, stays.
func timeless(t *testing.T, res result.Result) string {
	t.Helper()
	res.Timing, res.Counts.Looks, res.Counts.Changes = result.Timing{}, 0, 0
	raw, err := json.MarshalIndent(res, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// wantSame shows the first place where two texts differ.
func wantSame(t *testing.T, what, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-200):min(len(text), at+200)] }
	t.Errorf("%s differs from the first run's:\n%s\nwas\n%s", what, around(got), around(want))
}

// burn keeps as many loops busy as there are cores, until it is stopped.
func burn(cores int) (stop func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for range cores {
		all.Go(func() {
			for n := uint64(0); ; n++ {
				if n%(1<<20) == 0 {
					select {
					case <-done:
						return
					default:
					}
				}
			}
		})
	}
	return func() {
		close(done)
		all.Wait()
	}
}

// TestTimelessKeepsFindings: what is left out of the comparison is not what it
// is about.
func TestTimelessKeepsFindings(t *testing.T) {
	one := result.Result{Findings: []result.Finding{{Step: 1}}}
	other := result.Result{Findings: []result.Finding{{Step: 2}}}
	later := one
	later.Timing.Total, later.Counts.Looks, later.Counts.Changes = 9, 9, 9
	if timeless(t, one) != timeless(t, later) {
		t.Error("a slower run counts as another")
	}
	if timeless(t, one) == timeless(t, other) {
		t.Error("another finding counts as the same")
	}
}
