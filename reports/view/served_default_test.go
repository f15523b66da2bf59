package view

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestServedDefault: a default that is served without a write names no writer; one that a write makes does.
func TestServedDefault(t *testing.T) {
	same := func(text string) string { return text }
	o := Outcomes{Versions: map[term.Role]string{term.Old: "v1"}, Code: same, Prose: same}
	f := result.Finding{State: term.Changed, Cause: term.Defaulted, Via: term.Old, Path: ".spec.a"}
	assert.NotContains(t, o.Sentence(f), "write")
	f.Verb = term.Put
	assert.Contains(t, o.Sentence(f), "write")
	f.Verb, f.Before = "", "sent"
	assert.Contains(t, o.Sentence(f), "write", "it takes the place of a value that a client sent")
	f.Before, f.Cause = nil, term.Unattributed
	assert.Contains(t, o.Sentence(f), "write")
}
