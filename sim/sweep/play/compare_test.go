package play

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestUnreached: a lap plays again the rows for which the laps before it have no object, or one whose
// value has no members. It leaves out rows whose object was refused. The first lap plays none again, and
// the one after a lap that reached no row plays all.
func TestUnreached(t *testing.T) {
	s := &session{reached: map[string]bool{}}
	of := func(id string, object map[string]any, answered any) sweep.Object {
		s.rows = append(s.rows, sweep.Row{ID: id, Difference: diff.Difference{Playable: true}})
		return sweep.Object{Target: sweep.Target{Rows: []string{id}}, Specimen: try.Specimen{Object: object, Answered: answered}}
	}
	made := map[string]any{"kind": "Thing"}
	objects := []sweep.Object{
		of("value", made, "red"), of("whole", made, nil), of("members", made, map[string]any{"a": true}),
		of("none", nil, nil), of("struct", made, map[string]any{}), of("list", made, []any{}), of("refused", nil, nil),
	}
	s.rows = append(s.rows, sweep.Row{ID: "listed"})
	assert.Empty(t, unreached(lapRun{session: s, lap: term.DefaultLap}))
	assert.Len(t, unreached(lapRun{session: s, lap: term.GatesLap}), len(objects))
	s.reached["refused"] = true
	for _, id := range reachedBy(objects) {
		s.reached[id] = true
	}
	assert.Equal(t, []string{"none", "struct", "list"}, unreached(lapRun{session: s, lap: term.GatesLap}))
}

// TestStartLaps: where the machine does not start the lap with gates, the default lap is played and the
// sweep ends early; where a release refuses the gates, there is a note.
func TestStartLaps(t *testing.T) {
	for name, c := range map[string]struct {
		failed error
		ends   bool
		notes  int
	}{
		"it starts":      {nil, false, 0},
		"a full disk":    {fmt.Errorf("start: %w", syscall.ENOSPC), true, 0},
		"a refused gate": {errors.New("cannot set feature gate"), false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			gates := &source.Facts{Gates: map[string]source.Gate{"Colour": {GateState: source.GateState{Stage: "ALPHA"}}}}
			s := &session{plain: map[term.Role]published.Release{}, sources: map[term.Role]*source.Facts{term.Old: gates, term.New: gates}}
			all, err := s.startLaps(t.Context(), func(_ context.Context, lap term.Lap) (lapServers, error) {
				if lap == term.GatesLap && c.failed != nil {
					return nil, c.failed
				}
				return lapServers{}, nil
			})
			require.NoError(t, err)
			assert.Contains(t, all, term.DefaultLap)
			assert.Equal(t, c.failed == nil, all[term.GatesLap] != nil)
			assert.Equal(t, c.ends, fault.Is(s.unstarted, fault.Infrastructure))
			assert.Len(t, s.notes, c.notes)
		})
	}
}

// TestEndedBetweenLaps: what is written while the lap with gates is played does not claim a whole sweep.
func TestEndedBetweenLaps(t *testing.T) {
	var ended []string
	s := &session{dir: &rundir.Dir{}, host: Host{Report: func(_ string, r sweep.Result) error { ended = append(ended, r.Ended); return nil }}}
	over := make(chan struct{})
	close(over)
	laps := []*activeLap{{lapRun: lapRun{session: s, lap: term.DefaultLap}, over: over}, {lapRun: lapRun{session: s, lap: term.GatesLap}, over: over}}
	require.NoError(t, s.await(laps))
	require.Len(t, ended, 1)
	assert.Contains(t, ended[0], string(term.GatesLap))
}
