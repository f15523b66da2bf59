package oracle_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/recorded"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/storage"
)

// testdata/histories are small parts of real runs: see package recorded.
const histories = "testdata/histories"

// notRecorded are the runs whose histories are not there yet, by patterns of their names,
// and the builds that they wait for.
func notRecorded() map[string]string {
	return nil
}

func openHistories(t *testing.T) *recorded.Archive {
	t.Helper()
	a, err := recorded.Open(histories)
	require.NoError(t, err)
	return a
}

func readHistory(t *testing.T, a *recorded.Archive, name string) recorded.Fixture {
	t.Helper()
	f, err := a.Read(name)
	require.NoError(t, err)
	return f
}

// TestHistories judges every recorded history anew. The oracle makes of it what it made
// when it was recorded, and a mutant is caught by the check that its scenario names.
func TestHistories(t *testing.T) {
	a, mutants := openHistories(t), mutantsOf(t)
	require.NotEmpty(t, a.Entries)
	for _, want := range a.Entries {
		t.Run(want.Name, func(t *testing.T) {
			f := readHistory(t, a, want.Name)
			res, _ := oracle.Judge(f.History, f.Schemas)
			assert.NoError(t, res.Contradictions())
			assert.Equal(t, want, recorded.Summarize(want.Name, res), "what the oracle says has changed: if that is meant, go run ./sim/oracle/recorded/record -judge, at the root")
			if f.History.Header.Plan.Mutant == nil {
				assert.Equal(t, term.Pass, res.Verdict, "the releases are right: %s", res.Reason)
				return
			}
			caught, known := mutants[res.FullName()]
			require.True(t, known, "no mutant of the catalogue is called %s", res.FullName())
			assert.Equal(t, want.Name, res.FullName(), "a mutant's history has its name")
			assert.True(t, res.Mutant.Caught)
			assert.Equal(t, caught.Check, want.Caught)
			recordedAs := res.Mutant.Expectation
			recordedAs.Line = caught.Line // where it stands in the file makes no difference
			assert.Equal(t, caught, recordedAs, "the scenario has changed since: record it again")
		})
	}
}

// mutantsOf are the catalogue's mutants, such as add-field+required, with what catches them.
func mutantsOf(t *testing.T) map[string]scenarios.Expectation {
	t.Helper()
	catalogue, err := load.Catalogue()
	require.NoError(t, err)
	all := map[string]scenarios.Expectation{}
	for _, entry := range catalogue {
		for name, mutant := range entry.Scenario.Mutants {
			all[entry.Name+"+"+name] = mutant.Caught
		}
	}
	return all
}

// TestHistoriesAreThoseListed: every mutant of the catalogue, and every run of runs.yaml,
// has a history, and nothing else has one.
func TestHistoriesAreThoseListed(t *testing.T) {
	a := openHistories(t)
	runs, err := recorded.Runs()
	require.NoError(t, err)
	var listed, found []string
	for _, r := range runs {
		listed = append(listed, r.Name)
	}
	for _, e := range a.Entries {
		found = append(found, e.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(mutantsOf(t))) {
		assert.Contains(t, listed, name)
	}
	for pattern, builds := range notRecorded() {
		missing := slices.DeleteFunc(slices.Clone(listed), func(name string) bool {
			matches, err := path.Match(pattern, name)
			require.NoError(t, err)
			return !matches || slices.Contains(found, name)
		})
		assert.NotEmpty(t, missing, "%s: all are recorded, so %s is not waited for: take it off notRecorded", pattern, builds)
		found = append(found, missing...)
	}
	among := func(in []string) func(string) bool {
		return func(name string) bool { return slices.Contains(in, name) }
	}
	assert.Empty(t, slices.DeleteFunc(slices.Clone(listed), among(found)), "not recorded: make record RECORD='NAME...'")
	assert.Empty(t, slices.DeleteFunc(found, among(listed)), "recorded, and not in runs.yaml")
	unused, err := a.Unused()
	require.NoError(t, err)
	assert.Empty(t, unused)
}

// TestEveryCheckCatches: each check catches the mutant of a recorded history, and has one
// of right releases in which it judged something and found nothing that was not expected.
func TestEveryCheckCatches(t *testing.T) {
	caught, right := map[term.CheckName]bool{}, map[term.CheckName]bool{}
	for _, e := range openHistories(t).Entries {
		caught[e.Caught] = true
		for _, check := range e.Checks {
			right[check] = right[check] || e.Verdict == term.Pass && !strings.Contains(e.Scenario, "+")
		}
	}
	for _, check := range term.Checks() {
		assert.True(t, caught[check.Word], "%s catches no recorded mutant", check.Word)
		assert.True(t, right[check.Word], "%s judges no recorded run of right releases", check.Word)
	}
}

// TestEveryCheckIsNeeded: with a check's body removed, no mutant that it catches is caught.
func TestEveryCheckIsNeeded(t *testing.T) {
	a := openHistories(t)
	for _, e := range a.Entries {
		if e.Caught == "" {
			continue
		}
		f := readHistory(t, a, e.Name)
		assert.False(t, oracle.Without(e.Caught, f.History, f.Schemas).Mutant.Caught, "%s, without %s", e.Name, e.Caught)
	}
}

// TestHistoriesDiffer: the histories of runs with other flags hold what they were
// recorded for.
func TestHistoriesDiffer(t *testing.T) {
	a := openHistories(t)
	everyChange := func(h *history.History, has func(history.Change) bool) bool {
		return len(h.Changes) > 0 && !slices.ContainsFunc(h.Changes, func(c history.Change) bool { return !c.Deleted && !has(c) })
	}
	for name, holds := range map[string]func(h *history.History) bool{
		"protobuf": func(h *history.History) bool {
			return everyChange(h, func(c history.Change) bool { return c.Encoding == string(storage.Protobuf) })
		},
		"encrypted": func(h *history.History) bool {
			return everyChange(h, func(c history.Change) bool { return c.Provider != "" && c.KeyName != "" })
		},
		"three-replicas": func(h *history.History) bool { return len(h.Header.Plan.Replicas) == 3 },
		"aa-old":         func(h *history.History) bool { return h.Header.Plan.AA == term.Old },
		"aa-new":         func(h *history.History) bool { return h.Header.Plan.AA == term.New },
		"chain-forward": func(h *history.History) bool {
			carried := slices.ContainsFunc(h.Header.Plan.Copies, func(c plan.Copy) bool { return c.Leg == 1 })
			return carried && h.Header.Plan.Leg.Number == 2
		},
		"chain-back": func(h *history.History) bool {
			return h.Header.Plan.Leg != nil && h.Header.Plan.Journey[0] == term.Rollback
		},
	} {
		assert.True(t, holds(readHistory(t, a, name).History), name)
	}
}
