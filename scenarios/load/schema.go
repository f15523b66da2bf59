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
	"github.com/skewsim/skewsim/scenarios/validate"
)

// JSONSchema returns the JSON Schema of a scenario's file, for editors. It is
// made from the types that Load decodes into, so that both know the same keys
// and words; Load checks more than a schema can say.
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
	narrowTwin(s.Definitions["Twin"])
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

// schemaOf returns the schema of what reflection alone would get wrong: closed
// words, lists that a single word may stand for, and free maps; nil for the rest.
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

// element is the schema of one word of a list.
func (w wordSchemas) element(t reflect.Type) *jsonschema.Schema {
	if s := w.schemaOf(t); s != nil {
		return s
	}
	return &jsonschema.Schema{Type: "string"}
}

// oneOrMany is the schema of a list that one element may stand for.
func oneOrMany(item *jsonschema.Schema) *jsonschema.Schema {
	least := uint64(1)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		item,
		{Type: "array", Items: item, MinItems: &least},
	}}
}

// groups is the schema of lists of paths that belong together.
func groups() *jsonschema.Schema {
	least := uint64(2)
	group := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MinItems: &least}
	members := jsonschema.NewProperties()
	members.Set("paths", group)
	members.Set("equal", &jsonschema.Schema{Type: "boolean"})
	whole := &jsonschema.Schema{Type: "object", Properties: members, Required: []string{"paths"}, AdditionalProperties: jsonschema.FalseSchema}
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{OneOf: []*jsonschema.Schema{group, whole}}}
}

// pointSchema is the schema of a chain's point: a release, and options.
func pointSchema(r jsonschema.Reflector) *jsonschema.Schema {
	s := r.Reflect(scenarios.Point{})
	s.Version, s.Definitions = "", nil
	return s
}

// refer keeps the words as an enum under the noun, and returns a reference to
// it. The meanings go where editors look: into the description, and beside
// each word for those that know enumDescriptions.
func (w wordSchemas) refer(noun string, words, meanings []string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string", Extras: map[string]any{"enumDescriptions": meanings}}
	lines := make([]string, len(words))
	for i, word := range words {
		s.Enum = append(s.Enum, word)
		lines[i] = word + ": " + meanings[i]
	}
	s.Description = strings.Join(lines, "\n")
	w[noun] = s
	return &jsonschema.Schema{Ref: "#/$defs/" + noun}
}

// narrowLine adds what the type of a line does not say: it has one verb key,
// not every key goes with each, and nor does every verb.
func narrowLine(line *jsonschema.Schema, words wordSchemas) {
	var keys []string
	for _, k := range (scenarios.Line{}).VerbKeys() {
		keys = append(keys, k.Key)
	}
	line.OneOf = oneRequired(keys...)
	line.DependentSchemas = map[string]*jsonschema.Schema{}
	for key, verbs := range validate.VerbsByKey() {
		line.DependentSchemas[key] = &jsonschema.Schema{AnyOf: oneRequired(verbs...)}
	}
	for key, fits := range map[string]func(term.Verb) bool{
		"create": term.Verb.Creates, "touch": validate.Touches, "set": validate.Sets, "delete": term.Verb.Deletes,
	} {
		narrowed := jsonschema.NewProperties()
		narrowed.Set("verb", oneOrMany(words.verbs(key+"-verb", validate.SelectVerbs(fits))))
		line.DependentSchemas[key] = &jsonschema.Schema{Properties: narrowed}
	}
	if property, found := line.Properties.Get("type"); found {
		property.Ref = words.verbs("patch-type", validate.PatchTypes()).Ref
	}
}

// narrowObject adds what the type of an object does not say: it has a form, and
// a label takes no values.
func narrowObject(object *jsonschema.Schema) {
	object.AnyOf = oneRequired("treated", "bystander")
	property, found := object.Properties.Get("changes")
	if !found {
		return
	}
	var known []any
	for _, e := range term.Mutations() {
		if e.Word != term.LabelMutation {
			known = append(known, e.Word)
		}
	}
	property.PropertyNames = &jsonschema.Schema{Enum: known}
}

// narrowTwin adds what the type of an expectation does not say of one that
// catches a twin: it tells where.
func narrowTwin(twin *jsonschema.Schema) {
	if caught, found := twin.Properties.Get("caught"); found {
		caught.AnyOf = oneRequired("via", "stage")
	}
}

// verbs keeps some of the verbs under a noun of their own.
func (w wordSchemas) verbs(noun string, words []string) *jsonschema.Schema {
	meanings := make([]string, len(words))
	for i, word := range words {
		meanings[i] = term.Verbs().Meaning(term.Verb(word))
	}
	return w.refer(noun, words, meanings)
}

// oneRequired is a list of schemas, each of which needs one of the keys.
func oneRequired(keys ...string) []*jsonschema.Schema {
	schemas := make([]*jsonschema.Schema, len(keys))
	for i, key := range keys {
		schemas[i] = &jsonschema.Schema{Required: []string{key}}
	}
	return schemas
}
