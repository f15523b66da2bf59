package sweep_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestDifferent: a duration in another spelling is no other value; any other text is.
func TestDifferent(t *testing.T) {
	for after, want := range map[any]int{"1h0m0s": 0, "60m": 0, "2h": 1, "1 h": 1, nil: 1, "1h ": 1} {
		f := result.Finding{Outcome: term.Changed, Before: "1h", After: after}
		assert.Len(t, sweep.Different([]result.Finding{f}), want, "%v", after)
	}
	assert.Len(t, sweep.Different([]result.Finding{{Outcome: term.Lost, Before: "1h", After: "60m"}, {Outcome: term.Changed, Before: "a", After: "a"}}), 2)
}
