package play

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// answering returns a server that makes of a dry run what a function makes of the spec, or refuses a field.
func answering(t *testing.T, answer func(spec map[string]any, put bool) string) *probe.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "All", r.URL.Query().Get("dryRun"))
		var object map[string]any
		require.NoError(t, json.NewDecoder(r.Body).Decode(&object))
		spec := object["spec"].(map[string]any)
		if refused := answer(spec, r.Method == http.MethodPut); refused != "" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": http.StatusUnprocessableEntity, "details": map[string]any{"causes": []any{map[string]any{"field": refused}}}})
			return
		}
		_ = json.NewEncoder(w).Encode(object)
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	return &probe.Server{Conn: conn}
}

// TestStanding: an object counts whose value the newer release does not fill in and the older one drops or
// refuses in a new object: neither the default of one release, nor a value that both take, nor one of an
// object that is refused for something else.
func TestStanding(t *testing.T) {
	newer := answering(t, func(spec map[string]any, put bool) string {
		if put && spec["drops"] == nil && spec["name"] == "default" {
			spec["drops"] = 1
		}
		return ""
	})
	older := answering(t, func(spec map[string]any, _ bool) string {
		delete(spec, "drops")
		if spec["other"] != nil {
			return "spec.name"
		}
		if spec["min"] == 0.0 {
			return "spec.min"
		}
		return ""
	})
	var s standing
	for _, field := range []string{"spec.drops", "spec.min", "status.seen"} {
		write := preflight.ThresholdsOf(diff.Difference{Difference: term.GateChanged, Gates: []diff.Gate{{Name: "Gate" + field[len("spec."):], New: &diff.GateState{Default: true}}}, Places: []diff.Place{{APIVersion: "v1", Kind: "A", Path: "." + field}}})[0]
		s.writes = append(s.writes, write)
	}
	var records []reading.Record
	for name, spec := range map[string]string{
		"default": `{"name":"default","drops":1}`, "dropped": `{"name":"x","drops":2}`, "again": `{"name":"y","drops":2}`,
		"refused": `{"min":0}`, "both": `{"min":1}`, "other": `{"min":7,"other":1}`, "without": `{}`, "status": `{},"status":{"seen":1}`,
	} {
		records = append(records, reading.Record{Key: "/registry/as/" + name, APIVersion: "v1", Kind: "A", Form: "v1", Name: name, Object: []byte(`{"metadata":{"name":"` + name + `"},"spec":` + spec + `}`)})
		s.note(&records[len(records)-1])
	}
	forms := reading.Forms{" A": {APIVersion: "v1", Plural: "as", Verbs: []string{"get", "update", "create"}, Subresources: []string{"status"}}}
	require.NoError(t, s.askNewer(t.Context(), newer, forms))
	require.NoError(t, s.askOlder(t.Context(), older, forms, nil))
	writes, objects := s.count(true)
	assert.Equal(t, []int{2, 1}, []int{writes[0].Objects, writes[1].Objects})
	assert.Equal(t, 3, objects)
	_, unasked := s.count(false)
	assert.Zero(t, unasked, "nothing is known of the older release")
	h := newHop(&session{}, servers.Build{Version: "old"}, servers.Build{Version: "new"}, t.TempDir())
	h.standing = s
	slices.SortFunc(records, func(a, b reading.Record) int { return strings.Compare(a.Key, b.Key) })
	alone := taken{role: term.New, file: filepath.Join(t.TempDir(), "records")}
	require.NoError(t, reading.Keep(alone.file, records))
	require.NoError(t, h.kept(alone, true))
	found := []string{}
	for _, f := range h.judged.Findings() {
		assert.Equal(t, []any{term.MeansOther, preflight.Back, "old"}, []any{f.Outcome, f.Direction, f.Release})
		found = append(found, f.Name+f.Path)
	}
	assert.Equal(t, []string{"again.spec.drops", "dropped.spec.drops", "refused.spec.min"}, found)
	assert.True(t, strings.Contains(writes[1].What, "needs the gate Gatemin"))
}

// TestStandingOfTemplates: a template counts whose Pods the newer release makes with a value and the older one
// without: neither one that no release gives to its Pods, nor one that both give, nor one without Pods.
func TestStandingOfTemplates(t *testing.T) {
	drop := func(drops ...string) *probe.Server {
		return answering(t, func(spec map[string]any, put bool) string {
			if put {
				return ""
			}
			for _, name := range drops {
				delete(spec, name)
			}
			if tight, is := spec["shape"].(map[string]any); is {
				tight["filled"] = true
			}
			return ""
		})
	}
	var s standing
	for _, field := range []string{"cert", "shape", "never"} {
		write := preflight.ThresholdsOf(diff.Difference{Difference: term.GateChanged, Gates: []diff.Gate{{Name: "Gate" + field, New: &diff.GateState{Default: true}}}, Places: []diff.Place{{APIVersion: "v1", Kind: "Pod", Path: ".spec." + field}}})[0]
		s.writes = append(s.writes, write)
	}
	const pod = `{"containers":[{"name":"c"}],`
	for key, spec := range map[string]string{
		"deployments/cert": `{"template":{"spec":` + pod + `"cert":{"key":"k"}}}}`, "deployments/shape": `{"template":{"spec":` + pod + `"shape":{"a":1}}}}`,
		"deployments/never": `{"template":{"spec":` + pod + `"never":1}}}`, "cronjobs/cert": `{"jobTemplate":{"spec":{"template":{"spec":` + pod + `"cert":{"key":"k"}}}}}}`,
		"replicasets/cert": `{"replicas":0,"template":{"spec":` + pod + `"cert":{"key":"k"}}}}`, "deployments/none": `{"template":{"spec":` + pod + `"other":"cert"}}}`,
	} {
		kind := map[byte]string{'d': "Deployment", 'c': "CronJob", 'r': "ReplicaSet"}[key[0]]
		s.note(&reading.Record{Key: key, APIVersion: "apps/v1", Kind: kind, Form: "apps/v1", Namespace: "n", Name: "x", Object: []byte(`{"metadata":{"name":"x"},"spec":` + spec + `}`)})
	}
	forms := reading.Forms{" Pod": {APIVersion: "v1", Plural: "pods", Namespaced: true, Verbs: []string{"create"}}, "apps Deployment": {APIVersion: "apps/v1", Plural: "deployments", Namespaced: true}, "apps CronJob": {APIVersion: "apps/v1", Plural: "cronjobs", Namespaced: true}}
	newer := answering(t, func(spec map[string]any, put bool) string {
		if !put {
			delete(spec, "never")
		} else if spec["template"] == nil && spec["jobTemplate"] == nil {
			return "spec"
		}
		return ""
	})
	require.NoError(t, s.askNewer(t.Context(), newer, forms))
	require.NoError(t, s.askOlder(t.Context(), drop("cert", "never"), forms, nil))
	assert.Equal(t, map[string]string{"deployments/cert": ".spec.template.spec.cert", "cronjobs/cert": ".spec.jobTemplate.spec.template.spec.cert"}, s.of(0, true))
	_, objects := s.count(true)
	assert.Equal(t, 2, objects)
}
