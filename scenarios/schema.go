package scenarios

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/skewsim/skewsim/sim/term"
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
	s := r.Reflect(Scenario{})
	s.Title = "A skewsim scenario"
	narrowLine(s.Definitions["Line"], words)
	s.Definitions["Object"].AnyOf = oneRequired("treated", "bystander")
	maps.Copy(s.Definitions, words)
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of scenarios: %w", err)
	}
	return append(text, '\n'), nil
}

// wordSchemas collects the schemas of closed lists, by the noun for their words.
type wordSchemas map[string]*jsonschema.Schema

// schemaOf returns the schema of what reflection alone would get wrong: closed
// words, lists that a single word may stand for, and free maps; nil for the rest.
func (w wordSchemas) schemaOf(t reflect.Type) *jsonschema.Schema {
	if v, closed := vocabularyOf(t); closed {
		return w.refer(v.noun, v.words, v.meanings)
	}
	switch {
	case t == reflect.TypeFor[Target]():
		return &jsonschema.Schema{Type: "string", Pattern: "^(old|new|[a-e])$"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return w.oneOrMany(t.Elem())
	case t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Bool:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Type: "boolean"}}
	}
	return nil
}

// oneOrMany is the schema of a list that one element may stand for.
func (w wordSchemas) oneOrMany(element reflect.Type) *jsonschema.Schema {
	item := w.schemaOf(element)
	if item == nil {
		item = &jsonschema.Schema{Type: "string"}
	}
	least := uint64(1)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		item,
		{Type: "array", Items: item, MinItems: &least},
	}}
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

// narrowLine adds what the type of a line does not say: it has one verb, and
// not every key goes with each.
func narrowLine(line *jsonschema.Schema, words wordSchemas) {
	var keys []string
	for _, k := range (Line{}).verbKeys() {
		keys = append(keys, k.key)
	}
	line.OneOf = oneRequired(keys...)
	line.DependentSchemas = map[string]*jsonschema.Schema{}
	for key, verbs := range takers() {
		line.DependentSchemas[key] = &jsonschema.Schema{AnyOf: oneRequired(verbs...)}
	}
	modifying := words.verbs("modifying-verb", modifyingVerbs())
	if property, found := line.Properties.Get("verb"); found {
		property.OneOf[0], property.OneOf[1].Items = modifying, modifying
	}
	if property, found := line.Properties.Get("type"); found {
		property.Ref = words.verbs("patch-type", patchTypes()).Ref
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
