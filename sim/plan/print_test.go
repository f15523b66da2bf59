package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// refusing takes a number of writes, then none.
type refusing struct{ left int }

func (r *refusing) Write(p []byte) (int, error) {
	if r.left--; r.left < 0 {
		return 0, assert.AnError
	}
	return len(p), nil
}

func TestFprintKeepsTheFirstError(t *testing.T) {
	p := &plan.Plan{Scenario: "s", Releases: []plan.Release{{Role: term.Old}, {Role: term.New}}, Stages: []plan.Stage{{Name: "old"}, {Name: "end"}}}
	assert.Equal(t, assert.AnError, p.Fprint(&refusing{left: 1}))
	assert.NoError(t, p.Fprint(&refusing{left: 1000}))
}
