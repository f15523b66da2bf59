package clients_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/typedclient"
)

const v6 = `{"kind":"Frobber","apiVersion":"frobbing.example.com/v6"`

func TestDiff(t *testing.T) {
	for _, c := range []struct{ name, release, before, after, strategic, merge string }{
		{"nothing", "1.1", `{"width":0}`, `{"width":0}`, `{}`, `{}`},
		{"to zero", "1.1", `{"width":5}`, `{"width":0}`, `{"spec":{"width":0}}`, `{"spec":{"width":0}}`},
		{"to zero, which a value cannot say", "1.1+value", `{"width":5}`, `{"width":0}`, `{"spec":{"width":null}}`, `{"spec":{"width":null}}`},
		{"a field of the next release", "1.0", `{"width":5}`, `{"width":6}`, `{}`, `{}`},
		{"an element of a list-map", "1.0", `{"parts":[{"name":"p"},{"name":"q","size":1}]}`, `{"parts":[{"name":"p"},{"name":"q","size":2}]}`,
			`{"spec":{"$setElementOrder/parts":[{"name":"p"},{"name":"q"}],"parts":[{"name":"q","size":2}]}}`,
			`{"spec":{"parts":[{"name":"p"},{"name":"q","size":2}]}}`},
		{"an element gone", "1.4", `{"parts":[{"name":"p"},{"name":"q"}]}`, `{"parts":[{"name":"q"}]}`,
			`{"spec":{"$setElementOrder/parts":[{"name":"q"}],"parts":[{"$patch":"delete","name":"p"}]}}`, `{"spec":{"parts":[{"name":"q"}]}}`},
	} {
		p := run(t, c.release)
		for patch, want := range map[types.PatchType]string{types.StrategicMergePatchType: c.strategic, types.MergePatchType: c.merge} {
			got, err := p.Diff(t.Context(), typedclient.DiffRequest{
				Kind: frobber("v6"), Before: []byte(`{"spec":` + c.before + `}`), After: []byte(`{"spec":` + c.after + `}`), Patch: patch,
			})
			require.NoError(t, err, c.name)
			assert.Equal(t, want, string(got), "%s: %s as %s", c.release, c.name, patch)
		}
	}
}

func TestApply(t *testing.T) {
	for _, c := range []struct{ name, release, manifest, want string }{
		{"zeros stay", "1.1", `{"spec":{"height":0,"param":"","replicas":0,"width":0}}`, `,"spec":{"height":0,"param":"","replicas":0,"width":0}}`},
		{"of values as of pointers", "1.1+value", `{"spec":{"width":0}}`, `,"spec":{"width":0}}`},
		{"nothing is added", "1.1+required", `{"spec":{}}`, `,"spec":{}}`},
		{"a field of the next release", "1.0", `{"spec":{"width":5}}`, `,"spec":{}}`},
		{"a field of no release", "1.4", `{"spec":{"later":5,"angle":0},"later":1}`, `,"spec":{"angle":0}}`},
		{"within a list", "1.4", `{"spec":{"parts":[{"name":"p","size":0,"later":1},{}]}}`, `,"spec":{"parts":[{"name":"p","size":0},{}]}}`},
		{"metadata", "1.0", `{"metadata":{"name":"a","labels":{"x":""},"later":1}}`, `,"metadata":{"name":"a","labels":{"x":""}}}`},
		{"conditions", "1.0", `{"status":{"area":0,"conditions":[{"type":"Ready","observedGeneration":0,"lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`,
			`,"status":{"area":0,"conditions":[{"type":"Ready","observedGeneration":0,"lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`},
	} {
		got, err := run(t, c.release).Apply(t.Context(), typedclient.ApplyRequest{Kind: frobber("v6"), Manifest: []byte(c.manifest)})
		require.NoError(t, err, c.name)
		assert.JSONEq(t, v6+c.want, string(got), "%s: %s", c.release, c.name)
	}
	got, err := run(t, "1.3").Apply(t.Context(), typedclient.ApplyRequest{Kind: frobber("v7beta1"), Manifest: []byte(`{"spec":{"size":{"height":0}}}`)})
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"Frobber","apiVersion":"frobbing.example.com/v7beta1","spec":{"size":{"height":0}}}`, string(got))
}

// live is an object with fields that a manager has applied, and others that it does not own.
func live(version, manager, operation, subresource, fields, rest string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"name":"a","namespace":"n","managedFields":[
		{"manager":%q,"operation":%q,"subresource":%q,"apiVersion":"frobbing.example.com/%s","fieldsType":"FieldsV1","fieldsV1":{%s}}]},%s}`,
		manager, operation, subresource, version, fields, rest)
}

func TestExtract(t *testing.T) {
	const named = v6 + `,"metadata":{"name":"a","namespace":"n"}`
	const object = `"spec":{"height":0,"param":"x","replicas":0,"width":0,"parts":[{"name":"p","size":1},{"name":"q","size":2}]},` +
		`"status":{"area":4,"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z","reason":"x","message":""}]}`
	const part = `"f:spec":{"f:parts":{"k:{\"name\":\"q\"}":{".":{},"f:name":{},"f:size":{}}}}`
	const condition = `"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:type":{},"f:status":{}}}}`
	for _, c := range []struct{ name, release, manager, operation, subresource, fields, want string }{
		{"what is owned", "1.1", "m", "Apply", "", `"f:spec":{"f:param":{}}`, `,"spec":{"param":"x"}}`},
		{"zero that is always sent", "1.1", "m", "Apply", "", `"f:spec":{"f:height":{}}`, `,"spec":{"height":0}}`},
		{"zero behind a pointer", "1.1", "m", "Apply", "", `"f:spec":{"f:width":{}}`, `,"spec":{"width":0}}`},
		// The Go types of the live object have dropped the zero: applied again, the manager
		// gives up the field.
		{"zero of a value", "1.1+value", "m", "Apply", "", `"f:spec":{"f:width":{}}`, `}`},
		{"a field of the next release", "1.0", "m", "Apply", "", `"f:spec":{"f:param":{},"f:width":{}}`, `,"spec":{"param":"x"}}`},
		{"element of a list-map", "1.4", "m", "Apply", "", part, `,"spec":{"parts":[{"name":"q","size":2}]}}`},
		{"another manager's", "1.1", "other", "Apply", "", `"f:spec":{"f:param":{}}`, `}`},
		{"what was updated, not applied", "1.1", "m", "Update", "", `"f:spec":{"f:param":{}}`, `}`},
		{"through a subresource", "1.1", "m", "Apply", "status", condition, `}`},
	} {
		got, err := run(t, c.release).Extract(t.Context(), typedclient.ExtractRequest{
			Kind: frobber("v6"), Manager: "m", Live: live("v6", c.manager, c.operation, c.subresource, c.fields, object),
		})
		require.NoError(t, err, c.name)
		assert.Equal(t, named+c.want, string(got), "%s: %s", c.release, c.name)
	}
	got, err := run(t, "1.1").Extract(t.Context(), typedclient.ExtractRequest{
		Kind: frobber("v6"), Manager: "m", Subresource: "status", Live: live("v6", "m", "Apply", "status", condition, object),
	})
	require.NoError(t, err)
	assert.Equal(t, named+`,"status":{"conditions":[{"type":"Ready","status":"True"}]}}`, string(got))
}

// TestExtractEverywhere: each release has a schema of each of its versions.
func TestExtractEverywhere(t *testing.T) { testExtractEverywhere(t, few()) }

func TestFrobberExtractEverywhere(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	testExtractEverywhere(t, every())
}

func testExtractEverywhere(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		p := run(t, name)
		for _, v := range find(t, name).Versions {
			got, err := p.Extract(t.Context(), typedclient.ExtractRequest{
				Kind: frobber(v.Name), Manager: "m", Live: live(v.Name, "m", "Apply", "", `"f:spec":{"f:replicas":{}}`, `"spec":{"param":"x","replicas":0}`),
			})
			require.NoError(t, err, "%s %s", name, v.Name)
			assert.Equal(t, `{"kind":"Frobber","apiVersion":"frobbing.example.com/`+v.Name+`","metadata":{"name":"a","namespace":"n"},"spec":{"replicas":0}}`, string(got), name)
		}
	}
}
