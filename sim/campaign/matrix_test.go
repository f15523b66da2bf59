package campaign

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// noBoard shows nothing.
type noBoard struct{ io.Writer }

func (noBoard) Kept(*Cell, term.VerdictWord) {}
func (noBoard) Begun(*Cell)                  {}
func (noBoard) Again(Ended)                  {}
func (noBoard) Ended(*Cell, matrix.Cell)     {}

func oneAttempt() []matrix.Attempt { return []matrix.Attempt{{Outcome: "pass"}} }

// stateIn reads the state that a matrix has written.
func stateIn(t *testing.T, out string) matrix.State {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(out, matrix.FileName))
	require.NoError(t, err)
	s, err := matrix.Read(raw)
	require.NoError(t, err)
	return s
}

// resumed resumes a matrix of two cells, and returns the state afterwards.
func resumed(t *testing.T, out string, act func(*Matrix, Group)) matrix.State {
	t.Helper()
	l := &Layout{}
	for _, name := range []string{"a", "b"} {
		p := pairing.Pair{Old: pairing.Release{Reference: "path:x"}, New: pairing.Release{Reference: "path:y"}}
		l.Cells = append(l.Cells, &Cell{Pair: p, Cost: 7, Run: engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{Name: name}}}, Label: name})
		l.Groups = append(l.Groups, Group{l.Cells[len(l.Cells)-1]})
	}
	d, earlier, err := openDir(out, true)
	require.NoError(t, err)
	m := &Matrix{layout: l, dir: d, earlier: earlier, cells: map[*Cell]*record{}}
	m.config = MatrixConfig{Board: noBoard{}, Result: func(string) (result.Result, []byte) { return result.Result{}, nil }, Runner: &Runner{Attempted: m.note}}
	m.start()
	act(m, l.Groups[0])
	require.NoError(t, d.close())
	return stateIn(t, out)
}

// TestResumeForgetsNothing: a finished cell keeps its state until it is executed again,
// also if the resumed matrix ends at once. Until its key is compared, it counts as left.
func TestResumeForgetsNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	nothing := func(*Matrix, Group) {}
	s := resumed(t, out, nothing)
	assert.Equal(t, []matrix.Phase{matrix.Waiting, matrix.Waiting}, []matrix.Phase{s.Cells[0].Phase, s.Cells[1].Phase})
	was := s.Cells[0]
	was.Phase, was.Verdict, was.Key, was.Result, was.Estimate = matrix.Done, term.Pass, "key", "result", 3
	d, _, err := openDir(out, true)
	require.NoError(t, err)
	d.update(func(state *matrix.State) { *state = s; state.Cells[0], state.Cells[1].Phase = was, matrix.Running })
	require.NoError(t, d.close())

	was.Estimate = 7 // as it is estimated now
	left := was
	left.Earlier = true
	for range 2 { // also after several interruptions
		s = resumed(t, out, nothing)
		assert.Equal(t, left, s.Cells[0])
		assert.Equal(t, matrix.Waiting, s.Cells[1].Phase)
		assert.Equal(t, 2, s.Totals.Left)
		assert.Equal(t, term.Unknown, s.Verdict)
	}
	s = resumed(t, out, func(p *Matrix, g Group) { p.keep(g[0]) })
	assert.Equal(t, was, s.Cells[0])
	assert.Equal(t, 1, s.Totals.Left)
	s = resumed(t, out, func(p *Matrix, c Group) { p.begin(c) })
	assert.Equal(t, matrix.Running, s.Cells[0].Phase)
	assert.Empty(t, s.Cells[0].Result, "its directory is written anew")
}

// outcomes are the outcomes of attempts, in short.
func outcomes(c matrix.Cell) (all []string) {
	for _, a := range c.Attempts {
		if a.Infrastructure != "" {
			a.Outcome = "ended"
		}
		all = append(all, string(a.Outcome))
	}
	return all
}

// TestAttemptsStay: attempts that an infrastructure failure ended are written at once, and
// stay across interruptions until the cell is judged. A cell that is executed again after a
// verdict starts without them.
func TestAttemptsStay(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	nothing := func(*Matrix, Group) {}
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
	tried := func(o engine.Outcome, meanwhile func()) func(*Matrix, Group) {
		return func(p *Matrix, c Group) {
			p.begin(c)
			p.config.Runner.Retries = 1
			came := []engine.Outcome{endedBy(killed), o}
			e := p.config.Runner.withRetries(t.Context(), c, func(context.Context, Group, []string) []engine.Outcome {
				if len(came) == 1 {
					meanwhile()
				}
				now := came[0]
				came = came[1:]
				return []engine.Outcome{now}
			})[0]
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			e.Begun = true
			p.report(ctx, e)
		}
	}
	var left matrix.State // by a matrix that is killed during the second attempt
	resumed(t, out, tried(passed, func() { left = stateIn(t, out) }))
	assert.Equal(t, matrix.Running, left.Cells[0].Phase)
	assert.Equal(t, []string{"ended"}, outcomes(left.Cells[0]))
	assert.Equal(t, "server b-1 was killed", left.Cells[0].Attempts[0].Infrastructure)
	assert.Equal(t, 1, left.Totals.Retried)
	d, _, err := openDir(out, true)
	require.NoError(t, err)
	d.update(func(s *matrix.State) { *s = left })
	require.NoError(t, d.close())

	for range 2 { // ended before the cell's turn
		s := resumed(t, out, nothing)
		assert.Equal(t, matrix.Waiting, s.Cells[0].Phase)
		assert.Equal(t, []string{"ended"}, outcomes(s.Cells[0]))
		assert.Empty(t, s.Cells[1].Attempts)
	}
	s := resumed(t, out, tried(endedBy(context.Canceled), func() {}))
	assert.Equal(t, matrix.Interrupted, s.Cells[0].Phase)
	assert.Equal(t, []string{"ended", "ended", "interrupted"}, outcomes(s.Cells[0]))
	s = resumed(t, out, func(p *Matrix, c Group) { p.begin(c) })
	assert.Equal(t, []string{"ended", "ended", "interrupted"}, outcomes(s.Cells[0]))
	s = resumed(t, out, tried(passed, func() {}))
	assert.Equal(t, matrix.Done, s.Cells[0].Phase)
	assert.Equal(t, []string{"ended", "ended", "interrupted", "ended", "pass"}, outcomes(s.Cells[0]))
	assert.Equal(t, 1, s.Totals.Retried)

	s = resumed(t, out, func(p *Matrix, c Group) { p.begin(c) })
	assert.Empty(t, outcomes(s.Cells[0]))
}

// TestNoteLeavesVerdicts: a cell keeps the verdict of an earlier matrix while its builds
// are made.
func TestNoteLeavesVerdicts(t *testing.T) {
	killed := endedBy(&servers.ExitError{Name: "b-1", Failure: fault.ServerKilled})
	for name, c := range map[string]struct {
		was  matrix.Cell
		last engine.Outcome
		want []string
	}{
		"judged":           {matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Attempts: oneAttempt()}, killed, []string{"pass"}},
		"by the machine":   {matrix.Cell{Phase: matrix.Done, Infrastructure: true, Attempts: []matrix.Attempt{{Infrastructure: "killed"}}}, killed, []string{"ended", "ended"}},
		"interrupted":      {matrix.Cell{Phase: matrix.Interrupted, Attempts: []matrix.Attempt{{Outcome: "interrupted"}}}, killed, []string{"interrupted", "ended"}},
		"not of a machine": {matrix.Cell{Phase: matrix.Interrupted}, failed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			s := resumed(t, out, func(*Matrix, Group) {})
			c.was.Scenario, c.was.Pair, c.was.Dir = s.Cells[0].Scenario, s.Cells[0].Pair, s.Cells[0].Dir
			d, _, err := openDir(out, true)
			require.NoError(t, err)
			d.update(func(state *matrix.State) { *state = s; state.Cells[0] = c.was })
			require.NoError(t, d.close())
			s = resumed(t, out, func(p *Matrix, of Group) { p.note(of[0], c.last) })
			assert.Equal(t, c.want, outcomes(s.Cells[0]))
		})
	}
}

// TestMatrixDirUnwritten: a failed write of the state is harmless if a later one succeeds,
// and an error if the last one fails.
func TestMatrixDirUnwritten(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	d, _, err := openDir(out, true)
	require.NoError(t, err)
	defer d.close()
	inTheWay := filepath.Join(out, matrix.FileName, "x")
	none := func(s *matrix.State) { s.SchemaVersion = matrix.Version }
	require.NoError(t, os.MkdirAll(inTheWay, 0o700))
	d.update(none)
	assert.ErrorContains(t, d.err, matrix.FileName)
	require.NoError(t, os.RemoveAll(filepath.Dir(inTheWay)))
	d.update(none)
	assert.NoError(t, d.err)
	assert.Equal(t, matrix.Version, stateIn(t, out).SchemaVersion)
	require.NoError(t, os.Remove(filepath.Join(out, matrix.FileName)))
	require.NoError(t, os.MkdirAll(inTheWay, 0o700))
	d.update(none)
	assert.ErrorContains(t, d.err, matrix.FileName)
}

// TestKeyOf: a cell's key depends on everything that its result depends on.
func TestKeyOf(t *testing.T) {
	build := matrix.Build{Role: term.Old, Reference: "frobber@1.0", Digest: "aa"}
	day := time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC)
	keyed := func(change func(*engine.Run, *matrix.Build), s surroundings, day time.Time) string {
		t.Helper()
		all, b := engine.Run{Plan: &plan.Plan{Scenario: "s", Seed: 1, Expect: []scenarios.Expectation{{}, {Until: "2026-03-31"}}}}, build
		change(&all, &b)
		key, err := keyOf(all, []matrix.Build{b}, s, day)
		require.NoError(t, err)
		return key
	}
	of := func(change func(*engine.Run, *matrix.Build)) string {
		t.Helper()
		return keyed(change, surroundings{tool: "v1.0.0"}, day)
	}
	same := of(func(*engine.Run, *matrix.Build) {})
	assert.Equal(t, same, of(func(t *engine.Run, _ *matrix.Build) { t.Timeout, t.Dir = time.Hour, "x" }))
	for name, change := range map[string]func(*engine.Run, *matrix.Build){
		"seed": func(t *engine.Run, _ *matrix.Build) { t.Plan.Seed = 2 },
		"plan": func(t *engine.Run, _ *matrix.Build) { t.Plan.Stages = []plan.Stage{{Name: "old"}} },
		"options": func(t *engine.Run, _ *matrix.Build) {
			t.Plan.Releases = []plan.Release{{Options: scenarios.Options{EmulatedVersion: "1.1"}}}
		},
		"digest": func(_ *engine.Run, b *matrix.Build) { b.Digest = "bb" },
		"fsync":  func(t *engine.Run, _ *matrix.Build) { t.Store.Fsync = true },
	} {
		assert.NotEqual(t, same, of(change), name)
	}
	none := func(*engine.Run, *matrix.Build) {}
	assert.Equal(t, same, keyed(none, surroundings{tool: "v1.0.0"}, day.AddDate(0, 0, -9)), "nothing has expired by then")
	assert.NotEqual(t, same, keyed(none, surroundings{tool: "v1.0.0"}, day.AddDate(0, 0, 1)), "a line has expired")
	assert.NotEqual(t, same, keyed(none, surroundings{tool: "v1.0.1"}, day), "skewsim")
	assert.NotEqual(t, same, keyed(none, surroundings{tool: "v1.0.0", store: "sha256:aa"}, day), "the store's image")
}

// TestAsJudged: a cell's outcome is read from its result, unless its state has a worse one;
// what only the end of its run reported stays.
func TestAsJudged(t *testing.T) {
	for _, c := range []struct {
		verdict term.VerdictWord
		outcome matrix.Outcome
		run     term.VerdictWord
		want    term.VerdictWord
		word    matrix.Outcome
	}{
		{term.Pass, "pass", term.Pass, term.Pass, "pass"},
		{term.Pass, "FAIL", term.Fail, term.Fail, "FAIL"},
		{term.Pass, "pass", term.Unknown, term.Unknown, "unknown"},
		{term.Fail, "FAIL", term.Pass, term.Fail, "FAIL"},
		{term.Fail, "refused", term.Pass, term.Fail, "FAIL"},
		{"", "", term.Pass, term.Unknown, "unknown"},
		{term.Unknown, "unknown", term.Fail, term.Fail, "FAIL"},
		{term.Unknown, "unknown", term.Pass, term.Unknown, "unknown"},
		{term.Unknown, "refused", term.Fail, term.Unknown, "refused"},
	} {
		m := &Matrix{config: MatrixConfig{Result: func(string) (result.Result, []byte) { return result.Result{Verdict: c.run}, []byte("x") }}}
		got := m.asJudged(matrix.Cell{Verdict: c.verdict, Outcome: c.outcome}, "")
		assert.Equal(t, c.want, got.Verdict, "%+v", c)
		assert.Equal(t, c.word, got.Outcome, "%+v", c)
	}
}
