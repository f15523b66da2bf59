package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/result"
)

// onFrobber is the component whose scenarios are played here.
const onFrobber = "frobber"

// frobberScenarios are those of the catalogue that play a pair.
func frobberScenarios(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	entries, err := load.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var all []*scenarios.Scenario
	for _, e := range entries {
		if e.Scenario.Releases.Of == onFrobber && len(e.Scenario.Releases.Through) == 0 {
			all = append(all, e.Scenario)
		}
	}
	if len(all) == 0 {
		t.Fatal("the catalogue has no scenario of " + onFrobber)
	}
	return all
}

// frobberOf returns the scenarios of these names that play a pair of Frobber's releases.
func frobberOf(t *testing.T, names []string) (all []*scenarios.Scenario) {
	t.Helper()
	for _, name := range names {
		s, err := load.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Releases.Of == onFrobber && len(s.Releases.Through) == 0 {
			all = append(all, s)
		}
	}
	return all
}

// wantSome fails a test that would play nothing, unless a part of the nightly may be empty.
func wantSome[T any](t *testing.T, all []T) {
	t.Helper()
	if len(all) == 0 && !tiers.Split() {
		t.Fatal("there is nothing to play: see tiers.yaml")
	}
}

// playScenario runs skewsim in this process, into a directory of its own, and returns its exit
// code and the result.
func playScenario(t *testing.T, args ...string) (code int, res result.Result) {
	t.Helper()
	var said bytes.Buffer
	out := filepath.Join(t.TempDir(), "out")
	a := &App{Out: &said, Err: &said}
	began := time.Now()
	code = execute(t.Context(), a, append([]string{"run", "--quiet", "--out", out}, args...))
	t.Logf("%s: exit code %d after %.1f s", strings.Join(args, " "), code, time.Since(began).Seconds())
	if _, err := os.Stat(filepath.Join(out, "result.json")); err != nil {
		t.Fatalf("%s: left no result:\n%s", args, tail(said.String()))
	}
	wantNoServers(t, out)
	return code, resultOf(t, out)
}

func TestFrobberScenarios(t *testing.T) { playScenarios(t, tiers.Frobber, 20) }
func TestNightlyScenarios(t *testing.T) { playScenarios(t, tiers.Nightly, 0) }

// playScenarios: each scenario finds on the right releases exactly what it expects. With
// orders, one scenario of each adjacent pair plays so many beside its own copies: they find
// nothing but impacts. Chains have a test of their own. It prints how long each took.
func playScenarios(t *testing.T, tier tiers.Tier, orders int) {
	withFrobber(t)
	ordered := slices.Collect(maps.Values(hops(t)))
	var times timings
	began := time.Now()
	t.Run("played", func(t *testing.T) {
		all := frobberOf(t, tiers.Plays(t, tier).Scenarios)
		wantSome(t, all)
		for _, s := range all {
			t.Run(s.Name, func(t *testing.T) {
				// A server that cannot fill its cache tries ever more slowly: what waits
				// for it is not held up by others.
				if s.ExpectsViolation() == 0 {
					t.Parallel()
				}
				began := time.Now()
				var args []string
				if orders > 0 && slices.ContainsFunc(ordered, func(o *scenarios.Scenario) bool { return o.Name == s.Name }) {
					args = []string{"--orders", fmt.Sprint(orders)}
				}
				code, res := playScenario(t, append(args, s.Name)...)
				times.add(s.Name, time.Since(began))
				if args != nil && res.Counts.Orders != orders {
					t.Errorf("%d orders, want %d", res.Counts.Orders, orders)
				}
				if code != ExitExpected || res.Verdict != term.Pass || res.Mutant != nil {
					t.Errorf("exit code %d, %s: %s; mutant %v", code, res.Verdict, res.Reason, res.Mutant)
				}
			})
		}
	})
	if err := times.print(t.Output(), time.Since(began)); err != nil {
		t.Error(err)
	}
}

// TestFrobberThreeReplicas: a right pair finds what it expects with three replicas too, and a
// mutant is caught while two of them still run the old release.
func TestFrobberThreeReplicas(t *testing.T) {
	withFrobber(t)
	t.Run("right", func(t *testing.T) {
		t.Parallel()
		code, res := playScenario(t, lean(t, t.TempDir(), "three", "replicas: 3\n"))
		if code != ExitExpected || res.Verdict != term.Pass || len(res.Findings) == 0 {
			t.Errorf("exit code %d, %s: %s; %d findings", code, res.Verdict, res.Reason, len(res.Findings))
		}
	})
	t.Run("mutant", func(t *testing.T) {
		t.Parallel()
		code, res := playWith(t, "frobber/gate-off+clears", runFlags{}, func(s *scenarios.Scenario) { s.Replicas, s.Journey = 3, s.Journey[:1] })
		at := slices.IndexFunc(res.Findings, func(f result.Finding) bool {
			return !f.Expected && f.Class == term.Violation && f.Stage == "upgrading 1/3"
		})
		if code != ExitDiffers || at < 0 {
			t.Errorf("exit code %d, %s: %s; no violation with two old replicas", code, res.Verdict, res.Reason)
		}
	})
}

// timings are how long scenarios took.
type timings struct {
	mutex sync.Mutex
	took  map[string]time.Duration
}

func (all *timings) add(name string, took time.Duration) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	if all.took == nil {
		all.took = map[string]time.Duration{}
	}
	all.took[name] = took
}

// print writes the slowest first. Runs that overlap add up to more than the whole.
func (all *timings) print(w io.Writer, whole time.Duration) error {
	names := slices.SortedFunc(maps.Keys(all.took), func(a, b string) int {
		return cmp.Or(cmp.Compare(all.took[b], all.took[a]), cmp.Compare(a, b))
	})
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\nscenario\tseconds\t")
	for _, name := range names {
		fmt.Fprintf(table, "%s\t%.1f\t\n", name, all.took[name].Seconds())
	}
	fmt.Fprintf(table, "%d scenarios, side by side\t%.0f\t\n", len(names), whole.Seconds())
	return table.Flush()
}

func TestFrobberAA(t *testing.T) { playAA(t, tiers.Frobber, backOnly) }
func TestNightlyAA(t *testing.T) { playAA(t, tiers.Nightly, whole) }

// backOnly leaves out the second upgrade: in an A/A run it repeats the first.
func backOnly(s *scenarios.Scenario) { s.Journey = s.Journey[:min(2, len(s.Journey))] }

// playAA: an A/A run finds nothing. The same scenarios give their
// findings in playScenarios, and their mutants in playMutants.
func playAA(t *testing.T, tier tiers.Tier, of func(*scenarios.Scenario)) {
	withFrobber(t)
	p := tiers.Plays(t, tier)
	wantSome(t, slices.Concat(p.Old, p.New))
	for role, names := range map[term.Role][]string{term.Old: p.Old, term.New: p.New} {
		for _, s := range frobberOf(t, names) {
			t.Run(s.Name+" "+string(role), func(t *testing.T) {
				t.Parallel()
				code, res := playWith(t, s.Name, runFlags{Request: engine.Request{AA: role}}, of)
				if code != ExitExpected {
					t.Errorf("exit code %d", code)
				}
				wantSilence(t, res)
			})
		}
	}
}
