package catalogue

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
)

// TestWithoutTopic: a scenario that no topic names comes last.
func TestWithoutTopic(t *testing.T) {
	entries := []load.Entry{
		{Name: "b", Group: "g", Scenario: &scenarios.Scenario{}},
		{Name: "a", Group: "g", Scenario: &scenarios.Scenario{Releases: scenarios.Releases{Pair: "frobber@1.0..1.1"}}},
	}
	all := Scenarios([]rules.Topic{{Name: "Adding", Scenarios: []string{"a", "gone"}}}, entries, nil)
	require.Len(t, all, 2)
	assert.Equal(t, Scenario{Name: "g/a", Topic: "Adding", Old: "any", New: "any", Pair: "frobber@1.0..1.1", Applies: "any"}, all[0])
	assert.Equal(t, Scenario{Name: "g/b", Old: "any", New: "any", Applies: "any"}, all[1])
}
