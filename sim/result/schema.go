package result

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// JSONSchema returns the JSON Schema of result.json, generated from the Go types:
// docs/result.schema.json contains it.
func JSONSchema() ([]byte, error) { return SchemaOf(Result{}, "The result of a skewsim run") }

// MergedJSONSchema returns the JSON Schema of merged.json: docs/merged.schema.json contains it.
func MergedJSONSchema() ([]byte, error) {
	return SchemaOf(Merged{}, "The results of several skewsim runs")
}

// SchemaOf returns the JSON Schema of a document with words of package term, each a closed
// list.
func SchemaOf(document any, title string) ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: closedWords}
	s := r.Reflect(document)
	s.Title = title
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of results: %w", err)
	}
	return append(text, '\n'), nil
}

// closedWords returns the schema of a type with a closed list of words, nil for any other type.
func closedWords(t reflect.Type) *jsonschema.Schema {
	if word, several := scenarios.WordOf(t); several {
		return oneOrMany(word)
	}
	switch t {
	case reflect.TypeFor[term.CheckName]():
		return enum(term.Checks())
	case reflect.TypeFor[term.Rule]():
		return enum(term.Rules())
	case reflect.TypeFor[term.Class]():
		return enum(term.Classes())
	case reflect.TypeFor[term.Outcome]():
		return enum(term.Outcomes())
	case reflect.TypeFor[term.Cause]():
		return enum(term.Causes())
	case reflect.TypeFor[term.Generation]():
		return enum(term.Generations())
	case reflect.TypeFor[term.StoreKind]():
		return enum(term.StoreKinds())
	case reflect.TypeFor[term.VerdictWord]():
		return enum(term.Verdicts())
	case reflect.TypeFor[term.CopyRole]():
		return enum(term.CopyRoles())
	case reflect.TypeFor[term.Client]():
		return enum(term.Clients())
	case reflect.TypeFor[term.Verb]():
		return enum(term.Verbs())
	case reflect.TypeFor[term.Encoding]():
		return enum(term.Encodings())
	case reflect.TypeFor[term.EncryptionProvider]():
		return enum(term.EncryptionProviders())
	case reflect.TypeFor[term.FieldValidation]():
		return enum(term.FieldValidations())
	case reflect.TypeFor[term.Role]():
		return enum(term.Roles())
	case reflect.TypeFor[term.Rollout]():
		return enum(term.Rollouts())
	case reflect.TypeFor[term.GateSource]():
		return enum(term.GateSources())
	case reflect.TypeFor[term.GateStage]():
		return enum(term.GateStages())
	}
	return wordsOfSweeps(t)
}

// wordsOfSweeps returns the schema of a type whose closed list only a sweep has.
func wordsOfSweeps(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[term.DifferenceKind]():
		return enum(term.DifferenceKinds())
	case reflect.TypeFor[term.Actor]():
		return enum(term.Actors())
	case reflect.TypeFor[term.Lap]():
		return enum(term.Laps())
	case reflect.TypeFor[term.ObjectOrigin]():
		return enum(term.ObjectOrigins())
	case reflect.TypeFor[term.RowChange]():
		return enum(term.RowChanges())
	}
	return nil
}

// oneOrMany returns the schema of a list of words that a single word may replace.
func oneOrMany(word reflect.Type) *jsonschema.Schema {
	one := closedWords(word)
	if one == nil {
		one = &jsonschema.Schema{Type: "string"}
	}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
}

func enum[W ~string](words term.List[W]) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	meanings := make([]string, len(words))
	for i, e := range words {
		s.Enum = append(s.Enum, string(e.Word))
		meanings[i] = e.Meaning
	}
	s.Extras = map[string]any{"enumDescriptions": meanings}
	return s
}
