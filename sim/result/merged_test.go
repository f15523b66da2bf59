package result

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/term"
)

func played(path, scenario, old, new string, verdict term.VerdictWord) Source {
	return Source{Path: path, Result: Result{
		Scenario: scenario, Releases: []string{old, new}, Verdict: verdict,
		Builds: []Build{{Role: term.Old, Reference: "frobber@" + old, Version: old, Digest: "aa"}},
	}}
}

// TestMergeOrder: runs go by their versions, not by how those are spelt, and it does
// not matter in which order they were given.
func TestMergeOrder(t *testing.T) {
	sources := []Source{
		{Path: "x/broken", Problem: "result.json: is cut"},
		played("x/ten", "b", "v1.10.0", "v1.11.0", term.Pass),
		played("x/twin", "a", "v1.2.0", "v1.3.0+twin", term.Pass),
		played("x/right", "a", "v1.2.0", "v1.3.0", term.Pass),
		played("x/early", "z", "v1.2.0", "v1.3.0-alpha.1", term.Pass),
	}
	want := []string{"x/early", "x/right", "x/twin", "x/ten", "x/broken"}
	for range 2 {
		var got []string
		for _, r := range Merge(sources).Runs {
			got = append(got, r.Path)
		}
		assert.Equal(t, want, got)
		slices.Reverse(sources)
	}
}

// TestMergeTellsApart: what has one name and one pair gets its seed, or its path; what
// differs in the pair keeps its name.
func TestMergeTellsApart(t *testing.T) {
	seeded := played("x/s", "a", "v1", "v2", term.Pass)
	seeded.Result.Seed = 7
	other := played("x/other", "a", "v2", "v3", term.Pass)
	again := played("y/a", "b", "v1", "v2", term.Pass)
	var names []string
	for _, r := range Merge([]Source{played("x/a", "a", "v1", "v2", term.Pass), seeded, other, again, played("z/a", "b", "v1", "v2", term.Pass)}).Runs {
		names = append(names, r.Name)
	}
	assert.Equal(t, []string{"a, seed 0", "a, seed 7", "b, y/a", "b, z/a", "a"}, names)
}

// TestMergeVerdict: the worst of the runs', and nothing is never a pass.
func TestMergeVerdict(t *testing.T) {
	pass, fail := played("p", "p", "v1", "v2", term.Pass), played("f", "f", "v1", "v2", term.Fail)
	unknown, broken := played("u", "u", "v1", "v2", term.Unknown), Source{Path: "b", Problem: "result.json: is cut"}
	for _, c := range []struct {
		sources []Source
		verdict term.VerdictWord
		reason  string
	}{
		{nil, term.Unknown, "there is no run"},
		{[]Source{pass}, term.Pass, "the one run passed"},
		{[]Source{pass, pass}, term.Pass, "all 2 runs passed"},
		{[]Source{pass, unknown}, term.Unknown, "of 2 runs 1 could not be judged, 1 passed"},
		{[]Source{pass, broken}, term.Unknown, "of 2 runs 1 could not be read, 1 passed"},
		{[]Source{broken, unknown, pass, fail}, term.Fail, "of 4 runs 1 failed, 1 could not be judged, 1 could not be read, 1 passed"},
	} {
		m := Merge(c.sources)
		assert.Equal(t, c.verdict, m.Verdict, c.reason)
		assert.Equal(t, c.reason, m.Reason)
	}
}

// TestMergeTellsOfOtherBuilds: one version, two builds.
func TestMergeTellsOfOtherBuilds(t *testing.T) {
	here, there := played("here", "a", "v1", "v2", term.Pass), played("there", "b", "v1", "v2", term.Pass)
	assert.Empty(t, Merge([]Source{here, there}).Notes)
	there.Result.Builds[0].Digest = "bb"
	assert.Equal(t, []string{"frobber@v1 (v1) was played with 2 builds: aa, bb"}, Merge([]Source{here, there}).Notes)
}

// TestMergeCounts: findings and checks are counted by what they are.
func TestMergeCounts(t *testing.T) {
	s := played("p", "p", "v1", "v2", term.Fail)
	s.Result.Findings = []Finding{{Expected: true, Class: term.Impact}, {Class: term.Violation}, {Class: term.Impact}}
	s.Result.Checks = []Check{{Verdict: term.Pass}, {Verdict: term.Fail}, {Verdict: term.Unknown}, {Verdict: ""}}
	s.Result.Skipped = []Skip{{Reason: "no"}}
	m := Merge([]Source{s})
	assert.Equal(t, MergedFindings{Unexpected: 2, Expected: 1, Violations: 1}, m.Runs[0].Findings)
	assert.Equal(t, MergedChecks{Pass: 1, Fail: 1, Unknown: 2}, m.Runs[0].Checks)
	assert.Equal(t, Totals{Runs: 1, Fail: 1, Skipped: 1}, m.Totals)
}
