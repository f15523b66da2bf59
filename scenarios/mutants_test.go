package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestEveryCheckCatchesAMutant: a check that nothing holds could judge nothing, and no test
// would fail.
func TestEveryCheckCatchesAMutant(t *testing.T) {
	all, err := load.Catalogue()
	require.NoError(t, err)
	catches := map[term.CheckName][]string{}
	for _, entry := range all {
		for name, mutant := range entry.Scenario.Mutants {
			check := mutant.Caught.Check
			catches[check] = append(catches[check], entry.Name+"+"+name)
		}
	}
	for _, check := range term.Checks() {
		assert.NotEmpty(t, catches[check.Word], "no mutant is caught by %s", check.Word)
	}
}
