package result

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

func played(path, scenario, old, new string, verdict term.VerdictWord) Source {
	return Source{Path: path, Result: Result{
		Scenario: scenario, Releases: []string{old, new}, Verdict: verdict,
		Builds: []Build{{Role: term.Old, Reference: "frobber@" + old, Version: old, Digest: "aa"}},
	}}
}

// TestMergeOrder: runs are ordered by version, not by its spelling, in whatever order they were
// given.
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

// TestMergeUnplayed: runs that were not played have their place among those that were, as far
// as it is known, and differ from runs that could not be read.
func TestMergeUnplayed(t *testing.T) {
	at := func(path, scenario string, releases ...string) Source {
		return Source{Path: path, Problem: "no such image", Unplayed: true, Component: "frobber", Result: Result{Scenario: scenario, Releases: releases}}
	}
	m := Merge([]Source{
		{Path: "cut", Problem: "result.json: is cut"}, {Path: "sh1", Name: "shard 2/3", Problem: "not here"},
		played("late", "b", "v1.2.0", "v1.3.0", term.Pass), at("no", "a", "v1.1.0", "v1.2.0"), played("early", "a", "v1.0.0", "v1.1.0", term.Pass),
	})
	var places []string
	for _, r := range m.Runs {
		places = append(places, r.Component+" "+r.Name+" "+r.Pair)
	}
	assert.Equal(t, []string{"frobber a v1.0.0 .. v1.1.0", "frobber a v1.1.0 .. v1.2.0", "frobber b v1.2.0 .. v1.3.0", " cut ", " shard 2/3 "}, places)
	assert.Equal(t, Totals{Runs: 5, Pass: 2, Unknown: 3, Unreadable: 2, Unplayed: 1}, m.Totals)
	assert.Equal(t, "of 5 runs 2 could not be read, 1 was not played, 2 passed", m.Reason)
	assert.Equal(t, "was not played: no such image", m.Runs[1].Reason)
	assert.Equal(t, term.Unknown, m.Runs[1].Verdict)
	assert.Equal(t, "of 2 runs 2 were not played", Merge([]Source{at("x", "a", "v1"), at("y", "b", "v1")}).Reason)
}

// TestComponent: what was played is what the build says it is of, or its adapter; of
// references only those of releases tell it, and no path, image or module is cut.
func TestComponent(t *testing.T) {
	adapter := &term.Adapter{Component: "sample-apiserver"}
	for _, c := range []struct {
		builds []Build
		want   string
	}{
		{nil, ""},
		{[]Build{{Reference: "frobber@1.0"}}, "frobber"},
		{[]Build{{Reference: "kube-apiserver@v1.36.1"}}, "kube-apiserver"},
		{[]Build{{Reference: "path:/tmp/a@b/kube-apiserver"}, {Reference: "kube-apiserver@v1.36.1"}}, "kube-apiserver"},
		{[]Build{{Reference: "path:/tmp/a@b/kube-apiserver", Component: "kube-apiserver"}}, "kube-apiserver"},
		{[]Build{{Reference: "image:x@sha256:aa"}}, ""},
		{[]Build{{Reference: "image:x:1.0", Component: "frobber"}}, "frobber"},
		{[]Build{{Reference: "module:k8s.io/sample-apiserver@v0.35.4", Adapter: adapter}}, "sample-apiserver"},
		{[]Build{{Reference: "path:./kube-apiserver"}}, ""},
		{[]Build{{Reference: "./a@b"}}, ""},
	} {
		assert.Equal(t, c.want, Result{Builds: c.builds}.Component(), "%v", c.builds)
	}
}
