package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/matrix"
)

// outcomes are what attempts came to, in short.
func outcomes(c matrix.Cell) (all []string) {
	for _, a := range c.Attempts {
		if a.Infrastructure != "" {
			a.Outcome = "ended"
		}
		all = append(all, a.Outcome)
	}
	return all
}

// TestAttemptsStay: what the machine ended is written down as it happens, and stays,
// whoever ends skewsim then and as often as that is, until the cell is judged. What is
// played anew after a verdict begins anew.
func TestAttemptsStay(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	nothing := func(*player, company) {}
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
	tried := func(err error, meanwhile func()) func(*player, company) {
		return func(p *player, c company) {
			p.begin(c)
			p.app.retries = 1
			came := []error{killed, err}
			e := p.app.insist(t.Context(), c, func(context.Context, company, []string) []error {
				if len(came) == 1 {
					meanwhile()
				}
				now := came[0]
				came = came[1:]
				return []error{now}
			})[0]
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			e.name = "a"
			p.tell(ctx, e)
		}
	}
	var left matrix.State // by one that is killed in the second attempt
	resumed(t, out, tried(nil, func() { left = stateIn(t, out) }))
	assert.Equal(t, matrix.Running, left.Cells[0].Phase)
	assert.Equal(t, []string{"ended"}, outcomes(left.Cells[0]))
	assert.Equal(t, "server b-1 was killed", left.Cells[0].Attempts[0].Infrastructure)
	assert.Equal(t, 1, left.Totals.Retried)
	d, _, err := openMatrixDir(out, true)
	require.NoError(t, err)
	d.update(func(s *matrix.State) { *s = left })
	require.NoError(t, d.close())

	for range 2 { // ended before its turn
		s := resumed(t, out, nothing)
		assert.Equal(t, matrix.Waiting, s.Cells[0].Phase)
		assert.Equal(t, []string{"ended"}, outcomes(s.Cells[0]))
		assert.Empty(t, s.Cells[1].Attempts)
	}
	s := resumed(t, out, tried(context.Canceled, func() {}))
	assert.Equal(t, matrix.Interrupted, s.Cells[0].Phase)
	assert.Equal(t, []string{"ended", "ended", "interrupted"}, outcomes(s.Cells[0]))
	s = resumed(t, out, func(p *player, c company) { p.begin(c) })
	assert.Equal(t, []string{"ended", "ended", "interrupted"}, outcomes(s.Cells[0]))
	s = resumed(t, out, tried(nil, func() {}))
	assert.Equal(t, matrix.Done, s.Cells[0].Phase)
	assert.Equal(t, []string{"ended", "ended", "interrupted", "ended", "pass"}, outcomes(s.Cells[0]))
	assert.Equal(t, 1, s.Totals.Retried)

	s = resumed(t, out, func(p *player, c company) { p.begin(c) })
	assert.Empty(t, outcomes(s.Cells[0]))
}

// TestNoteLeavesVerdicts: while a cell's builds are made it stays as an earlier matrix has
// judged it.
func TestNoteLeavesVerdicts(t *testing.T) {
	killed := attempt{err: &servers.ExitError{Name: "b-1", Failure: fault.ServerKilled}}
	for name, c := range map[string]struct {
		was  matrix.Cell
		last attempt
		want []string
	}{
		"judged":           {matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Attempts: oneAttempt()}, killed, []string{"pass"}},
		"by the machine":   {matrix.Cell{Phase: matrix.Done, Infrastructure: true, Attempts: []matrix.Attempt{{Infrastructure: "killed"}}}, killed, []string{"ended", "ended"}},
		"interrupted":      {matrix.Cell{Phase: matrix.Interrupted, Attempts: []matrix.Attempt{{Outcome: "interrupted"}}}, killed, []string{"interrupted", "ended"}},
		"not of a machine": {matrix.Cell{Phase: matrix.Interrupted}, attempt{err: verdictError{verdict: term.Fail}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			s := resumed(t, out, func(*player, company) {})
			c.was.Scenario, c.was.Pair, c.was.Dir = s.Cells[0].Scenario, s.Cells[0].Pair, s.Cells[0].Dir
			d, _, err := openMatrixDir(out, true)
			require.NoError(t, err)
			d.update(func(state *matrix.State) { *state = s; state.Cells[0] = c.was })
			require.NoError(t, d.close())
			s = resumed(t, out, func(p *player, of company) { p.app.noted(of[0], c.last) })
			assert.Equal(t, c.want, outcomes(s.Cells[0]))
		})
	}
}
