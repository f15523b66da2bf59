package crd

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

const configuration = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"w"},"webhooks":[
	{"name":"a.example.dev","failurePolicy":"Ignore","clientConfig":{"service":{"name":"s","namespace":"n","path":"/mutate"}}},
	{"name":"b.example.dev","clientConfig":{"service":{"name":"s","namespace":"n","path":"/other"}}},
	{"name":"c.example.dev","clientConfig":{"url":"https://example.dev/by-url"}},
	{"name":"d.example.dev"}]}`

// TestAdmitted: webhooks whose path the program serves are kept, and asked at the front; others are named. A configuration
// of which none is left is left out.
func TestAdmitted(t *testing.T) {
	all := []Configuration{{Kind: "MutatingWebhookConfiguration", Name: "w", JSON: json.RawMessage(configuration), file: "w.yaml", line: 1}}
	kept, leftOut, err := admitted(all, []string{"/mutate", "/by-url"})
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, "mutatingwebhookconfigurations", kept[0].Plural)
	assert.Len(t, leftOut, 2)
	assert.Contains(t, leftOut[0], "w.yaml:1: MutatingWebhookConfiguration w: webhook b.example.dev: nobody serves /other")

	h := &webhook{url: "https://127.0.0.1:7" + convertPath + "", ca: []byte("ca")}
	text, err := h.addressed(kept[0].JSON)
	require.NoError(t, err)
	var body struct {
		Webhooks []struct {
			FailurePolicy string
			ClientConfig  map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(text, &body))
	require.Len(t, body.Webhooks, 2)
	assert.Equal(t, "Ignore", body.Webhooks[0].FailurePolicy)
	assert.Equal(t, map[string]any{"url": "https://127.0.0.1:7/mutate", "caBundle": "Y2E="}, body.Webhooks[0].ClientConfig)
	assert.Equal(t, "https://127.0.0.1:7/by-url", body.Webhooks[1].ClientConfig["url"])

	kept, leftOut, err = admitted(all, nil)
	require.NoError(t, err)
	assert.Empty(t, kept)
	assert.Len(t, leftOut, 4)
}

// TestMarked: what a webhook changes is noted in the warnings of its answer, beside its own; an answer without a patch, or
// that is none, stays as it is.
func TestMarked(t *testing.T) {
	patch := base64.StdEncoding.EncodeToString([]byte(`[{"op":"add","path":"/spec/a","value":1},{"op":"remove","path":"/spec/b"}]`))
	answer := marked([]byte(`{"kind":"AdmissionReview","response":{"uid":"u","allowed":true,"warnings":["own"],"patch":"` + patch + `"}}`))
	var review struct{ Response struct{ Warnings []string } }
	require.NoError(t, json.Unmarshal(answer, &review))
	others, pointers := term.SplitMutations(review.Response.Warnings)
	assert.Equal(t, []string{"own"}, others)
	assert.Equal(t, []string{"/spec/a", "/spec/b"}, pointers)
	for _, as := range []string{`{"response":{"allowed":false}}`, `{"response":{"patch":"%%"}}`, `{"response":{"patch":"e30="}}`, `no JSON`, `null`, ``} {
		assert.Equal(t, as, string(marked([]byte(as))))
	}
}

// admits notes where reviews are sent.
type admits struct{ at []string }

func (a *admits) Convert(context.Context, []byte) ([]byte, error) { return nil, errNobody }

func (a *admits) Admit(_ context.Context, at string, _ []byte) (int, []byte, error) {
	a.at = append(a.at, at)
	return 200, nil, nil
}

// TestAdmitQuery: a program is told how long the server waits for its answer.
func TestAdmitQuery(t *testing.T) {
	to := &admits{}
	for _, at := range []string{"/mutate?timeout=10s", "/mutate"} {
		(&webhook{from: to}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "https://127.0.0.1:7"+at, strings.NewReader("{}")))
	}
	assert.Equal(t, []string{"/mutate?timeout=10s", "/mutate"}, to.at)
}
