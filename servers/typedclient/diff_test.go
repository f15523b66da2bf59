package typedclient_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/servers/typedclient"
)

// TestKubernetesDiff is the patch that a typed client computes, of either type.
func TestKubernetesDiff(t *testing.T) {
	for i, p := range both(t) {
		for _, c := range []struct {
			name, kind, before, after string
			strategic, merge          string
			newer                     []string // both, where the newer release's types differ
		}{
			{"nothing", "v1 Pod", `{}`, `{}`, `{}`, `{}`, nil},
			{"a label", "v1 Pod", `{"metadata":{"labels":{"a":"1","b":"2"}}}`, `{"metadata":{"labels":{"a":"3"}}}`,
				`{"metadata":{"labels":{"a":"3","b":null}}}`, `{"metadata":{"labels":{"a":"3","b":null}}}`, nil},
			{"a field of a list-map's element", "v1 Pod", `{"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"a","image":"2"},{"name":"b"}]}}`,
				`{"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"}],"containers":[{"image":"2","name":"a"}]}}`,
				`{"spec":{"containers":[{"image":"2","name":"a","resources":{}},{"name":"b","resources":{}}]}}`, nil},
			{"an element gone", "v1 Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"b"}]}}`,
				`{"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"$patch":"delete","name":"a"}]}}`,
				`{"spec":{"containers":[{"name":"b","resources":{}}]}}`, nil},
			{"elements in another order", "v1 Pod", `{"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`, `{"spec":{"containers":[{"name":"b"},{"name":"a"}]}}`,
				`{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}}`,
				`{"spec":{"containers":[{"name":"b","resources":{}},{"name":"a","resources":{}}]}}`, nil},
			{"an element of a set", "v1 Pod", `{"metadata":{"finalizers":["x","y"]}}`, `{"metadata":{"finalizers":["y","z"]}}`,
				`{"metadata":{"$deleteFromPrimitiveList/finalizers":["x"],"$setElementOrder/finalizers":["y","z"],"finalizers":["z"]}}`,
				`{"metadata":{"finalizers":["y","z"]}}`, nil},
			{"a list without keys", "v1 Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}}`,
				`{"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}}`, `{"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}}`, nil},
			{"the member of a union", "v1 Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`, `{"spec":{"volumes":[{"name":"v","hostPath":{"path":"/"}}]}}`,
				`{"spec":{"$setElementOrder/volumes":[{"name":"v"}],"volumes":[{"$retainKeys":["hostPath","name"],"emptyDir":null,"hostPath":{"path":"/"},"name":"v"}]}}`,
				`{"spec":{"volumes":[{"hostPath":{"path":"/"},"name":"v"}]}}`, nil},
			{"to zero, which a value cannot say", "apps/v1 Deployment", `{"spec":{"minReadySeconds":5,"revisionHistoryLimit":5,"paused":true}}`,
				`{"spec":{"minReadySeconds":0,"revisionHistoryLimit":0,"paused":false}}`,
				`{"spec":{"minReadySeconds":null,"paused":null,"revisionHistoryLimit":0}}`, `{"spec":{"minReadySeconds":null,"paused":null,"revisionHistoryLimit":0}}`, nil},
			{"to null", "v1 Pod", `{"spec":{"nodeName":"x","priority":1}}`, `{"spec":{"nodeName":null,"priority":null}}`,
				`{"spec":{"nodeName":null,"priority":null}}`, `{"spec":{"nodeName":null,"priority":null}}`, nil},
			{"a quantity written otherwise", "v1 Pod", `{"spec":{"overhead":{"cpu":"1000m"}}}`, `{"spec":{"overhead":{"cpu":"1"}}}`, `{}`, `{}`, nil},
			{"a list that is emptied", "v1 Pod", `{"spec":{"tolerations":[{"key":"a"}]}}`, `{"spec":{"tolerations":[]}}`,
				`{"spec":{"tolerations":null}}`, `{"spec":{"tolerations":null}}`, nil},
			{"a field of the newer release", "v1 Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}}]}}`, `{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":511}}]}}`,
				`{}`, `{}`, []string{
					`{"spec":{"$setElementOrder/volumes":[{"name":"v"}],"volumes":[{"$retainKeys":["emptyDir","name"],"emptyDir":{"mode":511},"name":"v"}]}}`,
					`{"spec":{"volumes":[{"emptyDir":{"mode":511},"name":"v"}]}}`}},
			// A client that does not know a field destroys it all the same, where
			// its patch replaces the list that the field is in.
			{"beside a field of the newer release", "v1 Pod", `{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}}]}}`,
				`{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}},{"name":"w"}]}}`,
				`{"spec":{"$setElementOrder/volumes":[{"name":"v"},{"name":"w"}],"volumes":[{"name":"w"}]}}`,
				`{"spec":{"volumes":[{"emptyDir":{},"name":"v"},{"name":"w"}]}}`, []string{
					`{"spec":{"$setElementOrder/volumes":[{"name":"v"},{"name":"w"}],"volumes":[{"name":"w"}]}}`,
					`{"spec":{"volumes":[{"emptyDir":{"mode":448},"name":"v"},{"name":"w"}]}}`}},
			{"a field of no release", "v1 Pod", `{"spec":{"later":1}}`, `{"spec":{"later":2}}`, `{}`, `{}`, nil},
		} {
			want := []string{c.strategic, c.merge}
			if i > 0 && c.newer != nil {
				want = c.newer
			}
			for j, patch := range []types.PatchType{types.StrategicMergePatchType, types.MergePatchType} {
				got, err := p.Diff(t.Context(), typedclient.DiffRequest{Kind: kind(t, c.kind), Before: []byte(c.before), After: []byte(c.after), Patch: patch})
				require.NoError(t, err, c.name)
				assert.Equal(t, want[j], string(got), "%s: %s as %s", p.Release(), c.name, patch)
			}
		}
	}
}

func TestKubernetesDiffRefuses(t *testing.T) {
	for _, p := range both(t) {
		for _, c := range []struct {
			kind, before, after string
			patch               types.PatchType
			want                string
		}{
			{"example.dev/v1 Widget", `{}`, `{}`, "", "this release has no types for this kind"},
			{"v1 Pod", `x`, `{}`, "", "before: decode: couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value"},
			{"v1 Pod", `{}`, `{"kind":"Node","apiVersion":"v1"}`, "", "after: decode: the body is of kind v1 Node"},
			{"v1 Pod", `{}`, `{}`, types.JSONPatchType, `no patch of type "application/json-patch+json" can be computed`},
			{"v1 Pod", `{"spec":{"imagePullSecrets":[{}]}}`, `{}`, "", ""},
			{"v1 Pod", `{"spec":{"imagePullSecrets":[{}]}}`, `{"spec":{"imagePullSecrets":[{"name":"x"}]}}`, "", "map: map[] does not contain declared merge key: name"},
		} {
			_, err := p.Diff(t.Context(), typedclient.DiffRequest{Kind: kind(t, c.kind), Before: []byte(c.before), After: []byte(c.after), Patch: c.patch})
			if c.want == "" {
				assert.NoError(t, err)
				continue
			}
			assert.EqualError(t, err, "typed-client "+p.Release()+": diff "+c.kind+": "+c.want)
		}
	}
}
