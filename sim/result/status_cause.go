package result

import (
	"regexp"
	"strings"
)

// StatusCause is one error of a server's refusal, as the details of its Status list them.
type StatusCause struct {
	// Field is the path of the field, as the server spells it: spec.ports[0].name; "" for the whole
	// object, and for what is no field.
	Field string `json:"field,omitempty"`
	// Reason is the kind of error, such as FieldValueRequired.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// wholeObject is the field that servers name for an error of the whole object.
const wholeObject = "<nil>"

// ofAlternatives finds the field in an error of alternatives that a schema states (oneOf, anyOf, allOf, not):
// servers name it in the message alone.
var ofAlternatives = regexp.MustCompile(`"([^"]*)" must (?:not )?validate `)

// NewStatusCause returns an error as a Status lists it.
func NewStatusCause(field, reason, message string) StatusCause {
	if field == wholeObject {
		field = ""
	}
	if named := ofAlternatives.FindStringSubmatch(message); named != nil && field == "" {
		field = named[1]
	}
	return StatusCause{Field: field, Reason: reason, Message: message}
}

// immutable finds the words of an error of a field that never changes.
var immutable = regexp.MustCompile(`(?i)\bimmutable\b`)

// SaysImmutable reports whether the error is that the field of an object that exists never changes.
func (c StatusCause) SaysImmutable() bool { return immutable.MatchString(c.Message) }

// LeavesRulesOut reports whether the error is that the server has not evaluated all rules: it evaluates none in CEL
// on what a schema refuses.
func (c StatusCause) LeavesRulesOut() bool {
	return strings.Contains(c.Message, "some validation rules were not checked")
}
