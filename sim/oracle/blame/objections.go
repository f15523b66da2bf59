package blame

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/schema"
)

// The reasons that a server gives for its objections, as far as they say what it saw.
const (
	missesValue  = "FieldValueRequired"     // it found no value
	invalidValue = "FieldValueInvalid"      // it shows what it found
	NotSupported = "FieldValueNotSupported" // the value is not in the server's list
)

// Objection is one field that a refusal names, the kind of error it is, and what it says.
type Objection struct{ Name, Reason, Message string }

// found returns the text of the value that an objection shows: 0 for "Invalid value: 0: must be
// more". It returns false if the objection shows no value, or only its type.
func (o Objection) found() (string, bool) {
	_, rest, shows := strings.Cut(o.Message, " value: ")
	if !shows {
		return "", false
	}
	var raw json.RawMessage
	decoder := json.NewDecoder(strings.NewReader(rest))
	if err := decoder.Decode(&raw); err != nil || letter.MatchString(rest[decoder.InputOffset():]) { // []core.Scope{"A"} begins as JSON does
		text, _, _ := strings.Cut(rest, ": ")
		return text, true
	}
	text := string(raw)
	return text, text != `"object"` && text != `"array"`
}

// letter finds a letter at the beginning of a text.
var letter = regexp.MustCompile(`^[A-Za-z*]`)

// FoundNothing reports whether the server says that it found no value.
func (o Objection) FoundNothing() bool {
	text, shows := o.found()
	switch {
	case o.Reason == missesValue:
		return true
	case o.Reason != invalidValue || !shows:
		return false
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return !someValue.MatchString(emptyMembers.ReplaceAllString(text, ""))
	}
	return isVoid(v)
}

// A server that shows a value as Go source names its type, and the members that it lacks:
// core.Source{File:(*core.File)(nil), Name:""}.
var (
	emptyMembers = regexp.MustCompile(`\w+:(?:\([^)]*\)\(nil\)|[\w.\[\]*]+\(nil\)|""|0|false|<nil>)|^[\w.\[\]*&{} ]*\{|<nil>|nil`)
	someValue    = regexp.MustCompile(`\w`)
)

// isVoid reports whether JSON holds only empty values.
func isVoid(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if !isVoid(member) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || v == "" || v == false || v == 0.0
}

// Shows reports whether the server has seen a value, and so has not dropped it: the objection
// repeats the value or its parent, or is of a kind that only an existing value causes.
func (o Objection) Shows(v any) bool {
	text, shown := o.found()
	if !shown {
		return o.Reason != missesValue && o.Reason != invalidValue
	}
	var within any
	if json.Unmarshal([]byte(text), &within) == nil {
		return holdsValue(within, schema.Text(v))
	}
	if elements, is := v.([]any); is { // which the server writes as Go does
		return len(elements) > 0 && !slices.ContainsFunc(elements, func(e any) bool { return !o.Shows(e) })
	}
	return regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(strings.Trim(schema.Text(v), `"`)) + `(?:\W|$)`).MatchString(text)
}

// holdsValue reports whether JSON is a value, or holds it.
func holdsValue(within any, text string) bool {
	switch within := within.(type) {
	case map[string]any:
		for _, member := range within {
			if holdsValue(member, text) {
				return true
			}
		}
		return false
	case []any:
		for _, member := range within {
			if holdsValue(member, text) {
				return true
			}
		}
		return false
	}
	return schema.Text(within) == text
}
