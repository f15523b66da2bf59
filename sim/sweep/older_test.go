package sweep

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

const older = `{"schemaVersion":"skewsim.dev/sweep/v1","rows":[
 {"id":"field-added/v1/Pod/.spec.a","difference":"field-added","version":"v1","kind":"Pod","path":".spec.a","verdict":"lost-by-old-clients",
  "cells":[{"write":"put","fate":"lost-by-old-clients"},{"write":"get","fate":"dormant"}],"cellsLeftOut":{"accepted-and-dropped":2},
  "laps":[{"lap":"default","verdict":"lost-by-old-clients"}]},
 {"id":"behaviour-changed/v1/Pod/.spec.b/means-something-else","difference":"behaviour-changed","version":"v1","kind":"Pod","path":".spec.b",
  "name":"means-something-else","verdict":"means-something-else"},
 {"id":"field-added/v1/Pod/dormant","difference":"field-added","version":"v1","kind":"Pod","name":"dormant","verdict":"not-exercised"}],
 "laps":[{"lap":"default","verdict":"fail"}],"totals":{"default":{"server-crashed":1,"not-exercised":2}},
 "baseline":{"file":"x","changes":[{"id":"a","change":"worse","before":"kept","after":"lost-by-new-release"}]}}`

// TestDecodeOlder: a sweep.json of the format before is read in the words of this one; what only looks like such a
// word, as a verdict of a run or the name of a gate, stays.
func TestDecodeOlder(t *testing.T) {
	r, err := Decode([]byte(older))
	require.NoError(t, err)
	assert.Equal(t, SchemaVersion, r.SchemaVersion)
	row := r.Rows[0]
	assert.Equal(t, term.Lost.By(term.OldClient), row.Effect)
	assert.Equal(t, []term.Effect{term.Lost.By(term.OldClient), term.Hidden.Effect()}, []term.Effect{row.Cells[0].Effect, row.Cells[1].Effect})
	assert.Equal(t, map[string]int{"dropped": 2}, row.LeftOut)
	assert.Equal(t, term.Lost.By(term.OldClient), row.Laps[0].Effect)
	assert.Equal(t, "behaviour-changed/v1/Pod/.spec.b/changed", r.Rows[1].ID)
	assert.Equal(t, term.Changed.Effect(), r.Rows[1].Effect)
	assert.Equal(t, "dormant", r.Rows[2].Name)
	assert.Equal(t, term.Fail, r.Laps[0].Verdict)
	assert.Equal(t, map[string]int{"panicked": 1, "not-exercised": 2}, r.Totals.Default)
	assert.Equal(t, term.Kept.Effect(), r.Baseline.Changes[0].Before)
	assert.Equal(t, term.Lost.By(term.NewRelease), r.Baseline.Changes[0].After)

	text, err := json.Marshal(r)
	require.NoError(t, err)
	again, err := Decode(text)
	require.NoError(t, err)
	assert.Equal(t, r, again)
	_, err = Decode([]byte(`{"schemaVersion":"skewsim.dev/sweep/v9"}`))
	assert.Error(t, err)
}
