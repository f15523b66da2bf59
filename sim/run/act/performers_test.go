package act

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPerformers: a verb without a function could be planned, and not be sent.
func TestPerformers(t *testing.T) {
	for _, verb := range term.Verbs() {
		assert.NotNil(t, performers()[verb.Word], verb.Word)
	}
	assert.Len(t, performers(), len(term.Verbs()))
}
