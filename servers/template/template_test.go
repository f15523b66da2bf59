package template

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func object(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	return o
}

// TestOf: a template with containers makes a Pod, anything else none.
func TestOf(t *testing.T) {
	for text, made := range map[string]bool{
		`{"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[]}}}}`:                          true,
		`{"spec":{"jobTemplate":{"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[]}}}}}}`: true,
		`{"spec":{"template":{"spec":{}}}}`: false,
		`{"spec":{"template":"text"}}`:      false,
		`{}`:                                false,
	} {
		pod, path := Of(object(t, text), "n")
		if !made {
			assert.Nil(t, pod, text)
			continue
		}
		assert.Equal(t, "/api/v1/namespaces/n/pods", path, text)
		assert.Equal(t, map[string]any{"a": "b"}, pod["metadata"].(map[string]any)["labels"], text)
		pod, _ = Of(object(t, text), "")
		assert.Nil(t, pod, "without a namespace: %s", text)
	}
	assert.True(t, Within(".spec.template.spec"))
	assert.False(t, Within(".spec.templateRef"))
}

// TestRevisionOf: a revision that a controller owns names it.
func TestRevisionOf(t *testing.T) {
	const data = `"data":{"spec":{"template":{"a":1}}}`
	assert.Equal(t, "n/StatefulSet/s", RevisionOf(object(t, `{`+data+`,"metadata":{"ownerReferences":[{"kind":"A","name":"x"},{"kind":"StatefulSet","name":"s","controller":true}]}}`), "n"))
	assert.Empty(t, RevisionOf(object(t, `{`+data+`,"metadata":{"ownerReferences":[{"kind":"A","name":"x"}]}}`), "n"))
	assert.Empty(t, RevisionOf(object(t, `{"metadata":{"ownerReferences":[{"kind":"A","name":"x","controller":true}]}}`), "n"))
}
