package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWithNameForm: copies have the form of their object's name, as far as a release may refuse another one.
func TestWithNameForm(t *testing.T) {
	for name, want := range map[string]any{
		"1service": "1$(copy.name)",
		"service1": "service1", // the scenario names its copies
		"10.0.0.1": "$(copy.ip)",
	} {
		body := map[string]any{"apiVersion": "v1", "kind": "Thing", "metadata": map[string]any{"name": name}}
		meta, _ := WithNameForm(body)["metadata"].(map[string]any)
		assert.Equal(t, want, meta["name"])
	}
}
