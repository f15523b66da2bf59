package mask

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/published"
)

// TestRulesOfRecursiveKind: the rules of a kind whose schema refers to itself in many places are found at once.
func TestRulesOfRecursiveKind(t *testing.T) {
	const document = `{"openapi":"3.0.0","info":{"title":"t","version":"v"},"paths":{},"components":{"schemas":{
"W":{"type":"object","x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"W"}],"properties":{"spec":{"$ref":"#/components/schemas/P"}}},
"P":{"type":"object","x-kubernetes-validations":[{"rule":"self.a == 'x' && self.n < 123456"}],"properties":{
  "a":{"$ref":"#/components/schemas/P"},"b":{"$ref":"#/components/schemas/P"},"c":{"$ref":"#/components/schemas/P"},"d":{"$ref":"#/components/schemas/P"},
  "e":{"type":"array","items":{"$ref":"#/components/schemas/P"}},"f":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/P"}}}}}}}`
	f := FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(document)}})
	began := time.Now()
	all := f.Rules("a.io/v1", "W")
	assert.Less(t, time.Since(began), 10*time.Second)
	if assert.Len(t, all, 1) {
		assert.Equal(t, ".spec", all[0].Path)
		assert.Equal(t, "self.a == … && self.n < …", all[0].WithoutValues())
	}
	assert.Equal(t, all, f.Rules("a.io/v1", "W"))
	assert.Empty(t, f.Rules("a.io/v1", "X"))
	assert.Empty(t, (*Fields)(nil).Rules("a.io/v1", "W"))
}
