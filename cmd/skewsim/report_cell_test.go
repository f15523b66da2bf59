package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

// TestMergeUnplayedCells: a cell that was not played stands where it would, had it been,
// and none of them is said to have been read; one that was played and left no result could
// not be judged.
func TestMergeUnplayedCells(t *testing.T) {
	at := func(name, pair string, phase matrix.Phase) matrix.Cell {
		return matrix.Cell{Scenario: name, Component: "frobber", Pair: pair, Dir: name + "/" + pairing.Pair{Old: pairing.Release{Reference: pair}}.Dir(), Phase: phase}
	}
	refused := at("add-field", "frobber@1.0..image:nope:1", matrix.Done)
	refused.Verdict, refused.Outcome, refused.Reason = term.Unknown, "refused", "no such image"
	ended := at("add-field", "image:a:1..image:a:2", matrix.Done)
	ended.Verdict, ended.Outcome, ended.Reason = term.Unknown, "unknown", "an executable was killed by signal 9"
	ended.Attempts = []matrix.Attempt{{Outcome: "unknown", Infrastructure: "an executable was killed"}}
	unmade := ended
	unmade.Scenario, unmade.Dir, unmade.Reason = "omits", "omits/x", "no registry can be reached"
	ended.Builds = []matrix.Build{{Role: term.Old, Version: "v1.0.0"}}
	interrupted := at("drop-field+required", "frobber@1.0..1.1", matrix.Interrupted)

	dir := t.TempDir()
	madeMatrix(t, dir, matrix.State{Seed: 7, Cells: []matrix.Cell{refused, ended, unmade, interrupted, madeCell("pass", term.Pass)}})
	code, m := mergedOf(t, dir)
	assert.Equal(t, ExitUnjudged, code)
	assert.Equal(t, "of 5 runs 1 could not be judged, 3 were not played, 1 passed", m.Reason)
	assert.Equal(t, result.Totals{Runs: 5, Pass: 1, Unknown: 4, Unplayed: 3}, m.Totals)
	type place struct{ component, name, pair, unplayed, reason string }
	var places []place
	for _, r := range m.Runs {
		if r.Verdict != term.Pass {
			places = append(places, place{r.Component, r.Name, r.Pair, r.Unplayed, r.Reason})
			assert.Equal(t, int64(7), r.Seed)
		}
	}
	assert.ElementsMatch(t, []place{
		{"frobber", "add-field", "v1.0.0 .. image:nope:1", "no such image", "was not played: no such image"},
		{"frobber", "omits", "image:a:1 .. image:a:2", "no registry can be reached", "was not played: no registry can be reached"},
		{"frobber", "add-field", "v1.0.0 .. image:a:2", "", "an executable was killed by signal 9"},
		{"frobber", "drop-field+required", "v1.0.0 .. v1.1.0+required", "interrupted; --resume plays it again", "was not played: interrupted; --resume plays it again"},
	}, places)
}

// TestMergeTellsWhatTheMachineEnded: that an infrastructure failure ended a run is on the page,
// in report.md and in junit.xml, whatever it came to at last; merged.json, in which equal
// runs are equal, has no word of it, nor have the others of a run that nothing ended.
func TestMergeTellsWhatTheMachineEnded(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "merged")
	c := madeCell("x", term.Pass)
	c.Attempts = []matrix.Attempt{{Outcome: "unknown", Infrastructure: "server a-1 was killed"}, {Outcome: "pass"}}
	quiet := madeCell("quiet", term.Pass)
	quiet.Attempts = []matrix.Attempt{{Outcome: "FAIL", With: 1}, {Outcome: "pass"}}
	madeMatrix(t, dir, matrix.State{Cells: []matrix.Cell{c, quiet}})
	code, _, told := called("report", "merge", "-o", out, dir)
	assert.Equal(t, ExitExpected, code, told)
	for name, times := range map[string]int{"report.md": 1, reports.MergedPage: 1, "junit.xml": 2, reports.MergedData: 0} {
		raw, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		assert.Equal(t, times, strings.Count(string(raw), "server a-1 was killed, then pass"), name)
		assert.NotContains(t, string(raw), "FAIL with 1 other", name)
	}
}

// TestMergeNamesAbsentShards: what is missing is called by what it is, and not by the
// directory of the shard that is there.
func TestMergeNamesAbsentShards(t *testing.T) {
	at := t.TempDir()
	one, three := filepath.Join(at, "sh1"), filepath.Join(at, "sh3")
	madeMatrix(t, one, shardOf(1, 3, []string{"a"}, []string{"b"}))
	madeMatrix(t, three, shardOf(3, 3, nil, []string{"a", "b"}))
	_, m := mergedOf(t, one, three)
	last := m.Runs[len(m.Runs)-1]
	assert.Regexp(t, `^shard 2/3 \(of \S+/sh1's matrix\)$`, last.Name)
	assert.Equal(t, "not here: shard 2/3, with 1 cell: give their directories, too", last.Unreadable)
	madeMatrix(t, filepath.Join(at, "sh2"), shardOf(2, 3, []string{"b"}, []string{"a"}))
	_, m = mergedOf(t, at)
	assert.Empty(t, problems(m))
}

// TestFrobberResumeTellsOfEarlierAttempts: an infrastructure failure in an earlier matrix is
// at the head of the run's transcript when the run is repeated; any other outcome is not.
func TestFrobberResumeTellsOfEarlierAttempts(t *testing.T) {
	withFrobber(t)
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"matrix", filepath.Join("testdata", "matrix", "one.yaml"), "--pairs", "frobber@1.0..1.1", "--out", out}
	code, said, told := called(args...)
	require.Equal(t, ExitExpected, code, said+told)
	s := stateIn(t, out)
	c := &s.Cells[0]
	transcriptOf := func() string {
		raw, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(c.Dir), campaign.Transcript))
		require.NoError(t, err)
		return string(raw)
	}
	assert.NotContains(t, transcriptOf(), "an infrastructure failure ended")
	c.Infrastructure, c.Verdict, c.Outcome = true, term.Unknown, "unknown"
	c.Attempts = []matrix.Attempt{{Outcome: "interrupted"}, {Outcome: "unknown", Infrastructure: "server a-1 was killed"}}
	leaveState(t, out, s)

	code, said, told = called(append(args, "--resume")...)
	require.Equal(t, ExitExpected, code, said+told)
	assert.Regexp(t, `^an infrastructure failure ended attempt 2: server a-1 was killed\.`, transcriptOf())
	raw, err := os.ReadFile(filepath.Join(out, "report.md"))
	require.NoError(t, err)
	assert.Contains(t, string(raw), "server a-1 was killed, then pass")
}
