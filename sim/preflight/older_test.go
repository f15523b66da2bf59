package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestDecodeOlder: a preflight.json of the format before is read in the words of this one.
func TestDecodeOlder(t *testing.T) {
	r, err := Decode([]byte(`{"schemaVersion":"skewsim.dev/preflight/v1","hops":[{
		"kinds":[{"kind":"Pod","classes":{"frozen":1,"dormant":2}}],
		"findings":[{"class":"cannot-be-changed","direction":"back","kind":"Pod","name":"a"},{"class":"pods-restart","direction":"up"}]}]}`))
	require.NoError(t, err)
	assert.Equal(t, SchemaVersion, r.SchemaVersion)
	hop := r.Hops[0]
	assert.Equal(t, map[term.Outcome]int{term.Frozen: 1, term.Hidden: 2}, hop.Kinds[0].Outcomes)
	assert.Equal(t, []term.Outcome{term.PartlyFrozen, term.Restarted}, []term.Outcome{hop.Findings[0].Outcome, hop.Findings[1].Outcome})
	_, err = Decode([]byte(`{"schemaVersion":"skewsim.dev/preflight/v9"}`))
	assert.Error(t, err)
}
