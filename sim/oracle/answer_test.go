package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/term"
)

// The sentence says what became of which field, in how many writes and whose doing it is,
// alike of what is expected; of a run that found nothing it says that.
func TestAnswer(t *testing.T) {
	s := twoLosses(t)
	want := "`.spec.shine` was lost in 2 of 4 writes, all by v1.0.0 servers; no rule was broken"
	res, _ := s.judge()
	assert.Equal(t, want, res.Answer)
	s.h.Header.Plan.Expect = []scenarios.Expectation{lost(nil)}
	res, _ = s.judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Equal(t, want, res.Answer, "of what is expected")

	res, _ = quiet(t).judge()
	assert.Contains(t, res.Answer, "nothing was lost, changed or refused in ")
	assert.Contains(t, res.Answer, "no rule was broken")

	s = quiet(t)
	s.store("bystander-1", ".spec.colour", nil)
	s.edge()
	res, _ = s.judge()
	assert.Contains(t, res.Answer, "rule-6 was broken")
	assert.NotContains(t, res.Answer, "untouched")
}
