package view

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestStatesAreDistinguishable: each state has a sign of its own, and a colour.
func TestStatesAreDistinguishable(t *testing.T) {
	style, err := os.ReadFile("../document/assets/report.css")
	require.NoError(t, err)
	signs := map[string]term.Outcome{}
	for _, state := range term.RunOutcomes() {
		sign := Shape(state.Word)
		assert.Empty(t, signs[sign], "%s has the sign of another state: add one to reports/view/state_signs.go", state.Word)
		signs[sign] = state.Word
		assert.Contains(t, string(style), "."+string(state.Word), "%s has no colour in reports/document/assets/report.css", state.Word)
	}
}
