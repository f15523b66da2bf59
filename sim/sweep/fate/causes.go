package fate

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Refusal is what a server answered to a write that it refused.
type Refusal struct {
	Code    int
	Message string
	// SendsValue reports that the write sends the value that its object is for, Beside that it
	// changes a field beside it.
	SendsValue, Beside bool
}

// The words that servers have for the errors of validation: see package field of apimachinery.
var (
	refusedValue = regexp.MustCompile(`: (Invalid value|Unsupported value|Duplicate value|Too long|Too many|Forbidden)\b`)
	repeated     = regexp.MustCompile(`failed to create typed (patch|live) object .*: duplicate entries for key`)
	immutable    = regexp.MustCompile(`: Invalid value: .*\bfield is immutable`)
)

const (
	requiredValue = ": Required value"
	strictError   = "strict decoding error"
)

// CauseOf returns the cause of a finding; of a refusal that the oracle attributes to nothing, the
// cause that the server's answer names.
func CauseOf(f result.Finding, r Refusal) term.Cause {
	switch {
	case f.Cause != term.Unattributed:
		return f.Cause
	case f.State == term.Failed && repeated.MatchString(r.Message):
		return term.UnknownValue // servers answer 500 to an apply of a list that has a key twice
	case f.State != term.Refused:
		return f.Cause
	}
	missing, refused := strings.Contains(r.Message, requiredValue), refusedValue.MatchString(r.Message)
	switch {
	case r.Code == http.StatusBadRequest && strings.Contains(r.Message, strictError) && f.FieldValidation == term.Strict:
		return term.AskedStrict
	case r.Code != http.StatusUnprocessableEntity:
		return f.Cause
	case immutable.MatchString(r.Message):
		return term.Immutable
	case r.Beside && (missing || refused):
		return term.NotRatcheted
	case missing && !refused:
		return term.Required
	case refused && !missing && r.SendsValue:
		return term.UnknownValue
	}
	return f.Cause
}

// mistyped finds the answer to an apply whose values have not the types of the server's schema.
var mistyped = regexp.MustCompile(`failed to create typed patch object .*: expected `)

// IsAhead reports whether a server without what an object uses refuses a request that sends it: a
// value that the release before did not permit either. The guide expects that; what it does not
// permit is an object that can no longer be written, whatever is sent.
func IsAhead(f result.Finding, own term.Fate, r Refusal) bool {
	if own != term.FateRefused || f.Class != term.Violation {
		return false
	}
	sends := r.SendsValue || f.Verb.Creates()
	return sends && r.Code == http.StatusUnprocessableEntity || mistyped.MatchString(r.Message) || repeated.MatchString(r.Message)
}

// Names reports whether a server's words name a field, such as .spec.note in "spec.note: Required
// value".
func Names(message, field string) bool {
	return strings.Contains(message, strings.TrimPrefix(field, ".")+": ")
}
