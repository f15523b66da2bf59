package sweep

import "github.com/skewsim/skewsim/sim/result"

// JSONSchema returns the JSON Schema of sweep.json, generated from the Go types:
// docs/sweep.schema.json contains it.
func JSONSchema() ([]byte, error) {
	return result.SchemaOf(Result{}, "The differences between two releases, with what happened to each")
}
