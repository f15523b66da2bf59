package tried

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise/rules"
)

// TestOfParts: parts that only the old release keeps are lost by the new one, which breaks a rule; parts
// that only the new one keeps are kept. Other trials say nothing of parts.
func TestOfParts(t *testing.T) {
	kept, gone := rules.Answer{Accepted: true}, rules.Answer{Replaced: true}
	v, shown := OfParts(rules.Result{Trials: []rules.Trial{{Old: kept, New: gone}}})
	assert.True(t, shown)
	assert.Equal(t, []any{term.FateLostByNew, term.Violation}, []any{v.Fate, v.Class})
	v, shown = OfParts(rules.Result{Trials: []rules.Trial{{Old: gone, New: kept}}})
	assert.True(t, shown)
	assert.Equal(t, []any{term.FateKept, term.Class("")}, []any{v.Fate, v.Class})
	assert.NotEmpty(t, v.Reason)
	_, shown = OfParts(rules.Result{Trials: []rules.Trial{{Old: kept, New: rules.Answer{Code: 422}}}})
	assert.False(t, shown)
	_, shown = OfParts(rules.Result{})
	assert.False(t, shown)
}
