package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestEnding: an interruption is one whatever its consequences are called, a timeout says how much
// time there was, and another error is in its own words.
func TestEnding(t *testing.T) {
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	broken := errors.New("connection refused")
	assert.Empty(t, ending(interrupted, nil, time.Minute), "the sweep was over")
	assert.Equal(t, ending(interrupted, context.Canceled, time.Minute), ending(interrupted, broken, time.Minute))
	assert.NotContains(t, ending(interrupted, fmt.Errorf("list: %w", context.Canceled), time.Minute), "context")
	assert.Contains(t, ending(t.Context(), errors.Join(engine.TimeoutError{}, broken), time.Minute), "1m0s")
	assert.Equal(t, broken.Error(), ending(t.Context(), broken, time.Minute))
}

// TestLapFails: a lap that cannot be begun ends no other one, and what its servers answered to dry runs before
// is a row all the same.
func TestLapFails(t *testing.T) {
	row := sweep.Row{ID: "rule/a", Difference: diff.Difference{
		Difference: term.RuleTightened, Version: "v1", Kind: "Gadget", Path: ".spec.a", Name: "maximum", Playable: true, Places: []diff.Place{{APIVersion: "v1", Kind: "Gadget", Path: ".spec.a"}},
	}, Reachable: true}
	dir, err := rundir.Open(filepath.Join(t.TempDir(), "sweep"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dir.Close()) })
	s := &session{dir: dir, rows: []sweep.Row{row}, reached: map[string]bool{}, logs: map[term.Lap][]serverLog{}, host: Host{
		Out: io.Discard, Report: func(string, sweep.Result) error { return nil },
	}}
	fails := lapRun{s, term.DefaultLap, lapServers{}, s.rows} // no server answers what the row asks for
	problem := s.playLaps(t.Context(), []lapRun{fails, {s, term.GatesLap, lapServers{}, s.rows}})
	require.Error(t, problem)
	require.Len(t, s.laps, 2, "the other one begins all the same")
	assert.ErrorContains(t, problem, "the lap default was not played")
	assert.ErrorContains(t, problem, "the lap gates was not played")

	judged := fails.launch(t.Context(), preparation{err: errors.New("no server"), tried: map[string]try.Result{row.ID: {Target: row.ID, Sent: 2, BothAccept: 1, BothRefuse: 1}}})
	<-judged.over
	assert.Error(t, judged.err)
	assert.Equal(t, term.Kept.Effect(), sweep.Rows(s.rows, []sweep.Lap{judged.lap})[0].Effect)
	judged = fails.launch(t.Context(), preparation{err: errors.New("no server")})
	assert.Equal(t, term.NotExercised.Effect(), sweep.Rows(s.rows, []sweep.Lap{judged.lap})[0].Effect)
}
