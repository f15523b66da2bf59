package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWebhooks: a webhook is met by the writes that its rules and selectors select, and only if it
// refuses what it does not answer.
func TestWebhooks(t *testing.T) {
	const all = `"rules":[{"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"],"operations":["*"]}]`
	role := Write{Group: "rbac.authorization.k8s.io", Resource: "clusterroles", Labels: map[string]string{"a": "b"}}
	space := Write{Resource: "leases", Group: "coordination.k8s.io", Namespaced: true, Creates: true, NamespaceLabels: map[string]string{"kubernetes.io/metadata.name": "kube-system"}}
	for name, c := range map[string]struct {
		webhook     string
		role, space bool
	}{
		"everything": {`{` + all + `}`, true, true},
		"ignores":    {`{"failurePolicy":"Ignore",` + all + `}`, false, false},
		"not kube-system": {
			`{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]},` + all + `}`, true, false,
		},
		"some labels":   {`{"objectSelector":{"matchLabels":{"a":"c"}},` + all + `}`, false, false},
		"pods":          {`{"rules":[{"apiGroups":[""],"apiVersions":["*"],"resources":["pods"],"operations":["*"]}]}`, false, false},
		"updates":       {`{"rules":[{"apiGroups":["*"],"apiVersions":["v1"],"resources":["*"],"operations":["UPDATE"]}]}`, true, false},
		"in namespaces": {`{"rules":[{"scope":"Namespaced","apiGroups":["*"],"apiVersions":["*"],"resources":["*"],"operations":["*"]}]}`, false, true},
		"conditions":    {`{"matchConditions":[{"name":"x","expression":"false"}],` + all + `}`, false, false},
		"not labelled":  {`{"namespaceSelector":{"matchLabels":{"a":"c"}},` + all + `}`, true, false},
	} {
		w := WebhooksOf([]byte(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"x"},"webhooks":[` + c.webhook + `]}`))
		assert.Equal(t, c.role, w.Meet(role), name)
		assert.Equal(t, c.space, w.Meet(space), name)
	}
	assert.Len(t, WebhooksOf([]byte(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"x"},"webhooks":[{`+all+`}]}`)).all, 1)
	assert.Empty(t, WebhooksOf([]byte("k8s\x00garbage")).all)
}
