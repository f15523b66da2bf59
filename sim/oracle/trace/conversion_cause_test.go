package trace

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// TestProgramCause: only an answer that failed in a conversion says so.
func TestProgramCause(t *testing.T) {
	const failed = "conversion webhook for example.dev/v1, Kind=Widget failed: "
	for want, x := range map[term.Cause]history.Exchange{
		term.NotConverted: {Code: http.StatusInternalServerError, Message: failed + "operator: panicked"},
		term.NoProgram:    {Code: http.StatusTooManyRequests, Message: "storage is (re)initializing: " + failed + "nobody converts: no program runs, and release v1 has none"},
		"":                {Code: http.StatusInternalServerError, Message: "the object cannot be decoded"},
	} {
		assert.Equal(t, want, ProgramCause(x))
	}
	assert.Empty(t, ProgramCause(history.Exchange{Code: http.StatusOK, Message: failed}))
}

// TestMatchConditionsCause: a match condition that cannot be evaluated is the webhook's, and that of a policy is not.
func TestMatchConditionsCause(t *testing.T) {
	const forbidden, failed = "widgets.example.dev \"a\" is forbidden: ", "expression 'object.spec.tags.size() > 0' resulted in error: no such key: tags"
	for message, want := range map[string]term.Cause{
		failed:                             term.NotAdmitted,
		"[" + failed + ", " + failed + "]": term.NotAdmitted,
		"ValidatingAdmissionPolicy 'p' with binding 'b' denied request: " + failed: "",
	} {
		assert.Equal(t, want, ProgramCause(history.Exchange{Code: http.StatusForbidden, Message: forbidden + message}), message)
	}
}
