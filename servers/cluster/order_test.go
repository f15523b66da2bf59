package cluster

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRank: what others need comes before them, and what refuses others after them.
func TestRank(t *testing.T) {
	order := [][2]string{
		{"apiextensions.k8s.io", "CustomResourceDefinition"}, {"", "Namespace"}, {"scheduling.k8s.io", "PriorityClass"}, {"apps", "Deployment"},
		{"", "ResourceQuota"}, {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"}, {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"},
	}
	for rank, k := range order {
		assert.Equal(t, rank, Rank(k[0], k[1]), k)
	}
	assert.Equal(t, Plain, Rank("example.com", "Namespace"), "a user's own kind of the same name")
	assert.Equal(t, Plain, Rank("", "Binding"))
}

// TestNeeds: namespaces and the classes of Pods are needed, wherever a template names them; those that
// servers make, and what is there, are not.
func TestNeeds(t *testing.T) {
	n := Needs{}
	n.Note(Object{Namespace: "shop", Body: []byte(`{"spec":{"template":{"spec":{"priorityClassName":"urgent","runtimeClassName":"sandboxed","overhead":{"cpu":"1"}}}}}`)})
	n.Note(Object{Namespace: "shop", Body: []byte(`{"spec":{"priorityClassName":"urgent","priority":7},"items":[{"priorityClassName":"system-node-critical"},{"priorityClassName":"ready"}]}`)})
	n.Note(Object{Body: []byte(`no JSON`)})
	bodies := map[string]string{}
	for _, o := range n.Without(func(kind, name string) bool { return name == "ready" }) {
		bodies[o.String()] = string(o.Body)
	}
	require.Len(t, bodies, 3)
	assert.Contains(t, bodies, "Namespace shop")
	assert.JSONEq(t, `{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"urgent"},"value":0}`, bodies["PriorityClass.scheduling.k8s.io urgent"])
	assert.Contains(t, bodies["RuntimeClass.node.k8s.io sandboxed"], `"overhead":{"podFixed":{"cpu":"1"}}`)

	n = Needs{}
	n.Note(Object{Body: []byte(`{"spec":{"priorityClassName":"urgent","priority":7,"preemptionPolicy":"Never"}}`)})
	assert.Contains(t, string(n.Without(func(string, string) bool { return false })[0].Body), `"value":7`, "a Pod of another priority is refused")
}

// TestUnused: a quota counts nothing; nothing else is given a status.
func TestUnused(t *testing.T) {
	var patch struct {
		Status struct{ Hard, Used map[string]string }
	}
	body := json.RawMessage(`{"spec":{"hard":{"pods":"2"}}}`)
	require.NoError(t, json.Unmarshal(Unused(Object{APIVersion: "v1", Kind: "ResourceQuota", Body: body}), &patch))
	assert.Equal(t, map[string]string{"pods": "2"}, patch.Status.Hard)
	assert.Equal(t, map[string]string{"pods": "0"}, patch.Status.Used)
	assert.Nil(t, Unused(Object{APIVersion: "example.com/v1", Kind: "ResourceQuota", Body: body}))
	assert.Nil(t, Unused(Object{APIVersion: "v1", Kind: "LimitRange", Body: body}))
}
