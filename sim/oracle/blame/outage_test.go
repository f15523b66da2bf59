package blame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestClassifyOutages: an absent program is an impact; one that fails is none.
func TestClassifyOutages(t *testing.T) {
	all := []result.Finding{{Class: term.Violation, Cause: term.NoConverter}, {Class: term.Violation, Cause: term.NotConverted}}
	ClassifyOutages(all)
	assert.Equal(t, []term.Class{term.Impact, term.Violation}, []term.Class{all[0].Class, all[1].Class})
}
