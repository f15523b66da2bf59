package sweep

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Spot is where an aim's object must hold something.
type Spot int

// The spots.
const (
	AtPath     Spot = iota // at the difference's path
	AtParent               // in the struct that has the field, and not in the field
	AtKind                 // any valid object of the kind
	AtStatus               // at the status of the kind
	AtScale                // any object with the fields that a scale may write
	AtSelected             // at the field by which lists can be selected
	AtParts                // at a part of a list or map
)

// Aim is one object that a difference needs.
type Aim struct {
	Release term.Role // whose server takes the object
	// Form is treated for an object that uses what only one release has: whether the guide permits
	// what happens to such a value depends on the value. A bystander uses nothing that differs, so
	// what happens to it breaks a rule.
	Form term.CopyRole
	Spot Spot
	// Named reports that the object holds the value that the difference is named by.
	Named bool
	// Alone and Elsewhere are as in sweep.Target.
	Alone, Elsewhere bool
	// Beyond reports that the object holds a value that only the release's own type has.
	Beyond bool
	// Filled reports that the object has further fields.
	Filled bool
	// Preferred, Unkept, Twice and Beside are as in sweep.Target.
	Preferred, Unkept, Twice, Beside bool
}

// AllAims returns the objects that each kind of difference needs. Kinds that are absent are listed and
// never played: they are of tables, names and settings, not of what is stored.
//
// What only the old release has comes from the old release, so that it is stored before the
// upgrade; what only the new release has comes from the new one. Where the releases treat the
// same object differently, both make one. A difference in how absence is treated, such as a
// default, needs an object without the field.
func AllAims() map[term.DifferenceKind][]Aim {
	added := Aim{Release: term.New, Form: term.Treated}
	removed := Aim{Release: term.Old, Form: term.Bystander}
	absent := Aim{Release: term.Old, Form: term.Bystander, Spot: AtParent}
	without := absent
	without.Beside = true
	newKind := Aim{Release: term.New, Form: term.Treated, Spot: AtKind}
	oldKind := Aim{Release: term.Old, Form: term.Bystander, Spot: AtKind}
	return map[term.DifferenceKind][]Aim{
		term.FieldAdded:        {added},
		term.FieldRemoved:      {{Release: term.Old, Form: term.Treated}},
		term.EnumValueAdded:    {{Release: term.New, Form: term.Treated, Named: true, Beside: true}},
		term.EnumValueRemoved:  {{Release: term.Old, Form: term.Bystander, Named: true, Beside: true}},
		term.DefaultChanged:    {absent, added},
		term.RequiredAdded:     {without},
		term.RequiredRemoved:   {{Release: term.New, Form: term.Treated, Spot: AtParent, Beside: true}},
		term.TypeChanged:       {removed, added, beyondOf(removed), beyondOf(added)},
		term.ListChanged:       {removed, added, twiceOf(removed), twiceOf(added), {Release: term.Old, Form: term.Bystander, Spot: AtParts}},
		term.MergeChanged:      {removed, added},
		term.TagChanged:        {removed, added},
		term.GateAdded:         {added, absent},
		term.GateChanged:       {added, absent},
		term.GateRemoved:       {removed},
		term.KindAdded:         {aloneOf(newKind)},
		term.VersionAdded:      {elsewhereOf(newKind)},
		term.KindRemoved:       {aloneOf(oldKind)},
		term.VersionRemoved:    {elsewhereOf(oldKind)},
		term.StorageChanged:    {oldKind, newKind},
		term.PreferredChanged:  {oldKind, preferredOf(newKind)},
		term.ConversionChanged: {oldKind, newKind},
		term.NamesChanged:      {{Release: term.Old, Form: term.Bystander, Spot: AtScale}},
		term.SelectorAdded:     {{Release: term.New, Form: term.Treated, Spot: AtSelected}},
		term.SelectorRemoved:   {{Release: term.Old, Form: term.Bystander, Spot: AtSelected}},
		term.SubresourceAdded:  {{Release: term.Old, Form: term.Bystander, Spot: AtStatus, Beside: true}},
		term.SubresourceGone:   {{Release: term.Old, Form: term.Bystander, Spot: AtStatus}},
	}
}

// beyondOf is the aim at a value that the other release's type does not have.
func beyondOf(a Aim) Aim {
	a.Beyond, a.Beside = true, true
	return a
}

// twiceOf is the aim at a list with an element twice.
func twiceOf(a Aim) Aim {
	a.Twice, a.Beside = true, true
	return a
}

// Beyond returns a value that one type of a field has and another one has not; nil if none is known.
// Types are as differences spell them.
func Beyond(own, other string) any {
	is := func(text string, word string) bool { return text == word || strings.HasPrefix(text, word+" ") }
	switch {
	case keepsUndeclared(own) && is(strings.ReplaceAll(other, ",", " "), "map"):
		// Differences do not spell the type of a map's values: no type but any has all of these.
		return map[string]any{"textSample": "sample", "numberSample": int64(8080), "flagSample": true}
	case keepsUndeclared(own) && !keepsUndeclared(other) && is(strings.ReplaceAll(other, ",", " "), "object"):
		return map[string]any{"undeclaredSample": "sample"}
	case isAny(own) && !isAny(other):
		return notOf(other)
	case own == either && is(other, "integer"):
		return "50%"
	case own == either && is(other, "string"):
		return int64(8080)
	case own == "string" && strings.HasPrefix(other, "string "): // of a format
		return "no such value"
	case is(own, "number") && is(other, "integer"):
		return 1.5
	case is(own, "integer") && is(other, "integer int32") && own != other:
		return int64(1) << 40
	}
	return nil
}

// isAny reports whether a type is that of any JSON value.
func isAny(of string) bool { return of == "any" || strings.HasPrefix(of, "any,") }

// notOf returns a value that a type does not have: a text or, of a type of texts, another one; nil if none is known.
func notOf(other string) any {
	switch {
	case other == either:
		return true
	case strings.HasPrefix(other, "string"):
		return int64(8080)
	case strings.Contains(other, "string"): // several types
		return nil
	}
	return "sample"
}

// either is the text of the type of a number or a text.
const either = "integer or string"

// IsAnyOfType reports whether any value of the type of Beyond's value is beyond the other type: any text is, of
// a type that has no texts, and any number of one that has texts alone.
func IsAnyOfType(own, _ string) bool { return own == either || isAny(own) }

// AimAtRule is the aim at a value on which a rule of a field is tried.
func AimAtRule(rule, path string) Aim {
	a := Aim{Release: term.Old, Form: term.Bystander, Filled: NeedsMore(rule, path)}
	if path == "" && MemberOf(rule) == "" {
		a.Spot = AtKind
	}
	return a
}

// MemberOf returns the path of the first member of the object that a rule of a whole object names; ""
// for its metadata, which every object has.
func MemberOf(rule string) string {
	named := aimMember.FindStringSubmatch(rule)
	if named == nil || named[1] == "metadata" {
		return ""
	}
	return "." + named[1]
}

// aimMember finds the members of an object in a rule in CEL.
var aimMember = regexp.MustCompile(`\b(?:self|oldSelf)\.\??([A-Za-z0-9_]+)`)

// NeedsMore reports whether a rule says something of fields beside the one at its path: it compares
// an object with what was stored, its field is of the elements of a list, which are compared whole, or it
// says what members a struct has, and is evaluated again when any of them changes.
func NeedsMore(rule, path string) bool {
	return strings.Contains(rule, "oldSelf") || strings.Contains(rule, "self.") || strings.Contains(path, "[]") || alternatives.MatchString(rule)
}

// alternatives finds the names of rules that are schemas which an object must fit, or must not, and of rules
// of lists: what their elements are is then of interest. A struct has no more members than its type declares, so one
// with too many of them needs values of those.
var alternatives = regexp.MustCompile(`^(oneOf|anyOf|allOf|not)(\[|\{|$)|^(maxItems|minItems|maxProperties)`)

// keepsUndeclared reports whether objects of a type may have members that it does not declare.
func keepsUndeclared(text string) bool {
	return strings.HasPrefix(text, "object, unknown fields kept") || strings.HasPrefix(text, "object, any entries")
}

// Keys returns the keys by which one type of a list distinguishes elements and another one does not,
// and those by which the other one distinguishes them: two elements that differ in the first alone are
// two of the one list and one of the other. Types are as differences spell them.
func Keys(own, other string) (differ, same []string) {
	_, names, _ := strings.Cut(own, byKeys)
	_, others, both := strings.Cut(other, byKeys)
	if names == "" || !both {
		return nil, nil
	}
	same = strings.Split(others, ", ")
	return slices.DeleteFunc(strings.Split(names, ", "), func(name string) bool { return slices.Contains(same, name) }), same
}

// KeysOf returns the keys by which a list knows its elements; none: it has no keys. Types are as differences
// spell them.
func KeysOf(own string) []string {
	if _, names, has := strings.Cut(own, byKeys); has {
		return strings.Split(names, ", ")
	}
	return nil
}

// NewKeys returns the keys by which one type of a list does not distinguish elements, and another one does. Types
// are as differences spell them.
func NewKeys(own, other string) []string {
	_, names, _ := strings.Cut(own, byKeys)
	_, others, keyed := strings.Cut(other, byKeys)
	if !keyed {
		return nil
	}
	had := strings.Split(names, ", ")
	return slices.DeleteFunc(strings.Split(others, ", "), func(name string) bool { return slices.Contains(had, name) })
}

// byKeys comes before the keys of a list in the text of its type.
const byKeys = "map by "

// aloneOf is the aim at a kind that the other release does not serve.
func aloneOf(a Aim) Aim {
	a.Alone = true
	return a
}

// elsewhereOf is the aim at a version that the other release does not serve: it may serve the
// kind in another one.
func elsewhereOf(a Aim) Aim {
	a.Alone, a.Elsewhere = true, true
	return a
}

// preferredOf is the aim at the version that a release prefers.
func preferredOf(a Aim) Aim {
	a.Release, a.Form, a.Preferred = term.Old, term.Bystander, true
	return a
}
