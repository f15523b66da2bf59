package play

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/published"
)

// given are objects as a source.
type given []string

func (g given) Each(_ context.Context, each func(cluster.Object) error) (c cluster.Coverage, err error) {
	for _, text := range g {
		o, err := cluster.Parse(json.RawMessage(text))
		if err != nil {
			return c, err
		}
		if err := each(o); err != nil {
			return c, err
		}
	}
	return c, nil
}

func release() published.Release {
	return published.Release{Version: "v1.36.3", Resources: []published.Resource{
		{APIVersion: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true}, {APIVersion: "v1", Kind: "Namespace", Plural: "namespaces"},
		{APIVersion: "apps/v1", Kind: "Deployment", Plural: "deployments", Namespaced: true}, {APIVersion: "storage.k8s.io/v1", Kind: "StorageClass", Plural: "storageclasses"},
		{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Plural: "customresourcedefinitions"},
	}}
}

// TestObjects: each object is stored where a server looks for it, with all digits of its numbers;
// a namespace that is named and not given is added, since servers refuse all writes without it.
func TestObjects(t *testing.T) {
	stored := map[string]string{}
	o := Objects{
		Stubs: func(context.Context) (examples.Stubs, error) {
			return examples.Stubs{"apps/v1/deployments": {Path: "/registry/deployments/here/x"}, "storage.k8s.io/v1/storageclasses": {Path: "/registry/storageclasses/x"}}, nil
		},
		Source: given{
			`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"volumesnapshots.snapshot.storage.k8s.io"},"spec":{"group":"snapshot.storage.k8s.io","scope":"Namespaced","names":{"kind":"VolumeSnapshot","plural":"volumesnapshots"}}}`,
			`{"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshot","metadata":{"name":"a","generation":9007199254740993},"spec":{"big":9223372036854775807,"huge":18446744073709551615,"exact":1.10}}`,
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"team"}}`,
			`{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast","uid":"its-own","creationTimestamp":"2020-02-02T00:00:00Z"}}`,
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`,
			`{"apiVersion":"example.com/v1","kind":"Unknown","metadata":{"name":"x"}}`,
			`{"apiVersion":"apps/v1beta1","kind":"Deployment","metadata":{"name":"old","namespace":"team"}}`,
			`{"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshot","metadata":{"name":"two"},"Metadata":{"a":"b"}}`,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"odd","labels":{"a":1}}}`,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"last"}}`,
		},
	}
	taken, err := o.Fill(t.Context(), Copy{Release: release(), Put: func(_ context.Context, keys []string, values [][]byte) error {
		for i, k := range keys {
			stored[k] = string(values[i])
		}
		return nil
	}})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{
		"/registry/apiextensions.k8s.io/customresourcedefinitions/volumesnapshots.snapshot.storage.k8s.io", "/registry/snapshot.storage.k8s.io/volumesnapshots/default/a",
		"/registry/deployments/team/web", "/registry/storageclasses/fast", "/registry/namespaces/default",
		"/registry/snapshot.storage.k8s.io/volumesnapshots/default/two", "/registry/configmaps/default/last",
	}, slices.Collect(maps.Keys(stored)))
	assert.Equal(t, []string{"/registry/namespaces/team"}, slices.Collect(maps.Keys(taken.Beside)))
	for _, digits := range []string{"9007199254740993", "9223372036854775807", "18446744073709551615", "1.10", `"namespace":"default"`} {
		assert.Contains(t, stored["/registry/snapshot.storage.k8s.io/volumesnapshots/default/a"], digits)
	}
	assert.Contains(t, stored["/registry/deployments/team/web"], `"uid":"`, "servers answer patches of an object without one with 404")
	for _, own := range []string{`"uid":"its-own"`, `"creationTimestamp":"2020-02-02T00:00:00Z"`} {
		assert.Contains(t, stored["/registry/storageclasses/fast"], own)
	}
	assert.Contains(t, stored["/registry/snapshot.storage.k8s.io/volumesnapshots/default/two"], `"name":"two"`, "of a field that is spelled almost so, nothing is taken")
	assert.Equal(t, 7, taken.Objects, "what was added is not the user's")
	assert.Len(t, taken.Skipped, 3, "a kind and a version that the release does not serve, and metadata that are none")
	assert.Equal(t, []string{"ConfigMap odd", "apps/v1beta1 Deployment", "example.com/v1 Unknown"}, taken.NotRead)
	assert.Equal(t, 3, taken.NotTaken)
}

// TestKindsWithoutSource: of a release whose source is not at hand, the resources that keep an older name
// in their keys are stored where its servers look for them.
func TestKindsWithoutSource(t *testing.T) {
	r := published.Release{Resources: []published.Resource{
		{APIVersion: "v1", Kind: "Service", Plural: "services", Namespaced: true}, {APIVersion: "v1", Kind: "Node", Plural: "nodes"}, {APIVersion: "v1", Kind: "Secret", Plural: "secrets", Namespaced: true},
		{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Plural: "ingresses", Namespaced: true},
	}}
	prefixes := map[string]string{}
	for name, k := range kindsOfStubs(r, nil) {
		prefixes[name] = k.prefix
	}
	assert.Equal(t, map[string]string{" Service": "services/specs", " Node": "minions", " Secret": "secrets", "networking.k8s.io Ingress": "ingress"}, prefixes)
}

// TestRevisionIn: an object that a server has stored is taken, whatever its status is.
func TestRevisionIn(t *testing.T) {
	for _, status := range []string{`"Active"`, `{"conditions":{"Ready":"True"}}`, `{"conditions":[{"type":"Ready","status":true}]}`, `{}`} {
		assert.EqualValues(t, 7, revisionIn([]byte(`{"metadata":{"resourceVersion":"7"},"status":`+status+`}`)), status)
	}
	assert.Zero(t, revisionIn([]byte(`{"metadata":{}}`)))
}
