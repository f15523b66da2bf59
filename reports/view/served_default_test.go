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
	f := result.Finding{Outcome: term.Changed, Cause: term.Defaulted, Via: term.Old, Path: ".spec.a"}
	assert.NotContains(t, o.Sentence(f), "write")
	f.Verb = term.Put
	assert.Contains(t, o.Sentence(f), "write")
	f.Verb, f.Before = "", "sent"
	assert.Contains(t, o.Sentence(f), "write", "it takes the place of a value that a client sent")
	f.Before, f.Cause = nil, term.Unattributed
	assert.Contains(t, o.Sentence(f), "write")
}

// TestRefusedCreate: a create that is refused names the field of the finding, or those that the server names, and none
// where nobody names one.
func TestRefusedCreate(t *testing.T) {
	same := func(text string) string { return text }
	o := Outcomes{Versions: map[term.Role]string{term.Old: "v1"}, Code: same, Prose: same}
	f := result.Finding{Outcome: term.Refused, Verb: term.Create, Via: term.Old, Kind: "Pod"}
	assert.Equal(t, "v1 refuses to create a Pod", o.Sentence(f))
	f.StatusCauses = []result.StatusCause{{Field: "spec.a"}, {Field: "spec.a"}, {Field: ""}}
	assert.Equal(t, "v1 refuses to create a Pod with .spec.a", o.Sentence(f))
	f.Path = ".spec.b"
	assert.Equal(t, "v1 refuses to create a Pod with .spec.b", o.Sentence(f))
	assert.Equal(t, o.Sentence(f), Capitalized(o.Sentence(f)), "a version has no capital")
	assert.Equal(t, "Values", Capitalized("values"))
}

// TestDefaultThatStays: what the old release serves after a rollback was stored by the new one. Near twin: what the new
// release itself serves.
func TestDefaultThatStays(t *testing.T) {
	same := func(text string) string { return text }
	o := Outcomes{Versions: map[term.Role]string{term.Old: "v1", term.New: "v2"}, Code: same, Prose: same}
	f := result.Finding{Check: term.CheckRule2, Outcome: term.Changed, Cause: term.Defaulted, Via: term.Old, Path: ".spec.a"}
	assert.Regexp(t, "servers of v2 stored .* v1 serves it", o.Sentence(f))
	f.Via = term.New
	assert.Regexp(t, "^servers of v2 serve a default", o.Sentence(f))
}
