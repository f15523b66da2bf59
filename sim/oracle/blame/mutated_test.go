package blame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/history"
)

// TestMutated: a webhook that changed a value, or what it is in, did it; one that changed a neighbour did not.
func TestMutated(t *testing.T) {
	for pointer, values := range map[string]map[string]bool{
		"/spec/colour":               {".spec.colour": true, ".spec.colours": false, ".spec.col": false},
		"/spec/tags/0":               {".spec.tags[0]": true, ".spec.tag": false},
		"/spec/ports/-":              {".spec.ports[0].port": true},
		"/metadata/annotations/a~1b": {".spec": false},
		"":                           {".spec.colour": false},
	} {
		for value, want := range values {
			at, err := path.Parse(value)
			assert.NoError(t, err, value)
			assert.Equal(t, want, Mutated(history.Exchange{Mutated: []string{pointer}}, at), "%s of %s", pointer, value)
		}
	}
}
