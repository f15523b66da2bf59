package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
)

// TestReasonNamesAllThatFailed: the reason names the checks that failed, and counts what they found; not those that are unknown, and
// not what another check found.
func TestReasonNamesAllThatFailed(t *testing.T) {
	one := result.Check{Name: term.CheckNothingLost, Verdict: term.Fail, Reason: "1 finding not expected, 0 expectations not met"}
	two := result.Check{Name: term.CheckAnswers, Verdict: term.Fail, Reason: "x"}
	unknown := result.Check{Name: term.CheckStaysWritable, Verdict: term.Unknown, Reason: "y"}
	found := []result.Finding{{Check: one.Name}, {Check: one.Name}, {Check: two.Name}, {Check: one.Name, Expected: true}}
	assert.Equal(t, "fail: nothing-lost: 2 findings not expected, 0 expectations not met", oracle.Overall([]result.Check{one, unknown}, found...))
	assert.Equal(t, "fail: nothing-lost, answers: 3 findings not expected, 0 expectations not met", oracle.Overall([]result.Check{one, unknown, two}, found...))
	assert.Equal(t, "unknown: stays-writable: y", oracle.Overall([]result.Check{unknown}, found...))
}
