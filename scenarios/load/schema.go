package load

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// JSONSchema returns the JSON Schema of a scenario's file, for editors. It is generated from
// the types that File decodes into, so that both accept the same keys and words; File checks
// more than a schema can express.
func JSONSchema() ([]byte, error) {
	words := wordSchemas{}
	r := jsonschema.Reflector{
		Anonymous:                  true,
		ExpandedStruct:             true,
		RequiredFromJSONSchemaTags: true,
		Mapper:                     words.schemaOf,
	}
	s := r.Reflect(scenarios.Scenario{})
	s.Title = "A skewsim scenario"
	narrowLine(s.Definitions["Line"], words)
	narrowObject(s.Definitions["Object"])
	narrowMutant(s.Definitions["Mutant"])
	s.Definitions["Point"] = pointSchema(r)
	addAliases(s, reflect.TypeFor[scenarios.Scenario]())
	addAliases(s.Definitions["Line"], reflect.TypeFor[scenarios.Line]())
	addAliases(s.Definitions["Object"], reflect.TypeFor[scenarios.Object]())
	maps.Copy(s.Definitions, words)
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of scenarios: %w", err)
	}
	return append(text, '\n'), nil
}

// addAliases adds the earlier names of a type's keys, which files may still use.
func addAliases(s *jsonschema.Schema, t reflect.Type) {
	for _, f := range strict.FieldsOf(t) {
		property, found := s.Properties.Get(f.Key)
		if f.Alias == "" || !found {
			continue
		}
		earlier := *property
		earlier.Description, earlier.Deprecated = "Earlier name of "+f.Key+".", true
		s.Properties.Set(f.Alias, &earlier)
	}
}

// wordSchemas collects the schemas of closed lists, by the noun for their words.
type wordSchemas map[string]*jsonschema.Schema

// schemaOf returns the schema of types that reflection alone gets wrong: closed words, lists
// that a single word may replace, and free maps; nil for all others.
func (w wordSchemas) schemaOf(t reflect.Type) *jsonschema.Schema {
	if v, closed := term.VocabularyOf(t); closed {
		return w.refer(v.Noun, v.Words, v.Meanings)
	}
	switch {
	case t == reflect.TypeFor[scenarios.Target]():
		return &jsonschema.Schema{Type: "string", Pattern: "^(old|new|[a-e])$"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return oneOrMany(w.element(t.Elem()))
	case t == reflect.TypeFor[[]scenarios.Group]():
		return groups()
	case t == reflect.TypeFor[scenarios.Through]():
		one := &jsonschema.Schema{Type: "string"}
		return oneOrMany(&jsonschema.Schema{OneOf: []*jsonschema.Schema{one, {Ref: "#/$defs/Point"}}})
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Bool:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "boolean"}}
	}
	return nil
}

// element returns the schema of one word of a list.
func (w wordSchemas) element(t reflect.Type) *jsonschema.Schema {
	if s := w.schemaOf(t); s != nil {
		return s
	}
	return &jsonschema.Schema{Type: "string"}
}

// oneOrMany returns the schema of a list that a single element may replace.
func oneOrMany(item *jsonschema.Schema) *jsonschema.Schema {
	least := uint64(1)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		item,
		{Type: "array", Items: item, MinItems: &least},
	}}
}

// groups returns the schema of lists of related paths.
func groups() *jsonschema.Schema {
	least := uint64(2)
	group := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: &least}
	members := jsonschema.NewProperties()
	members.Set("paths", group)
	members.Set("equal", &jsonschema.Schema{Type: "boolean"})
	whole := &jsonschema.Schema{Type: "object", Properties: members, Required: []string{"paths"}, AdditionalProperties: jsonschema.FalseSchema}
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{OneOf: []*jsonschema.Schema{group, whole}}}
}

// pointSchema returns the schema of a chain's point: a release, and options.
func pointSchema(r jsonschema.Reflector) *jsonschema.Schema {
	s := r.Reflect(scenarios.Point{})
	s.Version, s.Definitions = "", nil
	return s
}

// refer stores the words as an enum under the noun, and returns a reference to it. The meanings
// go where editors look: into the description, and into enumDescriptions for editors that
// support it.
func (w wordSchemas) refer(noun string, words, meanings []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Extras: map[string]any{"enumDescriptions": meanings}}
	lines := make([]string, len(words))
	for i, word := range words {
		s.Enum = append(s.Enum, word)
		lines[i] = word + ": " + meanings[i]
	}
	s.Description = strings.Join(lines, "\n")
	noun = strings.ReplaceAll(noun, " ", "-")
	w[noun] = s
	return &jsonschema.Schema{Ref: "#/$defs/" + noun}
}

// narrowLine adds the rules of a line that its type does not express: it has one verb key, and
// not every key or verb fits each verb key.
func narrowLine(line *jsonschema.Schema, words wordSchemas) {
	var keys []string
	for _, k := range (scenarios.Line{}).VerbKeys() {
		keys = append(keys, k.Key)
	}
	line.OneOf = oneRequired(keys...)
	line.DependentSchemas = map[string]*jsonschema.Schema{}
	for key, verbs := range VerbsByKey() {
		line.DependentSchemas[key] = &jsonschema.Schema{AnyOf: oneRequired(verbs...)}
	}
	for key, fits := range map[string]func(term.Verb) bool{
		"create": term.Verb.Creates, "touch": Touches, "set": Sets, "delete": term.Verb.Deletes,
	} {
		narrowed := jsonschema.NewProperties()
		narrowed.Set("verb", oneOrMany(words.verbs(key+"-verb", SelectVerbs(fits))))
		line.DependentSchemas[key] = &jsonschema.Schema{Properties: narrowed}
	}
}

// narrowObject adds the rules of an object that its type does not express: it has a form, and a
// label takes no values.
func narrowObject(object *jsonschema.Schema) {
	object.AnyOf = oneRequired("treated", "bystander")
	property, found := object.Properties.Get("changes")
	if !found {
		return
	}
	var known []any
	for _, e := range term.Changes() {
		if e.Word != term.LabelChange {
			known = append(known, e.Word)
		}
	}
	property.PropertyNames = &jsonschema.Schema{Enum: known}
}

// narrowMutant adds a rule that the type does not express: the expectation that catches a
// mutant names a release, a stage or both.
func narrowMutant(mutant *jsonschema.Schema) {
	if caught, found := mutant.Properties.Get("caught"); found {
		caught.AnyOf = oneRequired("via", "stage")
	}
}

// verbs stores some of the verbs under their own noun.
func (w wordSchemas) verbs(noun string, words []string) *jsonschema.Schema {
	meanings := make([]string, len(words))
	for i, word := range words {
		meanings[i] = term.Verbs().Meaning(term.Verb(word))
	}
	return w.refer(noun, words, meanings)
}

// oneRequired returns a list of schemas, each of which requires one of the keys.
func oneRequired(keys ...string) []*jsonschema.Schema {
	schemas := make([]*jsonschema.Schema, len(keys))
	for i, key := range keys {
		schemas[i] = &jsonschema.Schema{Required: []string{key}}
	}
	return schemas
}
