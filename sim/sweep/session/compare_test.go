package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/exercise"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestUnreached: a lap plays again the rows for which the laps before it have no object, or one whose
// value has no members. It leaves out rows whose object was refused. The first lap plays none again, and
// the one after a lap that reached no row plays all.
func TestUnreached(t *testing.T) {
	s := &session{reached: map[string]bool{}}
	of := func(id string, object map[string]any, answered any) sweep.Object {
		s.rows = append(s.rows, sweep.Row{ID: id, Difference: diff.Difference{Playable: true}})
		return sweep.Object{Target: sweep.Target{Rows: []string{id}}, Specimen: exercise.Specimen{Object: object, Answered: answered}}
	}
	made := map[string]any{"kind": "Thing"}
	objects := []sweep.Object{
		of("value", made, "red"), of("whole", made, nil), of("members", made, map[string]any{"a": true}),
		of("none", nil, nil), of("struct", made, map[string]any{}), of("list", made, []any{}), of("refused", nil, nil),
	}
	s.rows = append(s.rows, sweep.Row{ID: "listed"})
	assert.Empty(t, unreached(ride{session: s, lap: term.DefaultLap}))
	assert.Len(t, unreached(ride{session: s, lap: term.GatesLap}), len(objects))
	s.reached["refused"] = true
	for _, id := range reachedBy(objects) {
		s.reached[id] = true
	}
	assert.Equal(t, []string{"none", "struct", "list"}, unreached(ride{session: s, lap: term.GatesLap}))
}
