package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPublishedIsCounted: a row that only servers show is no difference that the releases publish,
// neither in the totals nor in the answer.
func TestPublishedIsCounted(t *testing.T) {
	laps := []Outcome{{Lap: term.DefaultLap, Verdict: term.FateKept, Exercised: true}}
	published, shown := Row{Laps: laps}, Row{Laps: laps}
	published.Difference.Difference, published.Exercised = term.FieldAdded, true
	shown.Difference.Difference, shown.Exercised, shown.Name = term.RuleChanged, true, Unstated
	r := Result{Rows: []Row{published, shown}}
	r.Totals = totals(r.Rows)
	assert.Equal(t, 1, r.Totals.Exercised)
	assert.Contains(t, answer(r), "1 of 1 ")
}
