package sweep

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Refusal is what a server answered to a write that it refused.
type Refusal struct {
	Code    int
	Message string
	// Causes are the errors of the refusal that are of the value.
	Causes []result.StatusCause
	// SendsValue reports that the write sends the value that its object is for, Beside that it
	// changes a field beside it.
	SendsValue, Beside bool
	// Transition reports that the errors are of a rule that compares an object with what was stored, and
	// Filled that the release itself fills in what the rule compares.
	Transition, Filled bool
}

// The words that servers have for what is no error of a field: see structured-merge-diff.
var (
	repeated = regexp.MustCompile(`failed to create typed (patch|live) object .*: duplicate entries for key`)
	mistyped = regexp.MustCompile(`(?s)failed to create typed (patch|live) object .*: expected `)
)

const strictError = "strict decoding error"

// CauseOf returns the cause of a finding; of a refusal that the oracle attributes to nothing, the
// cause that the errors in the server's answer name.
func CauseOf(f result.Finding, r Refusal) term.Cause {
	switch {
	case r.Filled && len(r.Causes) > 0:
		return term.Defaulted
	case f.Cause != term.Unattributed:
		return f.Cause
	case f.Outcome == term.Failed && repeated.MatchString(r.Message):
		return term.InvalidValue // servers answer 500 to an apply of a list that has a key twice
	case f.Outcome == term.Failed && mistyped.MatchString(r.Message):
		return term.WrongType
	case f.Outcome != term.Refused && f.Outcome != term.Frozen:
		return f.Cause
	case r.Code == http.StatusBadRequest && strings.Contains(r.Message, strictError) && f.FieldValidation == term.Strict:
		return term.AskedStrict
	case len(r.Causes) == 0:
		return f.Cause
	}
	kinds := kindsOf(r.Causes)
	switch {
	case f.Verb.Creates() && kinds[0] == term.Immutable: // nothing is stored yet that could not change
		return term.InvalidValue
	case r.Transition && !f.Verb.Creates() || kinds[0] == term.Immutable:
		return term.Immutable
	case r.Beside || !r.SendsValue && !f.Verb.Creates() && kinds[0] != term.Required:
		return term.NotRatcheted
	}
	return kinds[0]
}

// kindsOf returns what the errors of a refusal are, each kind once. Those of values come first: a server
// that requires a field may do so because of a value. That it left rules out says nothing beside an error.
func kindsOf(causes []result.StatusCause) (kinds []term.Cause) {
	for _, c := range causes {
		if !c.LeavesRulesOut() || len(causes) == 1 {
			kinds = append(kinds, refusalKind(c))
		}
	}
	order := []term.Cause{term.Immutable, term.UnknownValue, term.WrongType, term.InvalidValue, term.Required}
	slices.SortStableFunc(kinds, func(a, b term.Cause) int { return slices.Index(order, a) - slices.Index(order, b) })
	return slices.Compact(kinds)
}

// refusalKind returns what an error of a refusal is.
func refusalKind(c result.StatusCause) term.Cause {
	switch {
	case c.Reason == fieldRequired:
		return term.Required
	case c.Reason == fieldNotSupported:
		return term.UnknownValue
	case c.SaysImmutable():
		return term.Immutable
	case c.Reason == fieldTypeInvalid || ofType.MatchString(c.Message):
		return term.WrongType
	}
	return term.InvalidValue
}

// ofType finds the words of an error of a type or format.
var ofType = regexp.MustCompile(` must be of type `)

// IsAhead reports whether a server without what an object uses refuses a request that sends it: a
// value that the release before did not permit either. The guide expects that; what it does not
// permit is an object that can no longer be written, whatever is sent.
func IsAhead(f result.Finding, own term.Effect, r Refusal) bool {
	if own != term.Refused.Effect() || f.Class != term.Violation {
		return false
	}
	sends := r.SendsValue || f.Verb.Creates()
	return sends && r.Code == http.StatusUnprocessableEntity || mistyped.MatchString(r.Message) || repeated.MatchString(r.Message)
}

// CausesIn returns the errors that a message names which has no list of errors: those of an apply whose
// values do not fit the schema, and of fields that are unknown.
func CausesIn(message string) (all []result.StatusCause) {
	for _, m := range ofTypes.FindAllStringSubmatch(message, -1) {
		all = append(all, result.StatusCause{Field: strings.TrimPrefix(m[1], "."), Reason: fieldTypeInvalid, Message: m[2]})
	}
	for _, m := range unknown.FindAllStringSubmatch(message, -1) {
		all = append(all, result.StatusCause{Field: m[1], Message: m[0]})
	}
	return all
}

var (
	ofTypes = regexp.MustCompile(`(?:^|[:;\s])(\.[A-Za-z][^\s:]*): ((?:expected|duplicate entries|field not declared|associative list)[^\n]*)`)
	unknown = regexp.MustCompile(`unknown field "([^"]+)"`)
)

// IsOfField reports whether an error is of a field, or of what it holds: both with the indices of lists.
func IsOfField(c result.StatusCause, field string) bool {
	return Within("."+c.Field, field)
}
