package seclusion

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/certs"
)

// TestAlone: what calls another server is left out or changed; all else stays byte for byte.
func TestAlone(t *testing.T) {
	const (
		admission, apis, definitions = "admissionregistration.k8s.io", "apiregistration.k8s.io", "apiextensions.k8s.io"
		notACertificate              = "LS0tLS1CRUdJTiBYLS0tLS0KTUE9PQotLS0tLUVORCBYLS0tLS0K"
	)
	same := "\x00 the same"
	authority, err := certs.New(t.TempDir(), "x")
	require.NoError(t, err)
	pem := base64.StdEncoding.EncodeToString(authority.CertPEM)
	for name, c := range map[string]struct{ group, kind, value, want string }{
		"validating":           {admission, "ValidatingWebhookConfiguration", `{}`, ""},
		"mutating, protobuf":   {admission, "MutatingWebhookConfiguration", "k8s\x00\x0a", ""},
		"a policy":             {admission, "ValidatingAdmissionPolicy", `{ "a":1 }`, same},
		"of another group":     {"example.com", "ValidatingWebhookConfiguration", `{ "a":1 }`, same},
		"another protobuf":     {"", "Secret", "k8s\x00\x0a\xff", same},
		"a service":            {apis, "APIService", `{"spec":{"service":{"name":"x"}}}`, ""},
		"no service":           {apis, "APIService", `{ "spec":{"service":null} }`, same},
		"a service, protobuf":  {apis, "APIService", "k8s\x00\x0a", ""},
		"no conversion":        {definitions, "CustomResourceDefinition", `{ "spec":{"conversion":{"strategy":"None"}} }`, same},
		"definition, protobuf": {definitions, "CustomResourceDefinition", "k8s\x00\x0a", ""},
		"a webhook": {
			definitions, "CustomResourceDefinition", `{"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"` + pem + `"}}},"max":9223372036854775807}}`,
			`{"spec":{"conversion":{"strategy":"None"},"max":9223372036854775807}}`,
		},
		"a bad bundle": {
			definitions, "CustomResourceDefinition", `{"spec":{"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v2"],"clientConfig":{"service":{"name":"x"},"caBundle":"YmFk"}}}}}`,
			`{"spec":{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"YmFk","url":"https://127.0.0.1:1/"},"conversionReviewVersions":["v2"]}}}}`,
		},
		"a bad bundle of v1beta1": {
			definitions, "CustomResourceDefinition", `{"apiVersion":"apiextensions.k8s.io/v1beta1","spec":{"conversion":{"strategy":"Webhook","conversionReviewVersions":["v1"],"webhookClientConfig":{"url":"https://x","caBundle":"` + notACertificate + `"}}}}`,
			`{"apiVersion":"apiextensions.k8s.io/v1beta1","spec":{"conversion":{"conversionReviewVersions":["v1"],"strategy":"Webhook","webhookClientConfig":{"caBundle":"` + notACertificate + `","url":"https://127.0.0.1:1/"}}}}`,
		},
		"a bundle that nobody uses": {
			definitions, "CustomResourceDefinition", `{"spec":{"conversion":{"strategy":"None","webhookClientConfig":{"url":"https://x","caBundle":"YmFk"}}}}`,
			`{"spec":{"conversion":{"strategy":"None"}}}`,
		},
		"no bundle": {
			definitions, "CustomResourceDefinition", `{"spec":{"conversion":{"strategy":"Webhook","webhookClientConfig":{"url":"https://x"}}}}`,
			`{"spec":{"conversion":{"strategy":"None"}}}`,
		},
	} {
		kept, reason := Alone(c.group, c.kind, []byte(c.value))
		if c.want == same {
			assert.Equal(t, c.value, string(kept), name)
			assert.Empty(t, reason, name)
			continue
		}
		assert.Equal(t, c.want, string(kept), name)
		assert.NotEmpty(t, reason, name)
	}
}

// TestPrograms: the first program that converts a kind stands in for the webhook of its definition, in v1 and v1beta1
// and where a file leaves the address to a patch; the webhook of another kind is taken out, and its Service is named.
func TestPrograms(t *testing.T) {
	const definitions, kind = "apiextensions.k8s.io", "CustomResourceDefinition"
	some := Program{URL: "https://127.0.0.1:9/convert", CA: []byte("ca"), Kinds: []string{"Gadget", "Widget.example.dev"}}
	named := func(group, kind, conversion string) []byte {
		return []byte(`{"spec":{"conversion":` + conversion + `,"group":"` + group + `","names":{"kind":"` + kind + `"}}}`)
	}
	const service = `{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"ns","name":"hook"}},"conversionReviewVersions":["v1"]}}`
	for _, c := range []struct{ group, kind, conversion, want string }{
		{"example.dev", "Widget", service, `{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"Y2E=","url":"https://127.0.0.1:9/convert"},"conversionReviewVersions":["v1"]}}`},
		{"other.dev", "Gadget", `{"strategy":"Webhook","webhook":{}}`, `{"strategy":"Webhook","webhook":{"clientConfig":{"caBundle":"Y2E=","url":"https://127.0.0.1:9/convert"}}}`},
		{"example.dev", "Widget", `{"strategy":"Webhook","webhookClientConfig":{"url":"https://x"}}`, `{"strategy":"Webhook","webhookClientConfig":{"caBundle":"Y2E=","url":"https://127.0.0.1:9/convert"}}`},
		{"other.dev", "Widget", service, ""},
		{"example.dev", "Gizmo", service, ""},
	} {
		kept, reason := Alone(definitions, kind, named(c.group, c.kind, c.conversion), some)
		if c.want == "" {
			assert.Equal(t, string(named(c.group, c.kind, `{"strategy":"None"}`)), string(kept))
			assert.Contains(t, reason, "ns/hook")
			assert.Contains(t, reason, "kinds: ["+c.kind+"."+c.group+"]")
			continue
		}
		assert.Equal(t, string(named(c.group, c.kind, c.want)), string(kept))
		assert.Equal(t, Replaced, reason)
	}
	plain := named("example.dev", "Widget", `{"strategy":"None"}`)
	kept, reason := Alone(definitions, kind, plain, some)
	assert.Equal(t, string(plain), string(kept), "nothing converts it, and nothing will")
	assert.Empty(t, reason)

	versions := func(conversion string) string {
		_, reason := Alone(definitions, kind, []byte(`{"spec":{"conversion":`+conversion+`,"group":"example.dev","names":{"kind":"Gizmo"},
			"versions":[{"name":"v1","served":true},{"name":"v1alpha1","served":false},{"name":"v2","served":true}]}}`))
		return reason
	}
	assert.Contains(t, versions(service), "Gizmo.example.dev (v1, v2)")
	assert.NotContains(t, versions(`{"strategy":"None","webhookClientConfig":{"url":"https://x"}}`), "--webhooks", "nobody converts in the cluster either")
}
