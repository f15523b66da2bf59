package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// madeCell is a cell that has ended.
func madeCell(name string, v term.VerdictWord) matrix.Cell {
	return matrix.Cell{Scenario: name, Pair: "frobber@1.0..1.1", Dir: "pair/" + name, Phase: matrix.Done, Verdict: v, Result: "aa"}
}

// madeRun writes a run's result.
func madeRun(t *testing.T, dir, name string, v term.VerdictWord) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	res := result.Result{SchemaVersion: result.SchemaVersion, Scenario: name, Releases: []string{"v1.0.0", "v1.1.0"}, Verdict: v, Checks: []result.Check{{Name: term.CheckNothingLost, Verdict: v, Judged: 1}}}
	if v == term.Fail {
		res.Findings, res.Checks[0].Findings = []result.Finding{{Check: term.CheckNothingLost}}, 1
	}
	raw, err := json.Marshal(res)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.ResultFile), raw, 0o600))
}

// madeMatrix writes a matrix's state, and results as its cells have them.
func madeMatrix(t *testing.T, dir string, s matrix.State) {
	t.Helper()
	s.SchemaVersion = matrix.Version
	if s.Phase == "" {
		s.Phase = matrix.Done
	}
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for _, c := range s.Cells {
		if c.Result != "" {
			madeRun(t, filepath.Join(dir, filepath.FromSlash(c.Dir)), c.Scenario, c.Verdict)
		}
	}
	s.Sum()
	raw, err := json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, matrix.FileName), raw, 0o600))
}

// mergedOf merges directories, and returns the result.
func mergedOf(t *testing.T, dirs ...string) (int, result.Merged) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "merged")
	code, _, told := called(append([]string{"report", "merge", "-o", out}, dirs...)...)
	require.FileExists(t, filepath.Join(out, reports.MergedData), told)
	return code, readMerged(t, out)
}

// readMerged is what merge has left.
func readMerged(t *testing.T, out string) (m result.Merged) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(out, reports.MergedData))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &m))
	return m
}

// problems are what is wrong with runs that were not played, or could not be read.
func problems(m result.Merged) (all []string) {
	for _, r := range m.Runs {
		if r.Unreadable+r.Unplayed != "" {
			all = append(all, r.Unreadable+r.Unplayed)
		}
	}
	return all
}

// TestMergeMatrixCells: of a matrix every cell counts that did not turn out notApplicable, with
// its run or without, and what is no cell does not.
func TestMergeMatrixCells(t *testing.T) {
	pass := madeCell("pass", term.Pass)
	for name, c := range map[string]struct {
		cell matrix.Cell
		code int
		want string // of what was not played, or could not be read; "": all was
	}{
		"passed":         {madeCell("x", term.Pass), ExitExpected, ""},
		"failed":         {madeCell("x", term.Fail), ExitDiffers, ""},
		"not-applicable": {matrix.Cell{Scenario: "x", Phase: matrix.NotApplicable, Dir: "pair/x"}, ExitExpected, ""},
		"refused":        {matrix.Cell{Scenario: "x", Pair: "p", Dir: "pair/x", Phase: matrix.Done, Verdict: term.Unknown, Outcome: "refused", Reason: "no such release"}, ExitUnjudged, "no such release"},
		"an object":      {matrix.Cell{Scenario: "x", Pair: "p", Dir: "pair/x", Phase: matrix.Done, Verdict: term.Unknown, Outcome: "refused", Reason: "refused: 422", Result: "aa"}, ExitUnjudged, "refused: 422"},
		"waiting":        {matrix.Cell{Scenario: "x", Pair: "p", Dir: "pair/x", Phase: matrix.Waiting}, ExitUnjudged, "its turn did not come"},
		"running":        {matrix.Cell{Scenario: "x", Pair: "p", Dir: "pair/x", Phase: matrix.Running, Verdict: term.Fail, Result: "aa"}, ExitUnjudged, "skewsim was ended meanwhile; --resume plays it again"},
		"interrupted":    {matrix.Cell{Scenario: "x", Pair: "p", Dir: "pair/x", Phase: matrix.Interrupted, Verdict: term.Fail, Result: "aa"}, ExitUnjudged, "interrupted; --resume plays it again"},
		"outside":        {matrix.Cell{Scenario: "x", Dir: "../x", Phase: matrix.NotApplicable}, ExitUnjudged, `names the directory "../x", which is outside of its own`},
	} {
		dir := filepath.Join(t.TempDir(), "matrix")
		madeMatrix(t, dir, matrix.State{Cells: []matrix.Cell{pass, c.cell}})
		code, m := mergedOf(t, filepath.Dir(dir))
		assert.Equal(t, c.code, code, name)
		if c.want == "" {
			assert.Empty(t, problems(m), name)
		} else {
			assert.Equal(t, []string{c.want}, problems(m), name)
		}
		assert.Equal(t, c.cell.Phase == matrix.NotApplicable && c.want == "", len(m.Notes) > 0, name)
	}
}

// TestMergeMatrixContradicted: if a state and a result differ, the worse of the two
// counts, on the page and where the matrix is resumed.
func TestMergeMatrixContradicted(t *testing.T) {
	for _, c := range []struct {
		cell, run, want term.VerdictWord
	}{
		{term.Pass, term.Pass, term.Pass},
		{term.Pass, term.Fail, term.Fail},
		{term.Pass, term.Unknown, term.Unknown},
		{term.Unknown, term.Unknown, term.Unknown},
		{term.Unknown, term.Fail, term.Fail},
		{term.Fail, term.Fail, term.Fail},
		{term.Unknown, term.Pass, term.Unknown},
		{term.Fail, term.Pass, term.Fail},
		{term.Fail, term.Unknown, term.Fail},
	} {
		t.Run(fmt.Sprintf("%s, %s", c.cell, c.run), func(t *testing.T) {
			dir, out := t.TempDir(), filepath.Join(t.TempDir(), "merged")
			run, cell := filepath.Join(dir, "pair", "x"), madeCell("x", c.cell)
			cell.Reason = "server a-1 ended"
			madeMatrix(t, dir, matrix.State{Cells: []matrix.Cell{cell}})
			madeRun(t, run, "x", c.run)
			reason, counted := "", 1
			if c.want != c.run {
				reason, counted = fmt.Sprintf("matrix.json says %s, and result.json %s: the worse counts: server a-1 ended", c.cell, c.run), 2
			}
			code, _, said := called("report", "merge", "-o", out, dir)
			assert.Equal(t, map[term.VerdictWord]int{term.Pass: ExitExpected, term.Fail: ExitDiffers, term.Unknown: ExitUnjudged}[c.want], code, said)
			m := readMerged(t, out)
			require.Len(t, m.Runs, 1)
			assert.Empty(t, problems(m))
			assert.Equal(t, c.want, m.Runs[0].Verdict)
			assert.Equal(t, reason, m.Runs[0].Reason)
			suites, err := os.ReadFile(filepath.Join(out, "junit.xml"))
			require.NoError(t, err)
			assert.Equal(t, c.want == term.Fail, strings.Contains(string(suites), "<failure"))

			copied := filepath.Join(t.TempDir(), "copied")
			madeRun(t, copied, "x", c.run)
			_, m = mergedOf(t, dir, copied)
			assert.Len(t, m.Runs, counted, "a copy of the run hides nothing")

			for range 2 { // and where it is resumed, as often as it is
				source, _ := gather.Run(run)
				judged := cell.Counts(source.Result)
				cell.Verdict, cell.Reason = judged.Verdict, judged.Reason
				assert.Equal(t, c.want, cell.Verdict)
				assert.Equal(t, reason, cell.Reason)
			}
		})
	}
}

// TestMergeMatrixUnknownFiles: a run in a matrix's directory that is not one of its cells is
// reported and does not count; a run beside the directory counts. A printed list is not a
// matrix.json; a matrix.json that cannot be read is reported, and hides no run.
func TestMergeMatrixUnknownFiles(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "matrix")
	madeMatrix(t, dir, matrix.State{Cells: []matrix.Cell{madeCell("x", term.Pass)}})
	madeRun(t, filepath.Join(dir, "pair", "stale"), "stale", term.Fail)
	code, m := mergedOf(t, dir)
	assert.Equal(t, ExitExpected, code)
	assert.Equal(t, 1, m.Totals.Runs)
	require.Len(t, m.Notes, 1)
	assert.Regexp(t, `/matrix holds 1 run that its matrix\.json does not name: not counted$`, m.Notes[0])

	madeRun(t, filepath.Join(above, "beside"), "beside", term.Fail)
	code, m = mergedOf(t, above)
	assert.Equal(t, ExitDiffers, code)
	assert.Equal(t, 2, m.Totals.Runs)

	madeMatrix(t, above, matrix.State{Phase: matrix.Waiting, Cells: []matrix.Cell{{Scenario: "listed", Dir: "listed"}}})
	_, m = mergedOf(t, above)
	assert.Equal(t, 2, m.Totals.Runs)

	require.NoError(t, os.WriteFile(filepath.Join(dir, matrix.FileName), []byte("{"), 0o600))
	code, m = mergedOf(t, dir)
	assert.Equal(t, ExitDiffers, code)
	assert.Equal(t, 3, m.Totals.Runs)
	assert.Equal(t, []string{"is no matrix.json: unexpected end of JSON input"}, problems(m))
}

// shardOf is a shard of a matrix: the cells that it has, and those that others have.
func shardOf(index, of int, here, elsewhere []string) matrix.State {
	s := matrix.State{Shard: &matrix.Shard{Index: index, Of: of}}
	for _, name := range here {
		s.Cells = append(s.Cells, madeCell(name, term.Pass))
	}
	for _, name := range elsewhere {
		s.Excluded = append(s.Excluded, matrix.Excluded{Scenario: name, Kind: pairing.Elsewhere, Pairs: []string{"frobber@1.0..1.1"}})
	}
	return s
}

// TestMergeShards: a shard alone is not its matrix, all of them are; those of two
// matrices are kept apart, and cells that no shard has are missed.
func TestMergeShards(t *testing.T) {
	at := t.TempDir()
	for name, s := range map[string]matrix.State{
		"1": shardOf(1, 3, []string{"a", "b"}, []string{"c"}), "2": shardOf(2, 3, []string{"c"}, []string{"b", "a"}), "3": shardOf(3, 3, nil, []string{"a", "b", "c"}),
		"other 1": shardOf(1, 2, []string{"a"}, []string{"z"}), "other 2": shardOf(2, 2, []string{"z"}, []string{"a"}),
		"costs 2": shardOf(2, 3, []string{"a"}, []string{"b", "c"}),
		"many":    shardOf(7, 2_000_000_000, []string{"a"}, nil), "none": shardOf(4, 3, []string{"a"}, nil),
	} {
		madeMatrix(t, filepath.Join(at, name), s)
	}
	for _, c := range []struct {
		given []string
		want  []string
	}{
		{[]string{"1", "2", "3"}, nil},
		{[]string{"3", "2", "1", "other 2", "other 1"}, nil},
		{[]string{"1", "1", "2", "3"}, nil},
		{[]string{"2"}, []string{"not here: shard 1/3, 3/3, with 2 cells: give their directories, too"}},
		{[]string{"3"}, []string{"not here: shard 1/3, 2/3, with 3 cells: give their directories, too"}},
		{[]string{"1", "2"}, []string{"not here: shard 3/3, with 0 cells: give their directories, too"}},
		{[]string{"1", "2", "3", "other 1"}, []string{"not here: shard 2/2, with 1 cell: give their directories, too"}},
		{[]string{"1", "costs 2", "3"}, []string{"all shards are here, and 1 cell in none of them, such as frobber@1.0..1.1 c: give each shard the same --costs"}},
		{[]string{"many"}, []string{"not here: shard 1/2000000000, 2/2000000000, 3/2000000000, 4/2000000000, 5/2000000000, 1999999994 more, with 0 cells: give their directories, too"}},
		{[]string{"none"}, []string{"has the invalid shard 4/3"}},
	} {
		var dirs []string
		for _, name := range c.given {
			dirs = append(dirs, filepath.Join(at, name))
		}
		code, m := mergedOf(t, dirs...)
		assert.Equal(t, c.want, problems(m), "%v", c.given)
		assert.Equal(t, map[bool]int{true: ExitExpected, false: ExitUnjudged}[c.want == nil], code, "%v", c.given)
	}
}

// contentsOf are the files below a directory, by their paths.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		all[name] = string(raw)
		return err
	}))
	return all
}

// TestResumeHolds: a matrix with cells that are done is not resumed as one without them;
// more cells, and others in the place of those that were not done, are no harm. What is
// refused leaves the directory as it was.
func TestResumeHolds(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := func(more ...string) []string {
		return append([]string{"matrix", filepath.Join("testdata", "matrix", "one.yaml"), "--resume", "--out", out, "--pairs"}, more...)
	}
	made := func(pair, dir string, phase matrix.Phase) matrix.Cell {
		return matrix.Cell{Scenario: "one", Pair: pair, Dir: dir, Phase: phase, Verdict: term.Fail}
	}
	done := made("frobber@1.0..1.1", "frobber@1.0-1.1/one", matrix.Done)
	require.NoError(t, os.MkdirAll(out, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(out, campaign.Marker), nil, 0o600))
	madeMatrix(t, out, matrix.State{Shard: &matrix.Shard{Index: 1, Of: 2}, Cells: []matrix.Cell{done}})
	for _, name := range []string{reports.MergedPage, reports.MergedData, "junit.xml", "report.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(name), 0o600))
	}
	before := contentsOf(t, out)
	require.Len(t, before, 6)
	code, _, told := called(args("frobber@1.1..1.2")...)
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, fmt.Sprintf(`--resume: --out %q: holds shard 1/2, and resuming would drop 1 cell that is done, such as frobber@1.0..1.1 one: name another directory, or give the same as then`, out))
	assert.Equal(t, before, contentsOf(t, out))
}
