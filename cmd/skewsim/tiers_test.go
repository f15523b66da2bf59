package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// tiersPage says of each scenario in which tiers it is played; `make update` writes it.
const tiersPage = "../../docs/reference/tests.md"

const (
	tiersBegin = "<!-- tiers: written by go test ./cmd/skewsim -run TestEveryScenarioHasATier -update -->\n"
	tiersEnd   = "<!-- end of tiers -->\n"
)

// TestEveryScenarioHasATier: each scenario of the catalogue is played on right releases, as
// an A/A run of each release that has one, and with each of its mutants, in some tier.
// docs/reference/tests.md says in which.
func TestEveryScenarioHasATier(t *testing.T) {
	if os.Getenv(tiers.ShardVariable) != "" {
		t.Skip("a shard plays a part of them")
	}
	entries, err := load.Catalogue()
	require.NoError(t, err)
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n| scenario | right releases | A/A, old | A/A, new | mutants |\n| --- | --- | --- | --- | --- |\n")
	for _, e := range entries {
		in := tiersOf(t, e)
		assert.NotEmpty(t, in.right, "%s: no tier plays it", e.Path())
		for _, role := range []term.Role{term.Old, term.New} {
			assert.Equal(t, hasAA(e, role), len(in.aa[role]) > 0, "%s: A/A run of the %s release: %v", e.Path(), role, in.aa[role])
		}
		for mutant, where := range in.mutants {
			assert.NotEmpty(t, where, "%s: no tier plays it", mutant)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.Path(), tierNames(in.right), tierNames(in.aa[term.Old]), tierNames(in.aa[term.New]), in.ofMutants())
	}
	wantTiersPage(t, b.String()+"\n")
}

// playedIn is where a scenario is played.
type playedIn struct {
	right   []tiers.Tier
	aa      map[term.Role][]tiers.Tier
	mutants map[string][]tiers.Tier
}

func tiersOf(t *testing.T, e load.Entry) playedIn {
	t.Helper()
	in := playedIn{aa: map[term.Role][]tiers.Tier{}, mutants: map[string][]tiers.Tier{}}
	for _, mutant := range e.Scenario.MutantNames() {
		in.mutants[e.Path()+"+"+mutant] = nil
	}
	for _, tier := range tiers.All() {
		p := tiers.Plays(t, tier)
		if slices.Contains(p.Scenarios, e.Path()) && shownIn(t, tier, e) {
			in.right = append(in.right, tier)
		}
		for role, names := range map[term.Role][]string{term.Old: p.Old, term.New: p.New} {
			if slices.Contains(names, e.Path()) && hasAA(e, role) && shownIn(t, tier, e) {
				in.aa[role] = append(in.aa[role], tier)
			}
		}
		for mutant := range in.mutants {
			if slices.Contains(p.Mutants, mutant) {
				in.mutants[mutant] = append(in.mutants[mutant], tier)
			}
		}
	}
	return in
}

// shownIn reports whether the releases that a tier plays can show the scenario: those of the
// Kubernetes tier are one pair, and those of the nightly all.
func shownIn(t *testing.T, tier tiers.Tier, e load.Entry) bool {
	t.Helper()
	if tier != tiers.Kubernetes || e.Scenario.Releases.Of != "kube-apiserver" {
		return true
	}
	return len(shownBy(t, tiers.Plays(t, tier).Pairs[0], []load.Entry{e})) > 0
}

// players are the tests that play what tiers.yaml lists, by tier and what is played. What
// has no player may not stand there.
func players() map[tiers.Tier]map[string]string {
	return map[tiers.Tier]map[string]string{
		tiers.Smoke:   {"frobber": "TestSmokeScripts"},
		tiers.Frobber: {"frobber": "TestFrobberScenarios", "chain of frobber": "TestFrobberTrain", "frobber mutant": "TestFrobberMutants", "frobber A/A": "TestFrobberAA"},
		tiers.Race:    {"frobber": "TestRaceRun"},
		tiers.Kubernetes: {
			"kube-apiserver": "TestKubernetesCatalogue", "chain of kube-apiserver": "TestKubernetesCatalogue", "crd": "TestKubernetesCustomResources",
			"crd mutant": "TestKubernetesCustomResourceMutants", "module": "TestKubernetesModules",
		},
		tiers.Nightly: {
			"frobber": "TestNightlyScenarios", "chain of frobber": "TestNightlyTrain", "frobber mutant": "TestNightlyMutants", "frobber A/A": "TestNightlyAA",
			"kube-apiserver": "TestNightlyCatalogue", "chain of kube-apiserver": "TestNightlyChains", "crd": "TestNightlyCustomResources",
			"crd mutant": "TestNightlyCustomResourceMutants", "module": "TestNightlyModules",
			"kube-apiserver A/A": "TestNightlyAAOnOthers", "crd A/A": "TestNightlyAAOnOthers", "module A/A": "TestNightlyAAOnOthers",
		},
	}
}

// TestWhatIsListedIsPlayed: each entry of tiers.yaml has a test of its tier that plays it.
func TestWhatIsListedIsPlayed(t *testing.T) {
	source := testSource(t)
	smoke := textBelow(t, filepath.Join(scriptDir, "smoke", "*.txtar"))
	for _, name := range tiers.Plays(t, tiers.Smoke).Scenarios {
		assert.Contains(t, smoke, "skewsim run "+name+" ")
	}
	for _, tier := range tiers.All() {
		p := tiers.Plays(t, tier)
		var parts []string
		for _, e := range catalogued(t, p.Scenarios) {
			parts = append(parts, partOf(e))
		}
		for suffix, names := range map[string][]string{" A/A": slices.Concat(p.Old, p.New)} {
			for _, e := range catalogued(t, names) {
				if hasAA(e, term.Old) || hasAA(e, term.New) {
					parts = append(parts, partOf(e)+suffix)
				}
			}
		}
		for _, name := range p.Mutants {
			group, _, _ := strings.Cut(name, "/")
			parts = append(parts, group+" mutant")
		}
		slices.Sort(parts)
		for _, part := range slices.Compact(parts) {
			player := players()[tier][part]
			assert.NotEmpty(t, player, "tier %s: nothing plays %s", tier, part)
			assert.Contains(t, source, "\nfunc "+player+"(t *testing.T)")
		}
	}
}

// partOf names what a scenario is played on.
func partOf(e load.Entry) string {
	switch {
	case e.Scenario.Releases.OfModules():
		return "module"
	case len(e.Scenario.Releases.Through) > 0:
		return "chain of " + e.Scenario.Releases.Of
	}
	return e.Scenario.Releases.Of
}

// testSource is the text of all tests of this package.
func testSource(t *testing.T) string { return textBelow(t, "*_test.go") }

// textBelow is the text of all files that match.
func textBelow(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(raw)
	}
	return all.String()
}

func tierNames(in []tiers.Tier) string {
	var all []string
	for _, tier := range in {
		all = append(all, string(tier))
	}
	return strings.Join(all, ", ")
}

// ofMutants lists the mutants by the tiers that play them.
func (in playedIn) ofMutants() string {
	by := map[string][]string{}
	var order []string
	for mutant, where := range in.mutants {
		at := tierNames(where)
		if by[at] == nil {
			order = append(order, at)
		}
		_, short, _ := strings.Cut(mutant, "+")
		by[at] = append(by[at], "`"+short+"`")
	}
	slices.Sort(order)
	var all []string
	for _, at := range order {
		slices.Sort(by[at])
		all = append(all, strings.Join(by[at], " ")+": "+at)
	}
	return strings.Join(all, "; ")
}

func wantTiersPage(t *testing.T, table string) {
	t.Helper()
	raw, err := os.ReadFile(tiersPage)
	require.NoError(t, err)
	before, rest, begins := strings.Cut(string(raw), tiersBegin)
	_, after, ends := strings.Cut(rest, tiersEnd)
	require.True(t, begins && ends, "%s has no place for the table", tiersPage)
	want := before + tiersBegin + table + tiersEnd + after
	if *update {
		require.NoError(t, os.WriteFile(tiersPage, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(raw), "run make update")
}

// TestShownBy: a pair shows a scenario of its own minors, one of other neighbours that
// applies to it, and no other.
func TestShownBy(t *testing.T) {
	for name, want := range map[string]string{
		"kubernetes/emptydir-mode": "own", "kubernetes/control": "own", "kubernetes/twin-podip": "own",
		"kubernetes/ratchet-ip": "none", "kubernetes/skip-minor": "none", "kubernetes/several-hops": "none", "kubernetes/enum-frozen": "none",
	} {
		const pair = "kube-apiserver@v1.36.3..v1.37.0"
		got := "none"
		for on := range shownBy(t, pair, kubernetesOf(t, []string{name})) {
			got = map[string]string{"": "own", pair: "pair"}[on]
		}
		assert.Equal(t, want, got, name)
	}
	assert.Contains(t, shownBy(t, "kube-apiserver@v1.35.4..v1.36.3", kubernetesOf(t, []string{"kubernetes/control"})), "kube-apiserver@v1.35.4..v1.36.3")
}
