package search

import (
	"k8s.io/kube-openapi/pkg/validation/spec"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/sim/objects"
)

// renames returns the complaint's entry of a map under other keys: those that the message
// names, and those that schemas and examples show.
func (f *fixer) renames() (all []option) {
	if len(f.c.at) < 2 {
		return nil
	}
	above, _ := f.kind.SchemaAt(f.t.object, f.c.at[:len(f.c.at)-1])
	resolved, _ := f.definitions.Resolve(orEmpty(above))
	if resolved == nil || len(resolved.Properties) > 0 || resolved.AdditionalProperties == nil || resolved.AdditionalProperties.Schema == nil {
		return nil
	}
	_, named := f.definitions.Resolve(resolved.AdditionalProperties.Schema)
	keys := append(slices.Concat(f.c.values, describedIn(above, resolved)), f.pool.keysOf(nameAt(f.c.at[:len(f.c.at)-1]), named)...)
	for i, key := range append(keys, PlainWord, "example.com/"+PlainWord, "example.com") {
		if key != f.c.at[len(f.c.at)-1] && i < maxOptions {
			all = append(all, option{costOfValue * float64(i), renamed(f.c.at, key)})
		}
	}
	return all
}

// suggested returns values for a place: those that a message names, those that other members
// of the same name have, and those of the schema.
func (f *fixer) suggested(schema *spec.Schema, at objects.Location, named []string) (all []any) {
	name := nameAt(at)
	resolved, _ := f.definitions.Resolve(schema)
	if resolved == nil {
		return nil
	}
	seen := map[string]bool{}
	add := func(v any) {
		if text := objects.JSONText(v); v != nil && !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	if isScalarSchema(resolved) {
		for _, text := range named {
			if v, ok := parsedAs(resolved, text); ok && (len(resolved.Enum) == 0 || slices.Contains(resolved.Enum, v)) {
				add(v)
			}
		}
	}
	for i, v := range f.definitions.candidates(schema, name, 0) {
		if i == 1 && isScalarSchema(resolved) {
			for _, text := range slices.Concat(echoes(f.t.object, at), describedIn(schema, resolved), f.pool.valuesOf(name)) {
				if v, ok := parsedAs(resolved, text); ok {
					add(v)
				}
			}
		}
		add(v)
	}
	return all
}

// maxDescribed is how many values are read from a description.
const maxDescribed = 8

// describedIn returns the words that the description of a field quotes: they are often the
// values that it may have.
func describedIn(schemas ...*spec.Schema) (all []string) {
	for _, s := range schemas {
		for _, text := range quotedIn(s.Description) {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all[:min(len(all), maxDescribed)]
}

// quotedIn returns the quoted words of a description. It keeps them: the same few
// descriptions are read again for each refusal.
func quotedIn(description string) (all []string) {
	if known, read := described.Load(description); read {
		return known.([]string)
	}
	found := quotedWord.FindAllStringSubmatch(description, -1)
	for _, group := range []int{1, 3, 2} { // in backticks are names of fields, more often than values
		for _, m := range found {
			if m[group] != "" {
				all = append(all, m[group])
			}
		}
	}
	described.Store(description, all)
	return all
}

var described sync.Map // []string by description

var quotedWord = regexp.MustCompile("\"([^\"\\s]{1,80})\"|`([^`\\s]{1,80})`|'([^'\\s]{1,80})'")

// nameAt returns the last name of a location.
func nameAt(at objects.Location) string {
	for i := len(at) - 1; i >= 0; i-- {
		if strings.Trim(at[i], "0123456789") != "" { // not the place in a list
			return at[i]
		}
	}
	return ""
}

func isScalarSchema(at *spec.Schema) bool {
	return len(at.Properties) == 0 && at.Items == nil && at.AdditionalProperties == nil && !objects.IsOpen(at)
}

// echoes returns the texts of members elsewhere in the object with the same name: a reference
// has the name of what it refers to.
func echoes(object map[string]any, at objects.Location) (all []string) {
	name := nameAt(at)
	for _, other := range objects.Locations(object) {
		same := nameAt(other) == name || strings.HasSuffix(strings.ToLower(name), "name") && nameAt(other) == "name"
		if v, _ := objects.Get(object, other); same && !slices.Equal(other, at) {
			if text, is := scalarText(v); is && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all[:min(len(all), 4)]
}

func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64, bool:
		return objects.JSONText(v), true
	}
	return "", false
}
