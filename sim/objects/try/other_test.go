package try

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// widgetDocument is a document of widgets whose spec and status have these properties.
func widgetDocument(spec, status string) []byte {
	return []byte(`{"openapi": "3.0.0", "info": {"title": "made up", "version": "v1"}, "paths": {}, "components": {"schemas": {
"x.Widget": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Widget"}],
  "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object", "properties": {"name": {"type": "string"}}},
    "status": {"type": "object", "properties": {` + status + `}}, "spec": {"type": "object", "properties": {` + spec + `}}}}}}}`)
}

// refusal is what a release says against an object: a message for each field.
type refusal map[string]string

// strictRelease is a release of widgets that refuses some.
func strictRelease(t *testing.T, document []byte, refuses func(object map[string]any) refusal) Config {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var object map[string]any
		_ = json.NewDecoder(r.Body).Decode(&object)
		if r.Method == http.MethodDelete || strings.HasSuffix(r.URL.Path, "/namespaces") {
			return
		}
		causes := []any{}
		for field, message := range refuses(object) {
			reason := "FieldValueInvalid"
			if strings.HasPrefix(message, "Required") {
				reason = "FieldValueRequired"
			}
			causes = append(causes, map[string]any{"reason": reason, "field": field, "message": message})
		}
		if len(causes) > 0 {
			answer(w, 422, map[string]any{"kind": "Status", "code": 422, "message": "refused", "details": map[string]any{"causes": causes}})
			return
		}
		if !strings.HasSuffix(r.URL.Path, "/status") {
			delete(object, "status")
		}
		answer(w, 201, object)
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	return Config{
		Namespace: "here", Server: NewServer(conn, func(context.Context) (*client.Connection, error) { return conn, nil }),
		Release: published.Release{
			Documents: map[string][]byte{"example.dev/v1": document},
			Resources: []published.Resource{{APIVersion: "example.dev/v1", Kind: "Widget", Plural: "widgets", Namespaced: true, Verbs: []string{"create", "get", "update"}, Subresources: []string{"status"}}},
		},
	}
}

// nothing is refused.
func nothing(map[string]any) refusal { return nil }

// memberOf returns the member of a part of an object.
func memberOf(object map[string]any, part, name string) any {
	of, _ := object[part].(map[string]any)
	return of[name]
}

const plainText = `{"type": "string"}`

// TestOtherRelease: an object for a target is one that the other release refuses for nothing but the target;
// the object of a rule is one that both releases accept; and a status is one too.
func TestOtherRelease(t *testing.T) {
	document := widgetDocument(`"name": `+plainText+`, "colour": `+plainText+`, "mode": `+plainText, `"phase": `+plainText)
	own := strictRelease(t, document, nothing)
	other := strictRelease(t, document, func(object map[string]any) refusal {
		says := refusal{}
		if name := memberOf(object, "spec", "name"); name == nil || name == "" {
			says["spec.name"] = "Required value"
		}
		for part, name := range map[string]string{"spec": "colour", "status": "phase"} {
			if v := memberOf(object, part, name); v != nil && v != "red" && v != "blue" {
				says[part+"."+name] = `Unsupported value: "x": supported values: "red", "blue"`
			}
		}
		return says
	})
	colour := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.colour", Value: "green"}
	ruled := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.colour", Both: true}
	mode := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.mode"}
	phase := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".status.phase", Both: true}
	filled := Target{APIVersion: "example.dev/v1", Kind: "Widget", Filled: true}

	alone, err := Specimens(t.Context(), own, []Target{mode})
	require.NoError(t, err)
	assert.Nil(t, memberOf(alone[0].Object, "spec", "name"), "one release needs no name")

	own.Other = &other
	got, err := Specimens(t.Context(), own, []Target{colour, ruled, mode, phase, filled})
	require.NoError(t, err)
	for _, s := range got {
		require.NotNil(t, s.Object, s.Reason)
		assert.NotEmpty(t, memberOf(s.Object, "spec", "name"), "%s: the other release needs a name", s.Path)
	}
	assert.Equal(t, "green", memberOf(got[0].Object, "spec", "colour"), "the target is what the other release refuses")
	assert.Contains(t, []any{"red", "blue"}, memberOf(got[1].Object, "spec", "colour"))
	assert.Contains(t, []any{"red", "blue"}, memberOf(got[3].Object, "status", "phase"))
	assert.Contains(t, []any{"red", "blue"}, memberOf(got[4].Object, "spec", "colour"), "what is filled in fits both")
}

// TestOtherReleaseNeverFits: where the other release refuses every object for fields that are not the
// target's, or does not serve the kind, the object is the one that its own release takes.
func TestOtherReleaseNeverFits(t *testing.T) {
	document := widgetDocument(`"name": `+plainText, ``)
	own := strictRelease(t, document, nothing)
	never := strictRelease(t, document, func(map[string]any) refusal { return refusal{"spec.absent": "Required value"} })
	without := never
	without.Release.Resources = nil
	for _, other := range []Config{never, without} {
		own.Other = &other
		for _, both := range []bool{false, true} {
			got, err := Specimens(t.Context(), own, []Target{{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.name", Both: both}})
			require.NoError(t, err)
			assert.NotEmpty(t, got[0].Answered)
		}
	}
}

// TestNarrowed: values are those that the schemas of both releases permit.
func TestNarrowed(t *testing.T) {
	own := strictRelease(t, widgetDocument(`"name": {"type": "string", "pattern": "^[0-9a-z]+$"}, "size": {"type": "integer", "minimum": 2}, "either": {"x-kubernetes-int-or-string": true}, "colour": {"type": "string", "enum": ["red", "green"]}`, ``), nothing)
	other := strictRelease(t, widgetDocument(`"name": {"type": "string", "pattern": "^[f-h]+[0-9]$"}, "size": {"type": "integer", "maximum": 2}, "either": {"type": "string", "pattern": "^x[0-9]$"}, "colour": {"type": "string", "enum": ["green", "blue"]}`, ``), nothing)
	own.Other = &other
	var targets []Target
	for _, field := range []string{"name", "size", "either", "colour"} {
		targets = append(targets, Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec." + field})
	}
	got, err := Specimens(t.Context(), own, targets)
	require.NoError(t, err)
	assert.Regexp(t, `^[f-h]+[0-9]$`, got[0].Answered)
	assert.EqualValues(t, 2, got[1].Answered)
	assert.Regexp(t, `^x[0-9]$`, got[2].Answered)
	assert.Equal(t, "green", got[3].Answered)
}

// TestAlike: a value of the type that one release alone has is one that its own pattern permits, whatever the
// other release says of the field.
func TestAlike(t *testing.T) {
	own := strictRelease(t, widgetDocument(`"either": {"x-kubernetes-int-or-string": true, "pattern": "^([0-9]|Echo)$"}`, ``), func(object map[string]any) refusal {
		if text, is := memberOf(object, "spec", "either").(string); is && text != "Echo" && len(text) != 1 {
			return refusal{"spec.either": "should match"}
		}
		return nil
	})
	other := strictRelease(t, widgetDocument(`"either": {"type": "integer"}`, ``), func(object map[string]any) refusal {
		if _, is := memberOf(object, "spec", "either").(string); is {
			return refusal{"spec.either": "must be an integer"}
		}
		return nil
	})
	own.Other = &other
	text := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.either", Value: "50%", Alike: true}
	number := Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.either", Both: true}
	got, err := Specimens(t.Context(), own, []Target{text, number})
	require.NoError(t, err)
	assert.IsType(t, "", got[0].Answered, got[0].Reason)
	assert.EqualValues(t, 1, got[1].Answered)
}

// TestDisputed: what fills an object of a rule fits both releases; a further field that only one of them
// accepts beside it is noted.
func TestDisputed(t *testing.T) {
	document := widgetDocument(`"a": `+plainText+`, "b": `+plainText+`, "c": `+plainText, ``)
	own := strictRelease(t, document, nothing)
	other := strictRelease(t, document, func(object map[string]any) refusal {
		if memberOf(object, "spec", "a") != nil && memberOf(object, "spec", "b") != nil {
			return refusal{"spec": "at most one of a or b"}
		}
		return nil
	})
	own.Other = &other
	got, err := Specimens(t.Context(), own, []Target{{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.a", Filled: true, Both: true}})
	require.NoError(t, err)
	spec, _ := got[0].Object["spec"].(map[string]any)
	assert.Contains(t, spec, "c")
	assert.NotContains(t, spec, "b")
	assert.Equal(t, []Value{{Path: ".spec.b", Value: "sample"}}, got[0].Disputed)
}
