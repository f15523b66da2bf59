package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/result"
)

// hops are the scenarios that orders are drawn from, by the minor version of the
// old release: of those of each adjacent pair that expect no violation the one with
// most lines.
func hops(t *testing.T) map[int]*scenarios.Scenario {
	t.Helper()
	all := map[int]*scenarios.Scenario{}
	for _, s := range frobberScenarios(t) {
		from, to, err := servers.ParsePair(s.Releases.Pair)
		if err != nil {
			t.Fatal(err)
		}
		old, new := minor(from.Version), minor(to.Version)
		if old < 0 || new != old+1 || s.ExpectsViolation() > 0 {
			continue
		}
		if best := all[old]; best == nil || len(s.Play) > len(best.Play) {
			all[old] = s
		}
	}
	return all
}

// minor is n of the version 1.n; -1: it is the version of a mutant.
func minor(version string) int {
	_, text, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(strings.TrimSuffix(text, ".0"))
	if err != nil {
		return -1
	}
	return n
}

// lastOfTrain is the minor version of the train's last release.
const lastOfTrain = 30

// TestOrdersOfEachPair: each adjacent pair of the train has a scenario that plays orders.
func TestOrdersOfEachPair(t *testing.T) {
	all := hops(t)
	for old := range lastOfTrain {
		if all[old] == nil {
			t.Errorf("frobber@1.%d..1.%d: no scenario plays this pair", old, old+1)
		}
	}
}

// TestNightlyOrders plays orders of operations on each adjacent pair of the train: they
// find nothing but impacts, and what the scenario expects. TestFrobberScenarios plays a few.
func TestNightlyOrders(t *testing.T) {
	const orders = 200
	withFrobber(t)
	all := hops(t)
	took := make([]time.Duration, lastOfTrain)
	steps := make([]int, lastOfTrain)
	t.Run("pairs", func(t *testing.T) {
		for _, old := range tiers.Shard(t, slices.Sorted(maps.Keys(all))) {
			s := all[old]
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				code, res := playScenario(t, s.Name, "--orders", fmt.Sprint(orders))
				took[old], steps[old] = time.Since(began), res.Counts.OrderSteps
				if code != ExitExpected || res.Verdict != term.Pass || res.Counts.Orders != orders {
					t.Errorf("exit code %d, %s: %s; %d orders%s", code, res.Verdict, res.Reason, res.Counts.Orders, unexpectedIn(res))
				}
			})
		}
	})
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "pair\tscenario\tsteps of orders\tseconds\t")
	for old, d := range took {
		if all[old] != nil {
			fmt.Fprintf(table, "1.%d..1.%d\t%s\t%d\t%.1f\t\n", old, old+1, all[old].Name, steps[old], d.Seconds())
		}
	}
	_ = table.Flush() // into memory
	t.Logf("%d orders on each pair, seed 0:\n%s", orders, b.String())
}

// unexpectedIn are the first findings that nobody expected, in words.
func unexpectedIn(res result.Result) string {
	text := ""
	for _, f := range res.Findings {
		if !f.Expected && strings.Count(text, "\n") < 5 {
			text += "\n" + f.Message
		}
	}
	return text
}
