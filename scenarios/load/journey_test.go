package load

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestJourneysOfPrograms: a program goes back where it is new, and is forgotten where everything is old.
func TestJourneysOfPrograms(t *testing.T) {
	up, down, halt, program, forgotten := term.Upgrade, term.Rollback, term.Halt, term.ProgramRollback, term.Forgotten
	for _, right := range [][]term.Rollout{
		scenarios.DefaultJourney(), scenarios.ProgramJourney(), {up, program, down, forgotten, up, down}, {forgotten, up}, {up, halt}, {up, down, halt},
	} {
		assert.Empty(t, badJourney(right, 2), "%v", right)
	}
	for _, wrong := range [][]term.Rollout{
		{program}, {halt}, {down}, {up, forgotten}, {up, program, program}, {up, program, up}, {up, down, program}, {forgotten, forgotten}, {up, program, halt}, {up, up}, {up, halt, down},
	} {
		assert.NotEmpty(t, badJourney(wrong, 2), "%v", wrong)
	}
}
