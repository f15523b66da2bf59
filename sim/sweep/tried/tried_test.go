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

// TestRuleThatNothingReaches: of a rule with values on both sides, releases that refuse all of them have
// another reason; of a rule that each value breaks, that both refuse them is the answer.
func TestRuleThatNothingReaches(t *testing.T) {
	for name, want := range map[string]term.Fate{
		"k8s:maxItems": term.FateNotExercised, "k8s:eachVal: maxLength": term.FateNotExercised, "enum": term.FateNotExercised,
		"k8s:required": term.FateKept, "k8s:unique": term.FateKept, "": term.FateKept,
	} {
		v := OfRule(rules.Result{Sent: 2, BothRefuse: 2}, name, false)
		assert.Equal(t, want, v.Fate, name)
		assert.NotEmpty(t, v.Reason, name)
		assert.Equal(t, term.FateKept, OfRule(rules.Result{Sent: 2, BothRefuse: 1, BothAccept: 1}, name, false).Fate, name)
	}
}
