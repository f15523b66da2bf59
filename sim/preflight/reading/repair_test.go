package reading

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestRepair: a fix gives addresses their canonical form before it removes any; what no update may change, a
// new object has; what no server accepts is no fix.
func TestRepair(t *testing.T) {
	const at = "spec.hosts[0].ip"
	for name, c := range map[string]struct {
		object  string
		fields  []string
		accepts func(method, body string) bool
		want    Fix
	}{
		"update": {`{"spec":{"hosts":[{"ip":"010.1.2.3"},{"ip":"10.1.2.004"}]}}`, []string{at, "spec.hosts[1].ip"},
			func(method, body string) bool {
				return method == http.MethodPut && strings.Contains(body, `"10.1.2.3"`) && strings.Contains(body, `"10.1.2.4"`)
			},
			Fix{Field: "." + at, Canonical: true}},
		"new object": {`{"spec":{"list":["10.0.0.1/8"]}}`, []string{"spec.list[0]"},
			func(method, body string) bool {
				return method == http.MethodPost && strings.Contains(body, `"10.0.0.0/8"`)
			},
			Fix{Field: ".spec.list[0]", Canonical: true, Anew: true}},
		"no address": {`{"spec":{"hosts":[{"ip":"x.1"}]}}`, []string{at},
			func(method, body string) bool { return method == http.MethodPut && !strings.Contains(body, "x.1") },
			Fix{Field: "." + at}},
		"removed": {`{"spec":{"hosts":[{"ip":"010.1.2.3"}]}}`, []string{at},
			func(method, body string) bool { return method == http.MethodPut && !strings.Contains(body, "10.1.2.3") },
			Fix{Field: "." + at}},
		"new Job": {`{"kind":"Job","spec":{"selector":{"matchLabels":{"controller-uid":"u"}},"template":{"metadata":{"labels":{"controller-uid":"u","job-name":"x","a":"b"}},"ip":"010.1.2.3"}}}`, []string{"spec.template.ip"},
			func(method, body string) bool {
				return method == http.MethodPost && strings.Contains(body, `"10.1.2.3"`) && strings.Contains(body, `"labels":{"a":"b"}`) && !strings.Contains(body, "selector")
			},
			Fix{Field: ".spec.template.ip", Canonical: true, Anew: true}},
		"Job with a selector of the user's": {`{"kind":"Job","spec":{"manualSelector":true,"selector":{"matchLabels":{"a":"b"}},"ip":"010.1.2.3"}}`, []string{"spec.ip"},
			func(method, body string) bool { return method == http.MethodPost && strings.Contains(body, "selector") },
			Fix{Field: ".spec.ip", Canonical: true, Anew: true}},
		"new object without": {`{"spec":{"mode":"x"}}`, []string{"spec.mode"},
			func(method, body string) bool { return method == http.MethodPost && !strings.Contains(body, "mode") },
			Fix{Field: ".spec.mode", Anew: true}},
		"canonical already": {`{"spec":{"hosts":[{"ip":"10.1.2.3"}]}}`, []string{at}, func(string, string) bool { return false }, Fix{}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					_, _ = w.Write([]byte(c.object))
					return
				}
				assert.Equal(t, "All", r.URL.Query().Get("dryRun"))
				var body json.RawMessage
				require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
				if !c.accepts(r.Method, string(body)) {
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
				_, _ = w.Write(body)
			}))
			defer server.Close()
			conn, err := client.Connect(client.Endpoint{URL: server.URL})
			require.NoError(t, err)
			forms := Forms{" A": {APIVersion: "v1", Plural: "as"}}
			fix, err := Repair(t.Context(), conn, forms, Record{Key: "/registry/as/x", APIVersion: "v1", Kind: "A", Name: "x"}, c.fields)
			require.NoError(t, err)
			assert.Equal(t, c.want, fix)
		})
	}
}

// TestRepairTries: a fix of the status is tried where the server reads it; what a server ignores, what a new
// object gets anew, and what names no field is no fix. The same value in the spec, and labels, are fixed.
func TestRepairTries(t *testing.T) {
	const stored = `{"metadata":{"name":"other","labels":{"l":"bad"}},"spec":{"x":"wrong"},"status":{"x":"bad","y":"bad"}}`
	for name, c := range map[string]struct {
		refused string // what the server refuses, wherever it is sent and not ignored
		field   string
		want    Fix
	}{
		"status that the server can do without":    {`"x":"bad"`, "status.x", Fix{Field: ".status.x"}},
		"status that the server refuses otherwise": {`"y":"bad"`, "status.x", Fix{}},
		"spec":                    {`"wrong"`, "spec.x", Fix{Field: ".spec.x"}},
		"name":                    {`"other"`, "metadata.name", Fix{}},
		"label":                   {`"l":"bad"`, "metadata.labels.l", Fix{Field: ".metadata.labels.l"}},
		"ignored":                 {"nothing", "metadata.name", Fix{}},
		"no field":                {"nothing", "", Fix{}},
		"brackets without a name": {"nothing", "[]", Fix{}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var now, sent map[string]any
				require.NoError(t, json.Unmarshal([]byte(stored), &now))
				if r.Method != http.MethodGet {
					require.NoError(t, json.NewDecoder(r.Body).Decode(&sent))
				}
				switch {
				case r.Method == http.MethodPost:
					delete(sent, "status")
					now = sent
				case strings.HasSuffix(r.URL.Path, "/status"):
					now["status"] = sent["status"]
				case r.Method == http.MethodPut:
					now["spec"] = sent["spec"]
					now["metadata"].(map[string]any)["labels"] = sent["metadata"].(map[string]any)["labels"]
				}
				answer, err := json.Marshal(now)
				require.NoError(t, err)
				checked := now
				if r.Method == http.MethodPut && !strings.HasSuffix(r.URL.Path, "/status") { // the status stays as it is
					checked = map[string]any{"metadata": now["metadata"], "spec": now["spec"]}
				}
				text, err := json.Marshal(checked)
				require.NoError(t, err)
				if r.Method != http.MethodGet && strings.Contains(string(text), c.refused) {
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
				_, _ = w.Write(answer)
			}))
			defer server.Close()
			conn, err := client.Connect(client.Endpoint{URL: server.URL})
			require.NoError(t, err)
			forms := Forms{" A": {APIVersion: "v1", Plural: "as", Subresources: []string{"status"}}}
			fields := Try{Causes: []Cause{{Field: c.field}}}.Fields()
			fix, err := Repair(t.Context(), conn, forms, Record{Key: "/registry/as/x", APIVersion: "v1", Kind: "A", Name: "x"}, fields)
			require.NoError(t, err)
			assert.Equal(t, c.want, fix)
		})
	}
}
