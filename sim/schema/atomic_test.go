package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/schema"
)

func TestAtomic(t *testing.T) {
	k := gadget(t)
	for text, want := range map[string]bool{"": false, ".spec": false, ".metadata.labels": false, ".nowhere.deep": false, ".spec.steps": true, ".spec.steps[0]": false, ".spec.tags": false} {
		assert.Equal(t, want, k.Atomic(at(t, text)), text)
	}
	assert.False(t, schema.Kind{}.Atomic(at(t, ".spec")))
}
