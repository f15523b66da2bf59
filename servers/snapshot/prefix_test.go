package snapshot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/server/v3/storage/mvcc"

	"github.com/skewsim/skewsim/servers/fault"
)

func withKeys(keys ...string) *Snapshot {
	s := &Snapshot{Path: "x.db"}
	for _, key := range keys {
		s.index = append(s.index, entry{key, mvcc.Revision{Main: 2}})
	}
	return s
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		asked string
		keys  []string
		want  []string
		words string
	}{
		{"", []string{"/registry/pods/a/b"}, []string{"/registry"}, ""},
		{"", []string{"/bootstrap/1", "/registry/pods/a/b", "compact_rev_key"}, []string{"/registry"}, ""},
		{"", []string{"/kubernetes.io/pods/a/b", "/openshift.io/routes/a/b"}, []string{"/kubernetes.io", "/openshift.io"}, ""},
		{"", []string{"/kubernetes.io/pods/a/b"}, []string{"/kubernetes.io"}, ""},
		{"", []string{"/kubernetes.io/pods/a/b", "/registry/pods/a/b"}, nil, "it has keys of two clusters"},
		{"", []string{"/registry-a/pods/a/b", "/registry0"}, nil, `it has no keys of Kubernetes: none begins with /registry/, /kubernetes.io/ or /openshift.io/; its keys begin with "/registry-a", "/registry0"`},
		{"", []string{"/bootstrap/secret-name", "a-very-long-name-which-is-not-shown-as-a-whole/x"}, nil, `"/bootstrap", "a-very-long-name-which-is-not-shown-as-a..."`},
		{"/registry-a", []string{"/registry-a/pods/a/b", "/registry/x/y"}, []string{"/registry-a"}, ""},
		{"team/a/", []string{"/team/a/pods/a/b", "/team/b/x/y"}, []string{"/team/a"}, ""},
		{"/team", []string{"/registry/x", "/teams/x"}, nil, `prefix "/team": no key begins with /team/; its keys begin with "/registry", "/teams"`},
		{"/", []string{"/registry/x"}, nil, "names no prefix"},
		{"/bootstrap", []string{"/bootstrap/x"}, nil, "credentials"},
		{"/bootstrap/x/", []string{"/bootstrap/x/y"}, nil, "credentials"},
		{"/bootstraps", []string{"/bootstraps/x"}, []string{"/bootstraps"}, ""},
	} {
		s := withKeys(c.keys...)
		err := s.Select(c.asked)
		assert.Equal(t, c.want, s.Prefixes(), "%v", c.keys)
		if c.words == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, c.words)
		assert.ErrorContains(t, err, "snapshot x.db: ")
		assert.True(t, fault.Is(err, fault.User))
		assert.NotContains(t, err.Error(), "secret-name")
	}
}

func TestListed(t *testing.T) {
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("/%02d", i))
	}
	assert.Equal(t, `"/00", "/01", "/02", "/03", "/04", "/05", "/06", "/07", "/08", "/09" and 2 more`, listed(names))
	assert.Equal(t, `"/00"`, listed(names[:1]))
}

func TestParseKey(t *testing.T) {
	for key, want := range map[string][4]string{
		"/registry/secrets/ns/name":                                                    {"", "secrets", "ns", "name"},
		"/registry/example.com/widgets/ns/name":                                        {"example.com", "widgets", "ns", "name"},
		"/registry/example.com/widgets/name":                                           {"example.com", "widgets", "", "name"},
		"/registry/services/specs/ns/name":                                             {"", "services", "ns", "name"},
		"/registry/services/endpoints/ns/name":                                         {"", "endpoints", "ns", "name"},
		"/registry/minions/name":                                                       {"", "nodes", "", "name"},
		"/registry/controllers/ns/name":                                                {"", "replicationcontrollers", "ns", "name"},
		"/registry/ingress/ns/name":                                                    {"networking.k8s.io", "ingresses", "ns", "name"},
		"/registry/networkpolicies/ns/name":                                            {"networking.k8s.io", "networkpolicies", "ns", "name"},
		"/registry/deployments/ns/name":                                                {"apps", "deployments", "ns", "name"},
		"/registry/daemonsets/ns/name":                                                 {"apps", "daemonsets", "ns", "name"},
		"/registry/cronjobs/ns/name":                                                   {"batch", "cronjobs", "ns", "name"},
		"/registry/events/ns/name.17a":                                                 {"", "events", "ns", "name.17a"},
		"/registry/endpointslices/ns/name":                                             {"discovery.k8s.io", "endpointslices", "ns", "name"},
		"/registry/leases/kube-node-lease/node":                                        {"coordination.k8s.io", "leases", "kube-node-lease", "node"},
		"/registry/clusterroles/system:node":                                           {"rbac.authorization.k8s.io", "clusterroles", "", "system:node"},
		"/registry/poddisruptionbudgets/ns/name":                                       {"policy", "poddisruptionbudgets", "ns", "name"},
		"/registry/namespaces/default":                                                 {"", "namespaces", "", "default"},
		"/registry/apiregistration.k8s.io/apiservices/v1.":                             {"apiregistration.k8s.io", "apiservices", "", "v1."},
		"/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com": {"apiextensions.k8s.io", "customresourcedefinitions", "", "widgets.example.com"},
		"/registry/unknown/ns/name":                                                    {"", "unknown", "ns", "name"},
		"/registry/health":                                                             {"", "health", "", ""},
		"/registry/":                                                                   {},
		"/registryx/secrets/ns/name":                                                   {},
		"compact_rev_key":                                                              {},
	} {
		group, resource, namespace, name := ParseKey("/registry", key)
		assert.Equal(t, want, [4]string{group, resource, namespace, name}, key)
	}
	_, resource, _, name := ParseKey("/kubernetes.io/", "/kubernetes.io/minions/a")
	require.Equal(t, "nodes a", resource+" "+name)
}
