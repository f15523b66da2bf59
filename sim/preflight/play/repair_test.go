package play

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// TestRepair: a fix is tried of a refusal that names a field. A refusal of a policy, whose cause names none, and a
// try that breaks cost no other fix.
func TestRepair(t *testing.T) {
	const object = `{"apiVersion":"v1","kind":"A","metadata":{},"spec":{"mode":"x"}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(object))
			return
		}
		_, _ = io.Copy(w, r.Body)
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	h := newHop(&session{Host: Host{Out: io.Discard}}, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	for _, kind := range []string{"A", "B"} {
		h.published[term.Old] = published.Release{Resources: append(h.published[term.Old].Resources, published.Resource{APIVersion: "v1", Plural: kind + "s", Kind: kind, Verbs: []string{"get", "list"}})}
	}
	refused := func(kind, field string) reading.Record {
		return reading.Record{Key: "/registry/" + kind + "s/x", APIVersion: "v1", Form: "v1", Kind: kind, Name: "x", Code: http.StatusOK, Object: json.RawMessage(object), Tries: []reading.Try{
			{Write: reading.Label, Code: http.StatusUnprocessableEntity, Message: "no", Causes: []reading.Cause{{Field: field}}},
		}}
	}
	read := taken{role: term.Old, phase: preflight.PhaseBack, file: recorded(t, refused("A", ""), refused("B", "spec.mode"))}
	require.NoError(t, reading.Each(read.file, func(r *reading.Record) error {
		h.judged.Add(preflight.Alone(h.seen(read, r), preflight.Back)...)
		return nil
	}))
	fixes := func() map[string]string {
		all := map[string]string{}
		for _, f := range h.judged.Findings() {
			all[f.Kind] = f.Fix
		}
		return all
	}
	require.NoError(t, h.repair(t.Context(), &probe.Server{}, read, preflight.Back), "a try breaks")
	assert.Equal(t, map[string]string{"A": "", "B": ""}, fixes())
	require.NoError(t, h.repair(t.Context(), &probe.Server{Conn: conn}, read, preflight.Back))
	all := fixes()
	assert.Empty(t, all["A"])
	assert.NotEmpty(t, all["B"])
}
