package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestCauseOf: a refusal has the cause that its errors name, whatever its sentence says. What the oracle has
// attributed stays.
func TestCauseOf(t *testing.T) {
	at := func(reason, message string) []result.StatusCause {
		return []result.StatusCause{{Field: "spec.a", Reason: reason, Message: message}}
	}
	invalid := at("FieldValueInvalid", "Invalid value: 1002: must be odd")
	missing := at("FieldValueRequired", "Required value")
	immutable := at("FieldValueInvalid", `Invalid value: "b": field is immutable`)
	refused := result.Finding{Outcome: term.Refused, Cause: term.Unattributed, Verb: term.Put}
	created := result.Finding{Outcome: term.Refused, Cause: term.Unattributed, Verb: term.Create}
	frozen := result.Finding{Outcome: term.Frozen, Cause: term.Unattributed}
	strict := refused
	strict.FieldValidation = term.Strict
	failed := result.Finding{Outcome: term.Failed, Cause: term.Unattributed}
	const ofPatch = "failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.entries: "
	for name, c := range map[string]struct {
		finding result.Finding
		refusal Refusal
		want    term.Cause
	}{
		"a value that is sent":         {refused, Refusal{Code: 422, Causes: invalid, SendsValue: true}, term.InvalidValue},
		"a value of a list of values":  {refused, Refusal{Code: 422, Causes: at("FieldValueNotSupported", `Unsupported value: "b"`), SendsValue: true}, term.UnknownValue},
		"a value of another type":      {refused, Refusal{Code: 422, Causes: at("FieldValueTypeInvalid", "Invalid value"), SendsValue: true}, term.WrongType},
		"a value of another format":    {refused, Refusal{Code: 422, Causes: at("FieldValueInvalid", "spec.a in body must be of type int32"), SendsValue: true}, term.WrongType},
		"a label is sent":              {refused, Refusal{Code: 422, Causes: invalid}, term.NotRatcheted},
		"a field is missing":           {refused, Refusal{Code: 422, Causes: missing, SendsValue: true}, term.Required},
		"missing, and a label is sent": {refused, Refusal{Code: 422, Causes: missing}, term.Required},
		"one missing, one invalid":     {refused, Refusal{Code: 422, Causes: append(missing, invalid...), SendsValue: true}, term.InvalidValue},
		"a field beside the value":     {refused, Refusal{Code: 422, Causes: invalid, Beside: true, SendsValue: true}, term.NotRatcheted},
		"beside, a field is missing":   {refused, Refusal{Code: 422, Causes: missing, Beside: true}, term.NotRatcheted},
		"immutable":                    {refused, Refusal{Code: 422, Causes: immutable, SendsValue: true}, term.Immutable},
		"a rule of changes":            {refused, Refusal{Code: 422, Causes: invalid, SendsValue: true, Transition: true}, term.Immutable},
		"immutable, a create":          {created, Refusal{Code: 422, Causes: immutable, SendsValue: true, Transition: true}, term.InvalidValue},
		"a rule of changes, a create":  {created, Refusal{Code: 422, Causes: invalid, SendsValue: true, Transition: true}, term.InvalidValue},
		"a default, refused":           {refused, Refusal{Code: 422, Causes: immutable, Filled: true}, term.Defaulted},
		"a default, frozen":            {result.Finding{Outcome: term.Frozen, Cause: term.NotRatcheted}, Refusal{Causes: immutable, Filled: true}, term.Defaulted},
		"frozen":                       {frozen, Refusal{Causes: invalid}, term.NotRatcheted},
		"frozen, a field is missing":   {frozen, Refusal{Causes: missing}, term.Required},
		"frozen, missing, rules left":  {frozen, Refusal{Causes: append(at("FieldValueInvalid", "Invalid value: null: some validation rules were not checked"), missing...)}, term.Required},
		"only words":                   {refused, Refusal{Code: 422, Message: "spec.a: Invalid value: 1002: must be odd", SendsValue: true}, term.Unattributed},
		"Strict":                       {strict, Refusal{Code: 400, Message: `strict decoding error: unknown field "spec.a"`, SendsValue: true}, term.AskedStrict},
		"the same words, not Strict":   {refused, Refusal{Code: 400, Message: `strict decoding error: unknown field "spec.a"`, SendsValue: true}, term.Unattributed},
		"Strict, and another bad one":  {strict, Refusal{Code: 400, Message: "json: cannot unmarshal", SendsValue: true}, term.Unattributed},
		"lost, with such errors":       {result.Finding{Outcome: term.Lost, Cause: term.Unattributed}, Refusal{Code: 422, Causes: invalid, SendsValue: true}, term.Unattributed},
		"attributed":                   {result.Finding{Outcome: term.Refused, Cause: term.NotServed}, Refusal{Code: 404}, term.NotServed},
		"attributed, with errors":      {result.Finding{Outcome: term.Refused, Cause: term.NotServed}, Refusal{Code: 422, Causes: invalid, SendsValue: true}, term.NotServed},
		"an apply of a key twice":      {failed, Refusal{Code: 500, Message: ofPatch + `duplicate entries for key [name="a"]`}, term.InvalidValue},
		"an apply of another type":     {failed, Refusal{Code: 500, Message: ofPatch + "expected list, got string"}, term.WrongType},
		"the server failed":            {failed, Refusal{Code: 500, Message: "etcd is slow", SendsValue: true}, term.Unattributed},
	} {
		assert.Equal(t, c.want, CauseOf(c.finding, c.refusal), name)
	}
}

// TestCausesIn: sentences without a list of errors name places too.
func TestCausesIn(t *testing.T) {
	fields := func(message string) (all []string) {
		for _, c := range CausesIn(message) {
			all = append(all, c.Field)
		}
		return all
	}
	assert.Equal(t, []string{`spec.entries`}, fields(`failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.entries: duplicate entries for key [name="a"]`))
	assert.Equal(t, []string{"spec.a", "spec.b"}, fields("failed to create typed patch object (ns/a): errors:\n  .spec.a: expected list, got string\n  .spec.b: field not declared in schema"))
	assert.Equal(t, []string{"spec.a", "spec.b[0].c"}, fields(`strict decoding error: unknown field "spec.a", unknown field "spec.b[0].c"`))
	assert.Empty(t, fields("admission webhook said: no"))
}

// TestIsAhead: a release without a value may refuse a request that sends it, and not a label on an
// object that has it.
func TestIsAhead(t *testing.T) {
	broken := result.Finding{Outcome: term.Refused, Class: term.Violation, Rule: term.Rule5, Verb: term.Put}
	born := broken
	born.Verb = term.Create
	sent := Refusal{Code: 422, Message: "spec.t: Invalid value", SendsValue: true}
	const apply = `failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.p: expected numeric (int or float), got string`
	for name, c := range map[string]struct {
		finding result.Finding
		own     term.Effect
		refusal Refusal
		want    bool
	}{
		"the value is sent":    {broken, term.Refused.Effect(), sent, true},
		"an object is created": {born, term.Refused.Effect(), Refusal{Code: 422, Message: "spec.b: Required value"}, true},
		"an apply of the type": {broken, term.Refused.Effect(), Refusal{Code: 500, Message: apply}, true},
		"a label is sent":      {broken, term.Frozen.Effect(), Refusal{Code: 422}, false},
		"a key twice":          {broken, term.Refused.Effect(), Refusal{Code: 500, Message: `failed to create typed live object (a): duplicate entries for key [name="a"]`}, true},
		"a value, and frozen":  {broken, term.Frozen.Effect(), sent, false},
		"no rule is broken":    {result.Finding{Outcome: term.Refused, Class: term.Impact, Verb: term.Put}, term.Refused.Effect(), sent, false},
		"a label, and refused": {broken, term.Refused.Effect(), Refusal{Code: 422, Message: "spec.t: Invalid value"}, false},
		"the server failed":    {born, term.Refused.Effect(), Refusal{Code: 500}, false},
	} {
		assert.Equal(t, c.want, IsAhead(c.finding, c.own, c.refusal), name)
	}
}

// TestIsOf: an error is of the field itself or within it, and not of what is around it or of another one.
func TestIsOf(t *testing.T) {
	assert.True(t, IsOfField(result.StatusCause{Field: "spec.note"}, ".spec.note"))
	assert.True(t, IsOfField(result.StatusCause{Field: "spec.notes[1].text"}, ".spec.notes"))
	assert.False(t, IsOfField(result.StatusCause{Field: "spec"}, ".spec.note"))
	assert.False(t, IsOfField(result.StatusCause{Field: "spec.notes"}, ".spec.note"))
}

// TestConcernsBytes: bytes that are read as another field concern the value that they were written
// for; another change of that field does not.
func TestConcernsBytes(t *testing.T) {
	retagged := result.Finding{Outcome: term.Changed, Path: ".spec.shine", Cause: term.BadEncoding}
	assert.True(t, Concerns(retagged, ".spec.glow"))
	retagged.Cause = term.Defaulted
	assert.False(t, Concerns(retagged, ".spec.glow"))
}
