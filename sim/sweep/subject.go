package sweep

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Subject is what a difference is about, as far as a server's refusal can name it.
type Subject struct {
	Kind term.DifferenceKind
	// Field is the field of the difference, as differences spell fields; "" for a whole kind. Held is
	// its path in the object, with the indices of lists; "" if no object holds it.
	Field, Held string
	// Rule is the name of a rule, and Messages what servers say of what it refuses, if that is known.
	Rule     string
	Messages []string
	// Unstated reports that no release states the rule: whatever a server says may be it.
	Unstated bool

	field, held []string // the parts of Field and Held, where they were read before: each error is held against all rows
}

// partsOf returns the parts of a path.
func partsOf(text string) []string { return path.Members(strings.TrimPrefix(text, ".")) }

// Fit is how well an error of a refusal fits a subject.
type Fit int

// The fits, the least first.
const (
	// NoFit is the fit of an error of something else.
	NoFit Fit = iota
	// FitAround is the fit of an error of a struct or list that holds the field, which what one release
	// makes of the field may cause.
	FitAround
	// FitWithin is the fit of an error of the field, or of what it holds.
	FitWithin
	// FitExact is the fit of an error in the words of the difference.
	FitExact
)

// Fits returns how well an error fits the subject. Sends reports whether the request sends values of
// its own: of a request that sends none, whatever changed is what the release made of the stored object.
func (s Subject) Fits(c result.StatusCause, sends bool) Fit {
	return s.fits(c, path.Members(c.Field), sends)
}

// fits does so with the parts of the error's place.
func (s Subject) fits(c result.StatusCause, at []string, sends bool) Fit {
	field := s.field
	if field == nil {
		field = partsOf(s.Field)
	}
	if s.held == nil && s.Held != "" {
		s.held = partsOf(s.Held)
	}
	at = s.membersIn(c.Field, at)
	switch {
	case s.Unstated:
		return FitWithin
	case s.isOtherElement(at):
		return NoFit
	case isBelow(at, field) && s.Kind.IsRule():
		return s.fitsRule(c, len(at) == len(field))
	case isBelow(at, field) && len(at) == len(field) && s.isOwnError(c):
		return FitExact
	case isBelow(at, field):
		return FitWithin
	case isBelow(field, at) && s.isAround(c, sends):
		return FitAround
	}
	return NoFit
}

// membersIn returns the parts of a place as a server names it, which spells the key of a map like a member, dots and all:
// those that were read from it, unless the value is of such a key.
func (s Subject) membersIn(place string, parts []string) []string {
	for _, part := range s.held {
		if !strings.HasPrefix(part, `"`) {
			continue
		}
		if key, err := strconv.Unquote(part); err == nil && strings.Contains(key, ".") {
			place = strings.Replace(place, "."+key, "["+key+"]", 1)
			parts = path.Members(place)
		}
	}
	return parts
}

// isOwnError reports whether an error of the field is the one that the kind of difference causes.
func (s Subject) isOwnError(c result.StatusCause) bool {
	switch s.Kind {
	case term.RequiredAdded, term.RequiredRemoved:
		return c.Reason == fieldRequired
	case term.EnumValueAdded, term.EnumValueRemoved:
		return c.Reason == fieldNotSupported
	}
	return false
}

// fitsRule returns how well an error at the place of a rule, or within it, fits the rule. Servers name a
// rule of a schema by fixed words, and a rule in CEL by its message.
func (s Subject) fitsRule(c result.StatusCause, isAt bool) Fit {
	schema := ruleIn(c)
	switch {
	case IsOfSchema(s.Rule):
		switch {
		case isAt && slices.Contains(schema, s.Rule):
			return FitExact
		case isAt && len(schema) == 0:
			return FitWithin
		}
		return NoFit
	case len(s.Messages) > 0:
		if slices.ContainsFunc(s.Messages, func(m string) bool { return strings.Contains(c.Message, m) }) {
			return FitExact
		}
		return NoFit
	case isAt && len(schema) > 0 && !strings.HasPrefix(s.Rule, "k8s:"):
		return NoFit
	}
	return FitWithin
}

// FillsIn reports whether the difference may be why a release fills in a field that the stored object lacks.
func (s Subject) FillsIn() bool { return s.Kind == term.DefaultChanged || s.Kind == term.FieldAdded }

// isAround reports whether what one release makes of the field may be why a server refuses what is around
// it: the field is missing or filled in there, and the client has not changed anything, or the error is of
// what members there are.
func (s Subject) isAround(c result.StatusCause, sends bool) bool {
	switch s.Kind {
	case term.FieldAdded, term.FieldRemoved, term.TypeChanged, term.DefaultChanged, term.TagChanged, term.MergeChanged, term.GateAdded, term.GateRemoved, term.GateChanged:
		return !sends || IsOfMembers(c) || s.isNamedIn(c.Message)
	}
	return false
}

// isNamedIn reports whether a message has the name of the field.
func (s Subject) isNamedIn(message string) bool {
	names := partsOf(s.Field)
	last := names[len(names)-1]
	return last != "" && regexp.MustCompile(`(?:^|\W)`+regexp.QuoteMeta(last)+`(?:\W|$)`).MatchString(message)
}

// IsOfMembers reports whether an error is of the members that a struct has or lacks.
func IsOfMembers(c result.StatusCause) bool {
	return c.Reason == fieldRequired || slices.ContainsFunc(ruleIn(c), func(rule string) bool {
		return slices.Contains([]string{"oneOf", "anyOf", "not", "minProperties", "maxProperties"}, rule)
	})
}

// LacksMembers reports whether an error is of members that a struct lacks: one that a release filled in would
// not be missing.
func LacksMembers(c result.StatusCause) bool {
	return IsOfMembers(c) && (c.Reason == fieldRequired || tooFew.MatchString(c.Message))
}

// tooFew has the words of rules that a struct breaks for what it lacks.
var tooFew = regexp.MustCompile(`at least \d+ properties|Found none valid|\(anyOf\)`)

// isOtherElement reports whether an error is of another element of a list than the one that holds the
// subject's value.
func (s Subject) isOtherElement(at []string) bool {
	for i, name := range s.held[:min(len(s.held), len(at))] {
		if _, err := strconv.Atoi(name); name != at[i] {
			_, other := strconv.Atoi(at[i])
			return err == nil && other == nil
		}
	}
	return false
}

// isBelow reports whether a place is a field, or within it. A field's element or entry is any.
func isBelow(at, field []string) bool {
	for i, name := range field {
		if i >= len(at) || name != "" && at[i] != "" && strings.Trim(name, `"`) != at[i] {
			return false
		}
	}
	return true
}

// The reasons of errors of a Status.
const (
	fieldRequired     = "FieldValueRequired"
	fieldNotSupported = "FieldValueNotSupported"
	fieldTypeInvalid  = "FieldValueTypeInvalid"
)

// ofSchemas has the words by which servers name a broken rule of a schema: the messages of kube-openapi and
// of field.Error.
var ofSchemas = map[string]*regexp.Regexp{
	"allOf":            regexp.MustCompile(`\(allOf\)`),
	"anyOf":            regexp.MustCompile(`\(anyOf\)`),
	"enum":             regexp.MustCompile(`^Unsupported value`),
	"exclusiveMaximum": regexp.MustCompile(` should be less than `),
	"exclusiveMinimum": regexp.MustCompile(` should be greater than `),
	"maxItems":         regexp.MustCompile(`^Too many|should have at most \d+ items`),
	"maxLength":        regexp.MustCompile(`^Too long|should be at most \d+ chars long`),
	"maxProperties":    regexp.MustCompile(`^Too many|should have at most \d+ properties`),
	"maximum":          regexp.MustCompile(` should be less than `),
	"minItems":         regexp.MustCompile(`should have at least \d+ items`),
	"minLength":        regexp.MustCompile(`should be at least \d+ chars long`),
	"minProperties":    regexp.MustCompile(`should have at least \d+ properties`),
	"minimum":          regexp.MustCompile(` should be greater than `),
	"multipleOf":       regexp.MustCompile(`should be a multiple of`),
	"not":              regexp.MustCompile(`\(not\)`),
	"null refused":     regexp.MustCompile(`must be of type [\w, ]+: "null"`),
	"oneOf":            regexp.MustCompile(`\(oneOf\)`),
	"pattern":          regexp.MustCompile(`should match '`),
	"uniqueItems":      regexp.MustCompile(`shouldn't contain duplicates`),
}

// IsOfSchema reports whether a rule is one that schemas state by a name of their own.
func IsOfSchema(rule string) bool { return ofSchemas[rule] != nil }

// ruleIn returns the rules of schemas that an error may be of; none: its words are of another kind.
func ruleIn(c result.StatusCause) (names []string) {
	for name, words := range ofSchemas {
		if words.MatchString(c.Message) {
			names = append(names, name)
		}
	}
	return names
}
