package objects

import (
	"maps"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// NarrowedBy returns the definitions with the rules of another release's definitions of the same names too:
// what is generated from them is likely to be valid in both. Where the two have no value in common, the
// definitions are as they were. Fields that only the other release has are left out.
func (d Definitions) NarrowedBy(other Definitions) Definitions {
	all := maps.Clone(d.byName)
	for name, own := range all {
		if theirs := other.byName[name]; theirs != nil {
			all[name] = narrowed(own, theirs)
		}
	}
	return Definitions{byName: all, wide: d.byName}
}

// narrowed returns a schema with the rules of another one too. It returns the schema itself where the other
// one has no further rule.
func narrowed(own, other *spec.Schema) *spec.Schema {
	switch {
	case own.Ref.String() != "" || other.Ref.String() != "":
		return own
	case isWider(own, other):
		return other
	case !slices.Equal(own.Type, other.Type) && !IsIntOrString(other):
		return own
	}
	s := *own
	changed := slices.Contains([]bool{
		narrowEnum(&s, other), narrowBounds(&s, other), narrowText(&s, other), narrowList(&s, other), narrowMembers(&s, other),
	}, true)
	if !changed {
		return own
	}
	return &s
}

// isWider reports whether one schema accepts values of several types, and another one those of one of them.
func isWider(own, other *spec.Schema) bool {
	if IsIntOrString(own) {
		return !IsIntOrString(other) && (other.Type.Contains("integer") || other.Type.Contains("string"))
	}
	return IsOpen(own) && !IsOpen(other) && len(other.Type) > 0 && (len(own.Type) == 0 || slices.Equal(own.Type, other.Type))
}

// narrowEnum puts the values first that both enums have.
func narrowEnum(s, other *spec.Schema) bool {
	if len(other.Enum) == 0 {
		return false
	}
	if len(s.Enum) == 0 {
		s.Enum = other.Enum
		return true
	}
	in := func(v any) bool {
		return slices.ContainsFunc(other.Enum, func(o any) bool { return JSONText(o) == JSONText(v) })
	}
	if !slices.ContainsFunc(s.Enum, func(v any) bool { return !in(v) }) {
		return false
	}
	s.Enum = slices.Clone(s.Enum)
	slices.SortStableFunc(s.Enum, func(a, b any) int {
		switch {
		case in(a) && !in(b):
			return -1
		case in(b) && !in(a):
			return 1
		}
		return 0
	})
	return true
}

// narrowBounds takes the stricter bounds of numbers and counts over, where values are left between them.
func narrowBounds(s, other *spec.Schema) (changed bool) {
	was := *s
	if other.Minimum != nil && (s.Minimum == nil || *s.Minimum <= *other.Minimum) {
		s.Minimum, s.ExclusiveMinimum = other.Minimum, other.ExclusiveMinimum || s.ExclusiveMinimum && s.Minimum != nil && *s.Minimum == *other.Minimum
		changed = true
	}
	if other.Maximum != nil && (s.Maximum == nil || *s.Maximum >= *other.Maximum) {
		s.Maximum, s.ExclusiveMaximum = other.Maximum, other.ExclusiveMaximum || s.ExclusiveMaximum && s.Maximum != nil && *s.Maximum == *other.Maximum
		changed = true
	}
	if low, high := Bounds(s); low > high {
		s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum = was.Minimum, was.Maximum, was.ExclusiveMinimum, was.ExclusiveMaximum
	}
	for _, count := range []struct {
		least, most   **int64
		least2, most2 *int64
	}{
		{&s.MinLength, &s.MaxLength, other.MinLength, other.MaxLength},
		{&s.MinItems, &s.MaxItems, other.MinItems, other.MaxItems},
		{&s.MinProperties, &s.MaxProperties, other.MinProperties, other.MaxProperties},
	} {
		least, most := *count.least, *count.most
		if count.least2 != nil && (least == nil || *least < *count.least2) {
			least = count.least2
		}
		if count.most2 != nil && (most == nil || *most > *count.most2) {
			most = count.most2
		}
		if least == nil || most == nil || *least <= *most {
			changed = changed || least != *count.least || most != *count.most
			*count.least, *count.most = least, most
		}
	}
	return changed
}

// alsoPattern is the name by which a schema has a second pattern that texts must match.
const alsoPattern = "x-skewsim-also-pattern"

// PatternsOf returns the patterns that texts of a schema must match.
func PatternsOf(at *spec.Schema) (all []string) {
	if at.Pattern != "" {
		all = append(all, at.Pattern)
	}
	if also, is := at.Extensions[alsoPattern].(string); is {
		all = append(all, also)
	}
	return all
}

// Matches reports whether a text matches the patterns of a schema, and has a length that it permits.
func Matches(at *spec.Schema, text string) bool {
	length := int64(utf8.RuneCountInString(text))
	if at.MinLength != nil && length < *at.MinLength || at.MaxLength != nil && length > *at.MaxLength {
		return false
	}
	return !slices.ContainsFunc(PatternsOf(at), func(pattern string) bool { return !isMatch(pattern, text) })
}

// isMatch reports whether a text matches a pattern. Nothing matches what is no pattern.
func isMatch(pattern, text string) bool {
	known, read := compiled.Load(pattern)
	if !read {
		p, _ := regexp.Compile(pattern) // nil: it is no pattern
		known, _ = compiled.LoadOrStore(pattern, p)
	}
	p := known.(*regexp.Regexp)
	return p != nil && p.MatchString(text)
}

var compiled sync.Map // *regexp.Regexp by pattern

// maxMatching is how many texts are searched that match all patterns of a schema.
const maxMatching = 3

// MatchingAll returns texts that match the patterns of a schema and have a length that it permits: those
// of Matching, or, where none of them does, those that a search finds.
func MatchingAll(at *spec.Schema) (texts []string) {
	patterns := PatternsOf(at)
	for _, pattern := range patterns {
		for _, text := range Matching(pattern) {
			if text = Fitted(at, text); Matches(at, text) && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) > 0 || len(patterns) == 0 {
		return texts
	}
	t := Texts{Match: patterns}
	if at.MinLength != nil {
		t.MinLength = int(*at.MinLength)
	}
	if at.MaxLength != nil {
		t.MaxLength = int(*at.MaxLength)
	}
	return t.Find(maxMatching)
}

// narrowText takes the format and the pattern over, where texts are left that match both patterns.
func narrowText(s, other *spec.Schema) (changed bool) {
	if s.Format == "" && other.Format != "" && !IsIntOrString(other) || s.Format == "int64" && other.Format == "int32" {
		s.Format, changed = other.Format, true
	}
	switch {
	case other.Pattern == "" || other.Pattern == s.Pattern:
	case s.Pattern == "":
		s.Pattern, changed = other.Pattern, true
	case len(Texts{Match: []string{s.Pattern, other.Pattern}}.Find(1)) > 0:
		extend(s, alsoPattern, other.Pattern)
		changed = true
	}
	return changed
}

// extend adds an extension to a schema that shares its extensions with another one.
func extend(s *spec.Schema, name string, value any) {
	s.Extensions = maps.Clone(s.Extensions)
	if s.Extensions == nil {
		s.Extensions = spec.Extensions{}
	}
	s.Extensions[name] = value
}

// narrowList takes over what distinguishes the elements of a list, and narrows them.
func narrowList(s, other *spec.Schema) (changed bool) {
	const listType, listKeys = "x-kubernetes-list-type", "x-kubernetes-list-map-keys"
	kind, _ := s.Extensions[listType].(string)
	theirs, _ := other.Extensions[listType].(string)
	if kind != "map" && (theirs == "map" || theirs == "set" && kind != "set") {
		extend(s, listType, theirs)
		if keys := other.Extensions[listKeys]; keys != nil {
			extend(s, listKeys, keys)
		}
		changed = true
	}
	if s.Items == nil || s.Items.Schema == nil || other.Items == nil || other.Items.Schema == nil {
		return changed
	}
	if element := narrowed(s.Items.Schema, other.Items.Schema); element != s.Items.Schema {
		s.Items, changed = &spec.SchemaOrArray{Schema: element}, true
	}
	return changed
}

// narrowMembers narrows the members of a struct and the entries of a map, and requires what either requires.
func narrowMembers(s, other *spec.Schema) (changed bool) {
	properties := maps.Clone(s.Properties)
	for name, own := range s.Properties {
		if theirs, has := other.Properties[name]; has {
			if member := narrowed(&own, &theirs); member != &own {
				properties[name], changed = *member, true
			}
		}
	}
	s.Properties = properties
	required := slices.Clone(s.Required)
	for _, name := range other.Required {
		if _, has := s.Properties[name]; has && !slices.Contains(required, name) {
			required, changed = append(required, name), true
		}
	}
	s.Required = required
	own, theirs := s.AdditionalProperties, other.AdditionalProperties
	if own == nil || own.Schema == nil || theirs == nil || theirs.Schema == nil {
		return changed
	}
	if entry := narrowed(own.Schema, theirs.Schema); entry != own.Schema {
		s.AdditionalProperties, changed = &spec.SchemaOrBool{Allows: own.Allows, Schema: entry}, true
	}
	return changed
}
