package view

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestOutcomesAreDistinguishable: each outcome has a sign of its own, and so has a loss by each actor; those of runs have
// a colour.
func TestOutcomesAreDistinguishable(t *testing.T) {
	style, err := os.ReadFile("../document/assets/report.css")
	require.NoError(t, err)
	signs := map[string]term.Outcome{}
	for _, o := range term.Outcomes() {
		sign := Shape(o.Word)
		require.NotEqual(t, "?", sign, "%s has no sign: add one to reports/view/signs.go", o.Word)
		assert.Empty(t, signs[sign], "%s has the sign of another outcome", o.Word)
		signs[sign] = o.Word
	}
	for _, actor := range term.Actors() {
		sign := ShapeOf(term.Lost.By(actor.Word))
		require.NotEmpty(t, sign, "a loss by %s has no sign", actor.Word)
		assert.True(t, signs[sign] == "" || actor.Word == term.OldServer, "a loss by %s has the sign of another outcome", actor.Word)
		signs[sign] = term.Lost
	}
	for _, state := range term.RunOutcomes() {
		assert.Contains(t, string(style), "."+string(state.Word), "%s has no colour in reports/document/assets/report.css", state.Word)
	}
}
