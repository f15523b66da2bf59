package typedclient_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/typedclient"
)

// TestKubernetesApply tests the body that a typed client of server-side apply sends.
func TestKubernetesApply(t *testing.T) {
	for i, p := range both(t) {
		for _, c := range []struct{ name, kind, manifest, want, newer string }{
			{"zeros stay", "v1 Pod", `{"spec":{"hostNetwork":false,"priority":0,"nodeName":""}}`,
				`{"kind":"Pod","apiVersion":"v1","spec":{"nodeName":"","hostNetwork":false,"priority":0}}`, ""},
			{"of values as of pointers", "apps/v1 Deployment", `{"spec":{"minReadySeconds":0,"revisionHistoryLimit":0,"paused":false}}`,
				`{"kind":"Deployment","apiVersion":"apps/v1","spec":{"minReadySeconds":0,"revisionHistoryLimit":0,"paused":false}}`, ""},
			{"Scale to zero", "autoscaling/v1 Scale", `{"spec":{"replicas":0}}`, `{"kind":"Scale","apiVersion":"autoscaling/v1","spec":{"replicas":0}}`, ""},
			{"nothing is added", "v1 Service", `{}`, `{"kind":"Service","apiVersion":"v1"}`, ""},
			{"empty structs stay", "v1 Pod", `{"metadata":{},"spec":{"containers":[{"name":"c","resources":{}}],"volumes":[{"name":"v","emptyDir":{}}]},"status":{}}`,
				`{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"volumes":[{"name":"v","emptyDir":{}}],"containers":[{"name":"c","resources":{}}]},"status":{}}`, ""},
			{"empty lists and maps do not", "v1 Pod", `{"metadata":{"labels":{},"finalizers":[]},"spec":{"containers":[],"nodeSelector":{}}}`,
				`{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{}}`, ""},
			{"nor does null", "v1 Pod", `{"metadata":{"creationTimestamp":null},"spec":{"priority":null}}`, `{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{}}`, ""},
			{"an empty list within a list", "networking.k8s.io/v1 NetworkPolicy", `{"spec":{"ingress":[{"from":[]}],"egress":[]}}`,
				`{"kind":"NetworkPolicy","apiVersion":"networking.k8s.io/v1","spec":{"ingress":[{}]}}`, ""},
			{"quantity", "v1 Pod", `{"spec":{"containers":[{"resources":{"limits":{"cpu":"1000m"}}}]}}`,
				`{"kind":"Pod","apiVersion":"v1","spec":{"containers":[{"resources":{"limits":{"cpu":"1"}}}]}}`, ""},
			{"number or string", "v1 Service", `{"spec":{"ports":[{"targetPort":"http"},{"targetPort":80},{}]}}`,
				`{"kind":"Service","apiVersion":"v1","spec":{"ports":[{"targetPort":"http"},{"targetPort":80},{}]}}`, ""},
			{"raw data", "apps/v1 ControllerRevision", `{"data":{"b":1,"a":null}}`, `{"kind":"ControllerRevision","apiVersion":"apps/v1","data":{"b":1,"a":null}}`, ""},
			{"field of the newer release", "v1 Pod", `{"spec":{"volumes":[{"emptyDir":{"mode":448}}]}}`,
				`{"kind":"Pod","apiVersion":"v1","spec":{"volumes":[{"emptyDir":{}}]}}`, `{"kind":"Pod","apiVersion":"v1","spec":{"volumes":[{"emptyDir":{"mode":448}}]}}`},
			{"field of no release", "v1 Pod", `{"spec":{"later":1,"HostNetwork":true},"later":{}}`, `{"kind":"Pod","apiVersion":"v1","spec":{}}`, ""},
			{"value that no enum has", "v1 Pod", `{"kind":"Pod","apiVersion":"v1","spec":{"restartPolicy":"OnlyOnTuesday"}}`,
				`{"kind":"Pod","apiVersion":"v1","spec":{"restartPolicy":"OnlyOnTuesday"}}`, ""},
		} {
			want := c.want
			if i > 0 && c.newer != "" {
				want = c.newer
			}
			got, err := p.Apply(t.Context(), typedclient.ApplyRequest{Kind: kind(t, c.kind), Manifest: []byte(c.manifest)})
			require.NoError(t, err, c.name)
			assert.Equal(t, want, string(got), "%s: %s", p.Release(), c.name)
		}
	}
}

func TestKubernetesApplyRefuses(t *testing.T) {
	for _, p := range both(t) {
		for _, c := range []struct{ kind, manifest, want string }{
			{"example.dev/v1 Widget", `{}`, "this release has no types for this kind"},
			{"v1 PodList", `{}`, "this release has no apply configuration for this kind"},
			{"v1 Pod", `{"kind":"Deployment","apiVersion":"apps/v1"}`, "decode: the manifest is of kind apps/v1 Deployment"},
			{"v1 Pod", `[]`, "decode: json: cannot unmarshal array into Go value of type v1.PodApplyConfiguration"},
			{"v1 Pod", `x`, "decode: invalid character 'x' looking for beginning of value"},
			{"v1 Pod", `{"spec":{"priority":"x"}}`, "decode: json: cannot unmarshal string into Go struct field PodSpecApplyConfiguration.spec.priority of type int32"},
		} {
			_, err := p.Apply(t.Context(), typedclient.ApplyRequest{Kind: kind(t, c.kind), Manifest: []byte(c.manifest)})
			assert.EqualError(t, err, "typed-client "+p.Release()+": apply "+c.kind+": "+c.want)
		}
	}
}

// live returns a Pod with fields that a manager owns, and others that it does not own.
func live(manager, operation, subresource, fields string) string {
	return fmt.Sprintf(`{"metadata":{"name":"p","namespace":"n","managedFields":[
		{"manager":%q,"operation":%q,"subresource":%q,"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{%s}}}]},
		"spec":{"hostNetwork":false,"priority":0,"nodeName":"x","volumes":[{"name":"v","emptyDir":{"mode":448}},{"name":"w"}]}}`,
		manager, operation, subresource, fields)
}

func TestKubernetesExtract(t *testing.T) {
	const named = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n"}`
	const volume = `"f:volumes":{"k:{\"name\":\"v\"}":{".":{},"f:name":{},"f:emptyDir":{"f:mode":{}}}}`
	for i, p := range both(t) {
		for _, c := range []struct{ name, live, want, newer string }{
			{"what is owned", live("m", "Apply", "", `"f:nodeName":{}`), named + `,"spec":{"nodeName":"x"}}`, ""},
			{"zero behind a pointer", live("m", "Apply", "", `"f:priority":{}`), named + `,"spec":{"priority":0}}`, ""},
			// The Go types of the live object have dropped the zero: applied again, the manager
			// gives up the field.
			{"zero of a value", live("m", "Apply", "", `"f:hostNetwork":{}`), named + `}`, ""},
			{"element of a list-map", live("m", "Apply", "", volume), named + `,"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`,
				named + `,"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}}]}}`},
			{"another manager's", live("other", "Apply", "", `"f:nodeName":{}`), named + `}`, ""},
			{"what was updated, not applied", live("m", "Update", "", `"f:nodeName":{}`), named + `}`, ""},
			{"through a subresource", live("m", "Apply", "status", `"f:nodeName":{}`), named + `}`, ""},
			{"nobody's", `{"metadata":{"name":"p","namespace":"n"}}`, named + `}`, ""},
		} {
			want := c.want
			if i > 0 && c.newer != "" {
				want = c.newer
			}
			got, err := p.Extract(t.Context(), typedclient.ExtractRequest{Kind: kind(t, "v1 Pod"), Live: []byte(c.live), Manager: "m"})
			require.NoError(t, err, c.name)
			assert.Equal(t, want, string(got), "%s: %s", p.Release(), c.name)
		}
		got, err := p.Extract(t.Context(), typedclient.ExtractRequest{Kind: kind(t, "v1 Pod"), Manager: "m", Subresource: "status",
			Live: []byte(live("m", "Apply", "status", `"f:nodeName":{}`))})
		require.NoError(t, err)
		assert.Equal(t, named+`,"spec":{"nodeName":"x"}}`, string(got))
		got, err = p.Extract(t.Context(), typedclient.ExtractRequest{Kind: kind(t, "v1 Node"), Live: []byte(`{"metadata":{"name":"p"}}`), Manager: "m"})
		require.NoError(t, err)
		assert.Equal(t, `{"kind":"Node","apiVersion":"v1","metadata":{"name":"p"}}`, string(got))
	}
}

func TestKubernetesExtractRefuses(t *testing.T) {
	p := run(t, newer)
	for _, c := range []struct{ kind, live, want string }{
		{"v1 PodList", `{}`, "this release has no apply configuration for this kind"},
		{"v1 Pod", `{"kind":"Node","apiVersion":"v1"}`, "decode: the body is of kind v1 Node"},
		{"v1 Pod", `{"metadata":{"managedFields":[{"manager":"m","operation":"Apply"}]}}`, "extract: error marshalling FieldsV1 to JSON: "},
		{"v1 Pod", `{"spec":{"containers":[{"name":"c"},{"name":"c"}]}}`, `extract: .spec.containers: duplicate entries for key [name="c"]`},
	} {
		_, err := p.Extract(t.Context(), typedclient.ExtractRequest{Kind: kind(t, c.kind), Live: []byte(c.live), Manager: "m"})
		assert.ErrorContains(t, err, "typed-client "+newer+": extract "+c.kind+": "+c.want)
	}
}
