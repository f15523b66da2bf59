package fate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestCauseOf: a refusal has the cause that the server's words name, and none where they name
// several, or are not about the value. What the oracle has attributed stays.
func TestCauseOf(t *testing.T) {
	const invalid, required = "x is invalid: spec.a: Invalid value: 1002: must be odd", "x is invalid: spec.a: Required value"
	refused := result.Finding{State: term.Refused, Cause: term.Unattributed}
	strict := refused
	strict.FieldValidation = term.Strict
	for name, c := range map[string]struct {
		finding result.Finding
		refusal Refusal
		want    term.Cause
	}{
		"a value that is sent":          {refused, Refusal{Code: 422, Message: invalid, SendsValue: true}, term.UnknownValue},
		"a value twice":                 {refused, Refusal{Code: 422, Message: `x is invalid: spec.a[1]: Duplicate value: {"name":"a"}`, SendsValue: true}, term.UnknownValue},
		"a label is sent":               {refused, Refusal{Code: 422, Message: invalid}, term.Unattributed},
		"a field is missing":            {refused, Refusal{Code: 422, Message: required, SendsValue: true}, term.Required},
		"one missing, one invalid":      {refused, Refusal{Code: 422, Message: required + ", spec.b: Invalid value: 1", SendsValue: true}, term.Unattributed},
		"a field beside the value":      {refused, Refusal{Code: 422, Message: invalid, Beside: true, SendsValue: true}, term.NotRatcheted},
		"immutable":                     {refused, Refusal{Code: 422, Message: `x is invalid: spec.scope: Invalid value: "Cluster": field is immutable`}, term.Immutable},
		"Strict":                        {strict, Refusal{Code: 400, Message: `strict decoding error: unknown field "spec.a"`, SendsValue: true}, term.AskedStrict},
		"the same words, not Strict":    {refused, Refusal{Code: 400, Message: `strict decoding error: unknown field "spec.a"`, SendsValue: true}, term.Unattributed},
		"Strict, and another bad one":   {strict, Refusal{Code: 400, Message: "json: cannot unmarshal", SendsValue: true}, term.Unattributed},
		"Strict, and invalid":           {strict, Refusal{Code: 422, Message: `spec.a: Invalid value: "strict decoding error"`, SendsValue: true}, term.UnknownValue},
		"invalid, with another code":    {refused, Refusal{Code: 403, Message: invalid, SendsValue: true}, term.Unattributed},
		"beside, without a field":       {refused, Refusal{Code: 422, Message: "no", Beside: true}, term.Unattributed},
		"beside, a field is missing":    {refused, Refusal{Code: 422, Message: required, Beside: true}, term.NotRatcheted},
		"lost, with such words":         {result.Finding{State: term.Lost, Cause: term.Unattributed}, Refusal{Code: 422, Message: invalid, SendsValue: true}, term.Unattributed},
		"attributed, with words":        {result.Finding{State: term.Refused, Cause: term.NotServed}, Refusal{Code: 422, Message: invalid, SendsValue: true}, term.NotServed},
		"a key twice, refused":          {refused, Refusal{Code: 422, Message: `failed to create typed patch object (a): duplicate entries for key [name="a"]`, SendsValue: true}, term.Unattributed},
		"not Strict, and a bad request": {refused, Refusal{Code: 400, Message: "json: cannot unmarshal", SendsValue: true}, term.Unattributed},
		"the server failed":             {result.Finding{State: term.Failed, Cause: term.Unattributed}, Refusal{Code: 500, Message: invalid, SendsValue: true}, term.Unattributed},
		"an apply of a key twice":       {result.Finding{State: term.Failed, Cause: term.Unattributed}, Refusal{Code: 500, Message: `failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.entries: duplicate entries for key [name="a"]`}, term.UnknownValue},
		"attributed":                    {result.Finding{State: term.Refused, Cause: term.NotServed}, Refusal{Code: 404}, term.NotServed},
	} {
		assert.Equal(t, c.want, CauseOf(c.finding, c.refusal), name)
	}
}

// TestIsAhead: a release without a value may refuse a request that sends it, and not a label on an
// object that has it.
func TestIsAhead(t *testing.T) {
	broken := result.Finding{State: term.Refused, Class: term.Violation, Rule: term.Rule5, Verb: term.Put}
	born := broken
	born.Verb = term.Create
	sent := Refusal{Code: 422, Message: "spec.t: Invalid value", SendsValue: true}
	const apply = `failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.p: expected numeric (int or float), got string`
	for name, c := range map[string]struct {
		finding result.Finding
		own     term.Fate
		refusal Refusal
		want    bool
	}{
		"the value is sent":    {broken, term.FateRefused, sent, true},
		"an object is created": {born, term.FateRefused, Refusal{Code: 422, Message: "spec.b: Required value"}, true},
		"an apply of the type": {broken, term.FateRefused, Refusal{Code: 500, Message: apply}, true},
		"a label is sent":      {broken, term.FateFrozen, Refusal{Code: 422}, false},
		"a key twice":          {broken, term.FateRefused, Refusal{Code: 500, Message: `failed to create typed live object (a): duplicate entries for key [name="a"]`}, true},
		"a value, and frozen":  {broken, term.FateFrozen, sent, false},
		"no rule is broken":    {result.Finding{State: term.Refused, Class: term.Impact, Verb: term.Put}, term.FateRefused, sent, false},
		"a label, and refused": {broken, term.FateRefused, Refusal{Code: 422, Message: "spec.t: Invalid value"}, false},
		"the server failed":    {born, term.FateRefused, Refusal{Code: 500}, false},
	} {
		assert.Equal(t, c.want, IsAhead(c.finding, c.own, c.refusal), name)
	}
}

// TestNames: only the field itself is named, not what it contains or another one.
func TestNames(t *testing.T) {
	assert.True(t, Names("x is invalid: spec.note: Too long: may not be more than 6 bytes", ".spec.note"))
	assert.False(t, Names("x is invalid: spec: Invalid value: odd", ".spec.note"))
	assert.False(t, Names("x is invalid: spec.owner: Required value", ".spec.note"))
}

// TestConcernsBytes: bytes that are read as another field concern the value that they were written
// for; another change of that field does not.
func TestConcernsBytes(t *testing.T) {
	retagged := result.Finding{State: term.Changed, Path: ".spec.shine", Cause: term.BadEncoding}
	assert.True(t, Concerns(retagged, ".spec.glow"))
	retagged.Cause = term.Defaulted
	assert.False(t, Concerns(retagged, ".spec.glow"))
}
