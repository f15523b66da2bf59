package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/rundir"
)

// resumed begins a matrix of two cells anew, and gives what stands there then.
func resumed(t *testing.T, out string, act func(*player, company)) matrix.State {
	t.Helper()
	m := &layout{flags: matrixFlags{}}
	for _, name := range []string{"a", "b"} {
		p := pairing.Pair{Old: pairing.Release{Reference: "path:x"}, New: pairing.Release{Reference: "path:y"}}
		m.cells = append(m.cells, &cell{pair: p, cost: 7, task: task{Run: engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{Name: name}}}, label: name}})
		m.journeys = append(m.journeys, company{m.cells[len(m.cells)-1].task})
	}
	d, earlier, err := openMatrixDir(out, true)
	require.NoError(t, err)
	p := &player{app: &app{}, layout: m, dir: d, cells: map[string]*being{}}
	p.start(io.Discard, earlier)
	act(p, m.journeys[0])
	require.NoError(t, d.close())
	return stateIn(t, out)
}

// TestResumeForgetsNothing: what came to its end stands there until it is played again,
// also where the matrix that goes on is ended at once. Until it is known to hold, it
// counts as left.
func TestResumeForgetsNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	nothing := func(*player, company) {}
	s := resumed(t, out, nothing)
	assert.Equal(t, []matrix.Phase{matrix.Waiting, matrix.Waiting}, []matrix.Phase{s.Cells[0].Phase, s.Cells[1].Phase})
	was := s.Cells[0]
	was.Phase, was.Verdict, was.Key, was.Result, was.Estimate = matrix.Done, term.Pass, "key", "result", 3
	d, _, err := openMatrixDir(out, true)
	require.NoError(t, err)
	d.update(func(state *matrix.State) { *state = s; state.Cells[0], state.Cells[1].Phase = was, matrix.Running })
	require.NoError(t, d.close())

	was.Estimate = 7 // as it is thought now
	left := was
	left.Earlier = true
	for range 2 { // and as often as it is ended
		s = resumed(t, out, nothing)
		assert.Equal(t, left, s.Cells[0])
		assert.Equal(t, matrix.Waiting, s.Cells[1].Phase)
		assert.Equal(t, 2, s.Totals.Left)
		assert.Equal(t, term.Unknown, s.Verdict)
		assert.Equal(t, exitUnjudged, exitCode(exitOf(s)))
		assert.Contains(t, unplayed(s.Cells[0]).Problem, "whether what an earlier matrix left of it still holds was not found out")
	}
	s = resumed(t, out, func(p *player, _ company) { p.keep(p.cells["a"]) })
	assert.Equal(t, was, s.Cells[0])
	assert.Equal(t, 1, s.Totals.Left)
	s = resumed(t, out, func(p *player, c company) { p.begin(c) })
	assert.Equal(t, matrix.Running, s.Cells[0].Phase)
	assert.Empty(t, s.Cells[0].Result, "its directory is written anew")
}

// TestMatrixAsksTheStoreFirst: where the store cannot be had, an earlier matrix stays as
// it was.
func TestMatrixAsksTheStoreFirst(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	run := filepath.Join(out, "pair", "run")
	require.NoError(t, os.MkdirAll(run, 0o700))
	for _, name := range []string{filepath.Join(out, matrixMarker), filepath.Join(out, "report.md"), filepath.Join(run, rundir.Marker)} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	var said bytes.Buffer
	code := (&app{out: &said, err: &said}).execute(t.Context(), matrixOf(out, "--etcd", "http://127.0.0.1:9"))
	assert.Equal(t, exitUsage, code, said.String())
	assert.Contains(t, said.String(), "--etcd: ")
	assert.FileExists(t, filepath.Join(run, rundir.Marker))
	assert.FileExists(t, filepath.Join(out, "report.md"))
	assert.NoFileExists(t, filepath.Join(out, matrixFile))
}

// TestTriesAlone: what the machine ended is no more often played than --retries says;
// without that it is played once more alone, as what was judged is in any case.
func TestTriesAlone(t *testing.T) {
	killed, failed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}, verdictError{verdict: term.Fail}
	for _, retries := range []int{0, 2} {
		counted := &app{retries: retries, insists: true}
		assert.False(t, counted.triesAlone(t.Context(), killed))
		assert.True(t, counted.triesAlone(t.Context(), failed))
		assert.True(t, counted.triesAlone(t.Context(), errors.New("an odd end")))
		assert.False(t, counted.triesAlone(t.Context(), nil))
	}
	assert.True(t, (&app{}).triesAlone(t.Context(), killed))
	assert.True(t, (&app{}).triesAlone(t.Context(), failed))
}
