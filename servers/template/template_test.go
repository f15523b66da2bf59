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
		`{"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}}`:              true,
		`{"spec":{"template":{"spec":{"containers":[{"image":"i"}]}}}}`:                                             false,
		`{"spec":{"template":{"spec":{}}}}`:                                                                         false,
		`{"spec":{"template":"text"}}`:                                                                              false,
		`{}`:                                                                                                        false,
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

// TestAsControllersMakeIt: a StatefulSet's Pod has its claims as volumes, in the place of those with the same
// name, and a Job's Pod the labels that servers generate; a Deployment's has what its template says alone.
func TestAsControllersMakeIt(t *testing.T) {
	const template = `"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[],"volumes":[{"name":"data","emptyDir":{}},{"name":"own","emptyDir":{}}]}}`
	made := func(apiVersion, kind, spec string) (labels, pod map[string]any) {
		all, _ := Of(object(t, `{"apiVersion":"`+apiVersion+`","kind":"`+kind+`","metadata":{"name":"x"},"spec":`+spec+`}`), "n")
		labels, _ = all["metadata"].(map[string]any)["labels"].(map[string]any)
		return labels, all["spec"].(map[string]any)
	}
	claims := `"serviceName":"s","volumeClaimTemplates":[{"metadata":{"name":"data"}}]`
	labels, pod := made("apps/v1", "StatefulSet", `{`+template+`,`+claims+`}`)
	assert.Equal(t, map[string]any{"a": "b", "statefulset.kubernetes.io/pod-name": "x-0", "apps.kubernetes.io/pod-index": "0"}, labels)
	assert.Equal(t, "x-0", pod["hostname"])
	assert.Equal(t, "s", pod["subdomain"])
	assert.Equal(t, []any{
		map[string]any{"name": "data", "persistentVolumeClaim": map[string]any{"claimName": "data-x-0", "readOnly": false}},
		map[string]any{"name": "own", "emptyDir": map[string]any{}},
	}, pod["volumes"])

	labels, pod = made("apps/v1", "Deployment", `{`+template+`,`+claims+`}`)
	assert.Equal(t, map[string]any{"a": "b"}, labels)
	assert.Len(t, pod["volumes"], 2)
	assert.Nil(t, pod["hostname"])

	labels, _ = made("batch/v1", "CronJob", `{"jobTemplate":{"spec":{`+template+`}}}`)
	assert.Equal(t, "x", labels["batch.kubernetes.io/job-name"])
	assert.NotEmpty(t, labels["controller-uid"])
	labels, _ = made("batch/v1", "Job", `{"manualSelector":true,`+template+`}`)
	assert.Equal(t, map[string]any{"a": "b"}, labels)
	labels, _ = made("batch/v1", "Job", `{"completionMode":"Indexed","template":{"metadata":{"labels":{"job-name":"own"}},"spec":{"containers":[]}}}`)
	assert.Equal(t, "0", labels["batch.kubernetes.io/job-completion-index"])
	assert.Equal(t, "own", labels["job-name"], "what the template says stays")
}

// TestRevisionOf: a revision that a controller owns names it.
func TestRevisionOf(t *testing.T) {
	const data = `"data":{"spec":{"template":{"a":1}}}`
	assert.Equal(t, "n/StatefulSet/s", RevisionOf(object(t, `{`+data+`,"metadata":{"ownerReferences":[{"kind":"A","name":"x"},{"kind":"StatefulSet","name":"s","controller":true}]}}`), "n"))
	assert.Empty(t, RevisionOf(object(t, `{`+data+`,"metadata":{"ownerReferences":[{"kind":"A","name":"x"}]}}`), "n"))
	assert.Empty(t, RevisionOf(object(t, `{"metadata":{"ownerReferences":[{"kind":"A","name":"x","controller":true}]}}`), "n"))
}

// TestIdentity: objects make the same Pod if they do so in one namespace, whatever they are called and labelled.
func TestIdentity(t *testing.T) {
	made := func(name, label, image, note string) map[string]any {
		return object(t, `{"metadata":{"name":"`+name+`"},"spec":{"template":{"metadata":{"labels":{"a":"`+label+`"},"annotations":{"b":"`+note+`"}},"spec":{"containers":[{"name":"c","image":"`+image+`"}]}}}}`)
	}
	first := Identity(made("x", "1", "i", "n"), "space")
	assert.NotEmpty(t, first)
	assert.Equal(t, first, Identity(made("y", "2", "i", "n"), "space"))
	assert.NotEqual(t, first, Identity(made("x", "1", "other", "n"), "space"))
	assert.NotEqual(t, first, Identity(made("x", "1", "i", "other"), "space"))
	assert.NotEqual(t, first, Identity(made("x", "1", "i", "n"), "other"))
	assert.Empty(t, Identity(object(t, `{"spec":{}}`), "space"))
}

// TestAdmitted: a template's Pod has the account that admission fills in, and keeps its own.
func TestAdmitted(t *testing.T) {
	account := func(spec string) any {
		pod, _ := Of(object(t, `{"spec":{"template":{"spec":{"containers":[]`+spec+`}}}}`), "n")
		return pod["spec"].(map[string]any)["serviceAccountName"]
	}
	assert.Equal(t, "default", account(``))
	assert.Equal(t, "own", account(`,"serviceAccountName":"own"`))
	assert.Equal(t, "older", account(`,"serviceAccount":"older"`))
}
