package strict

import (
	"encoding/json"

	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Marshal returns a value as YAML, by the names that it has in JSON, whatever characters its texts have.
func Marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(term.JSONForYAML(text))
}
