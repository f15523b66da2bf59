package matrix

import (
	"github.com/invopop/jsonschema"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// JSONSchema returns the JSON Schema of matrix.json, generated from the Go types:
// docs/matrix.schema.json contains it.
func JSONSchema() ([]byte, error) {
	return result.SchemaOf(State{}, "The cells of a skewsim matrix, and their outcomes")
}

// JSONSchema closes the list of phases.
func (Phase) JSONSchema() *jsonschema.Schema {
	return oneOf(Waiting, Running, Interrupted, Done, NotApplicable)
}

// JSONSchemaExtend lets the typed clients of a third release be among the builds.
func (Build) JSONSchemaExtend(s *jsonschema.Schema) {
	s.Properties.Set("role", oneOf(term.Old, term.New, term.Older))
}

func oneOf[W ~string](words ...W) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, string(w))
	}
	return s
}
