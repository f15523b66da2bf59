package main

import (
	"bytes"
	"context"
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
	"github.com/skewsim/skewsim/sim/campaign"
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

// leaveState writes what a matrix has left.
func leaveState(t *testing.T, dir string, s matrix.State) {
	t.Helper()
	raw, err := json.Marshal(s)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, matrix.FileName), raw, 0o600))
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

// TestSmokeMatrix plays a matrix unbroken; then kills one by SIGKILL in the middle, and
// resumes it: no cell is played twice, and the result is the same.
func TestSmokeMatrix(t *testing.T) { matrixWhole(t, "killed", matrixKilled) }

// TestFrobberMatrixSharded plays the same matrix in three shards: merged, the result is the
// same.
func TestFrobberMatrixSharded(t *testing.T) { matrixWhole(t, "sharded", matrixSharded) }

// matrixWhole plays a matrix unbroken, to compare another one with.
func matrixWhole(t *testing.T, name string, then func(t *testing.T, r real, dir string)) {
	r := tool(t)
	whole := filepath.Join(t.TempDir(), "whole")
	r.run(matrixOf(whole)...).want(t, ExitDiffers, fmt.Sprintf("%d cells on 6 sets of servers", matrixCells), "9 pass, 3 FAIL, 0 unknown, 0 left")
	wantNoServers(t, whole)
	state, merged := withoutTimes(t, whole)
	require.Len(t, state.Cells, matrixCells)
	assert.Equal(t, term.Fail, state.Verdict)
	assert.NotEmpty(t, merged.Runs)
	t.Run(name, func(t *testing.T) { then(t, real{t, r.bin}, whole) })
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

// TestFrobberMatrixRetries: a cell whose servers were killed is played again, and says so; and
// an interruption leaves nothing behind.
func TestFrobberMatrixRetries(t *testing.T) {
	withFrobber(t)
	out := filepath.Join(t.TempDir(), "out")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		journal := filepath.Join(out, "frobber@1.0-1.1", "add-field", "history.jsonl")
		for {
			raw, _ := os.ReadFile(journal) // not there yet
			if bytes.Count(raw, []byte("\n")) > 50 {
				break
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
		for _, pid := range serversOf(t, out) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	var said bytes.Buffer
	a := &App{Out: &said, Err: &said}
	code := execute(t.Context(), a, []string{"matrix", "add-field", "--pairs", "frobber@1.0..1.1", "--out", out})
	require.Equal(t, ExitExpected, code, said.String())
	s := stateIn(t, out)
	require.Len(t, s.Cells[0].Attempts, 2, said.String())
	first := s.Cells[0].Attempts[0]
	assert.Regexp(t, `^server \S+ was killed$`, first.Infrastructure)
	assert.EqualValues(t, "unknown", first.Outcome)
	assert.Equal(t, matrix.Attempt{Outcome: "pass", Took: s.Cells[0].Attempts[1].Took}, s.Cells[0].Attempts[1])
	assert.False(t, s.Cells[0].Infrastructure)
	assert.Equal(t, 1, s.Totals.Retried)
	assert.Contains(t, said.String(), "add-field, attempt 2")
	assert.Regexp(t, `add-field: server \S+ was killed, then pass\n`, said.String())
	text, err := os.ReadFile(filepath.Join(out, "frobber@1.0-1.1", "add-field", campaign.Transcript))
	require.NoError(t, err)
	assert.Contains(t, string(text), "an infrastructure failure ended attempt 1: server ")
}

// TestFrobberMatrixInterrupted: Ctrl-C ends the runs, leaves nothing behind, and is reported.
func TestFrobberMatrixInterrupted(t *testing.T) {
	withFrobber(t)
	out := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for len(serversOf(t, out)) == 0 && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	var said bytes.Buffer
	code := execute(ctx, &App{Out: &said, Err: &said}, []string{"matrix", "add-field", "--pairs", "frobber@1.0..1.99", "--out", out})
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, said.String(), `--pairs "frobber@1.0..1.99": frobber@1.99: there is no such release: they are 1.0 to `)
	assert.NoDirExists(t, out)
	code = execute(ctx, &App{Out: &said, Err: &said}, matrixOf(out, "--jobs", "1"))
	assert.Equal(t, ExitUnjudged, code, said.String())
	wantNoServers(t, out)
	for _, left := range []string{"secrets", "stores"} {
		dirs, err := filepath.Glob(filepath.Join(out, "*", "*", left))
		require.NoError(t, err)
		assert.Empty(t, dirs)
	}
	s := stateIn(t, out)
	assert.Equal(t, matrix.Interrupted, s.Phase)
	assert.Equal(t, matrixCells, s.Totals.Left)
	assert.Contains(t, said.String(), "--resume continues it")
	said.Reset()
	code = execute(t.Context(), &App{Out: &said, Err: &said}, matrixOf(out, "--resume"))
	assert.Equal(t, ExitDiffers, code, said.String())
	assert.Contains(t, said.String(), "9 pass, 3 FAIL, 0 unknown, 0 left")
}

// TestMatrixDirectories: each cell has its own directory, even if releases differ only in their
// folders; cells that would share one are refused.
func TestMatrixDirectories(t *testing.T) {
	crd := func(name string) string { return filepath.Join("..", "..", "scenarios", "crd", name) }
	pairs := []string{"crd:" + crd("manifests/old") + "..crd:" + crd("manifests/new"), "crd:" + crd("manifests/storage-at-once/old") + "..crd:" + crd("manifests/storage-at-once/new")}
	var said bytes.Buffer
	code := execute(t.Context(), &App{Out: &said, Err: &said}, []string{"matrix", crd("crd-added-field.yaml"), "--pairs", pairs[0], "--pairs", pairs[1], "--list", "--format", "json"})
	require.Equal(t, ExitExpected, code, said.String())
	var s matrix.State
	require.NoError(t, json.Unmarshal(said.Bytes(), &s))
	require.Len(t, s.Cells, 2)
	assert.NotEqual(t, s.Cells[0].Dir, s.Cells[1].Dir)
}
