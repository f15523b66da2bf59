package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// matrixOf are the arguments of a small matrix: four scenarios, of which one fails and
// one has its servers for itself, with three pairs.
func matrixOf(out string, more ...string) []string {
	all := []string{"matrix", "--releases", "frobber@1.0..1.3", "--out", out}
	for _, name := range []string{"alone", "one", "two", "wrong"} {
		all = append(all, filepath.Join("testdata", "matrix", name+".yaml"))
	}
	return append(all, more...)
}

const matrixCells = 12

// stateIn is what a matrix has left.
func stateIn(t *testing.T, dir string) matrix.State {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, matrix.FileName))
	require.NoError(t, err)
	s, err := matrix.Read(raw)
	require.NoError(t, err)
	return s
}

// withoutTimes is a state, and a merged page, without what differs from one playing to the
// next: times, who went along with whom, and where the directories are.
func withoutTimes(t *testing.T, dir string) (matrix.State, result.Merged) {
	t.Helper()
	s := stateIn(t, dir)
	for i := range s.Cells {
		c := &s.Cells[i]
		c.Took, c.Seconds, c.Attempts = 0, 0, nil
		assert.NotEmpty(t, c.Key)
		assert.NotEmpty(t, c.Result)
		c.Result = "" // it holds the run's times
	}
	return s, pathless(t, dir)
}

func pathless(t *testing.T, dir string) (m result.Merged) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, reports.MergedData))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &m))
	for i := range m.Runs {
		assert.NotEmpty(t, m.Runs[i].Report)
		m.Runs[i].Path, m.Runs[i].Report = "", ""
	}
	return m
}

// seen is when each cell's result was written, by its directory.
func seen(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	all := map[string]time.Time{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", rundir.ResultFile))
	require.NoError(t, err)
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		name, err := filepath.Rel(dir, filepath.Dir(file))
		require.NoError(t, err)
		all[filepath.ToSlash(name)] = info.ModTime()
	}
	return all
}

// TestFrobberMatrixWhole plays a matrix unbroken. The same matrix killed by SIGKILL in the middle and
// resumed, and in three shards and merged, gives the same result.
func TestFrobberMatrixWhole(t *testing.T) {
	r := tool(t)
	whole := filepath.Join(t.TempDir(), "whole")
	r.run(matrixOf(whole)...).want(t, ExitDiffers, fmt.Sprintf("%d cells on 6 sets of servers", matrixCells), "9 pass, 3 FAIL, 0 unknown, 0 left")
	wantNoServers(t, whole)
	state, merged := withoutTimes(t, whole)
	require.Len(t, state.Cells, matrixCells)
	assert.Equal(t, term.Fail, state.Verdict)
	assert.NotEmpty(t, merged.Runs)
	t.Run("killed", func(t *testing.T) { matrixKilled(t, real{t, r.bin}, whole) })
	t.Run("sharded", func(t *testing.T) { matrixSharded(t, real{t, r.bin}, whole) })
}

// matrixKilled kills a matrix twice, and resumes it until it is whole.
func matrixKilled(t *testing.T, r real, whole string) {
	state, merged := withoutTimes(t, whole)
	out := filepath.Join(t.TempDir(), "killed")
	r.until("5/12", kill(syscall.SIGKILL), matrixOf(out, "--jobs", "1")...)
	wantNoServers(t, out)
	before, had := stateIn(t, out), seen(t, out)
	assert.Equal(t, matrix.Running, before.Phase)
	done := 0
	for _, c := range before.Cells {
		if c.Phase == matrix.Done {
			done++
		} else {
			delete(had, c.Dir)
		}
	}
	require.GreaterOrEqual(t, done, 5)
	require.Less(t, done, matrixCells)

	done += r.killedAgain(out, before)
	r.run(matrixOf(out, "--resume")...).want(t, ExitDiffers, fmt.Sprintf("%d of %d were done before", done, matrixCells))
	after := seen(t, out)
	for name, at := range had {
		assert.Equal(t, at, after[name], "%s was played twice", name)
	}
	again, page := withoutTimes(t, out)
	assert.Equal(t, state, again)
	assert.Equal(t, merged, page)

	r.run(matrixOf(out, "--resume")...).want(t, ExitDiffers, fmt.Sprintf("%d of %d were done before", matrixCells, matrixCells))
	assert.Equal(t, after, seen(t, out), "a failure is done, too")
	// A changed result does not count.
	require.NoError(t, os.WriteFile(filepath.Join(out, filepath.FromSlash(state.Cells[0].Dir), rundir.ResultFile), []byte("{}"), 0o600))
	r.run(matrixOf(out, "--resume")...).want(t, ExitDiffers, fmt.Sprintf("%d of %d were done before", matrixCells-1, matrixCells))
}

// matrixSharded plays a whole matrix's cells in three shards, and merges them.
func matrixSharded(t *testing.T, r real, whole string) {
	merged := pathless(t, whole)
	above := t.TempDir()
	args := []string{"report", "merge", "-o", filepath.Join(above, "merged")}
	cells := map[string]int{}
	for i := range 3 {
		out := filepath.Join(above, fmt.Sprint("shard-", i+1))
		o := r.run(matrixOf(out, "--shard", fmt.Sprintf("%d/3", i+1), "--costs", filepath.Join(whole, matrix.FileName))...)
		s := stateIn(t, out)
		want := ExitExpected
		if slices.ContainsFunc(s.Cells, func(c matrix.Cell) bool { return strings.HasSuffix(c.Dir, "wrong") }) {
			want = ExitDiffers
		}
		assert.Equal(t, want, o.code, o.stdout+o.stderr)
		assert.Equal(t, matrixCells, s.Totals.Cells+s.Totals.Excluded, "cells of other shards are reported")
		assert.NotEmpty(t, s.Cells)
		for _, c := range s.Cells {
			cells[c.Dir]++
		}
		args = append(args, out)
	}
	assert.Len(t, cells, matrixCells, "every cell is in one shard: %v", cells)
	r.run(args...).want(t, ExitDiffers)
	assert.Equal(t, merged, pathless(t, filepath.Join(above, "merged")))
}

// killedAgain kills a matrix that is resumed as soon as a cell of it has ended. It keeps
// the results of earlier cells, and returns the number of cells that it has added.
func (r real) killedAgain(out string, before matrix.State) (done int) {
	r.t.Helper()
	r.until(fmt.Sprintf("/%d", matrixCells), kill(syscall.SIGKILL), matrixOf(out, "--jobs", "1", "--resume")...)
	wantNoServers(r.t, out)
	for i, c := range stateIn(r.t, out).Cells {
		if was := before.Cells[i]; was.Phase == matrix.Done {
			c.Earlier, c.Journey, c.Estimate = was.Earlier, was.Journey, was.Estimate
			assert.Equal(r.t, was, c)
		} else if c.Phase == matrix.Done {
			done++
		}
	}
	return done
}
