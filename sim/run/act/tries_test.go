package act

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestTries: what a release permitted counts at later edges alone, until it refuses it.
func TestTries(t *testing.T) {
	var ts tries
	what := tried{term.Old, "content", term.SelfAttempt}
	assert.Zero(t, ts.before(what, 3))
	ts.note(what, 3, true)
	assert.Zero(t, ts.before(what, 3), "another replica at the same edge is asked")
	assert.Equal(t, 3, ts.before(what, 9))
	assert.Zero(t, ts.before(tried{term.New, "content", term.SelfAttempt}, 9), "another release")
	ts.note(what, 9, false)
	assert.Zero(t, ts.before(what, 12))
	ts.note(what, 12, true)
	assert.Equal(t, 12, ts.before(what, 15))
}

// TestStoredBy: an answer names the revision that a WATCH shows, unless the object is being deleted: removing its last
// finalizer is answered with the revision before.
func TestStoredBy(t *testing.T) {
	for body, want := range map[string]int64{
		`{"metadata":{"resourceVersion":"12"}}`:                                            12,
		`{"metadata":{"resourceVersion":"12","deletionTimestamp":"2026-01-01T00:00:00Z"}}`: 0,
		`{"kind":"Status","metadata":{}}`:                                                  0,
		`no object`:                                                                        0,
	} {
		a := &act{sender: sender{step: plan.Step{Verb: term.MergePatch}}}
		assert.Equal(t, want, a.storedBy(client.Answer{Code: http.StatusOK, Body: []byte(body)}), body)
		assert.Zero(t, a.storedBy(client.Answer{Code: http.StatusConflict, Body: []byte(body)}), body)
		a.step.Verb = term.Delete
		assert.Zero(t, a.storedBy(client.Answer{Code: http.StatusOK, Body: []byte(body)}), body)
	}
}
