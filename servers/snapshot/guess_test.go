package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// stores encodes an object as a kube-apiserver stores it.
func stores(t *testing.T, object runtime.Object, kind string, asJSON bool) string {
	scheme := runtime.NewScheme()
	require.NoError(t, corev1.AddToScheme(scheme))
	object.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind))
	encoder := runtime.Encoder(protobuf.NewSerializer(scheme, scheme))
	if asJSON {
		encoder = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{})
	}
	var b bytes.Buffer
	require.NoError(t, encoder.Encode(object, &b))
	return b.String()
}

func node(t *testing.T, name, version string, asJSON bool) string {
	n := &corev1.Node{}
	n.Name, n.Status.NodeInfo.KubeletVersion = name, version
	return stores(t, n, "Node", asJSON)
}

func kubeadm(t *testing.T, version string) string {
	return stores(t, &corev1.ConfigMap{Data: map[string]string{"ClusterConfiguration": "kind: ClusterConfiguration\nkubernetesVersion: " + version + "\n"}}, "ConfigMap", false)
}

// TestGuess: kubeadm's release comes first, then the newest kubelet's. What cannot be read says
// nothing.
func TestGuess(t *testing.T) {
	const config, minions = "/registry" + kubeadmConfig, "/registry/minions/"
	for name, c := range map[string]struct {
		stored map[string]string
		want   Guess
	}{
		"nothing":     {map[string]string{"/registry/x/y": "{}"}, Guess{}},
		"kubeadm":     {map[string]string{config: kubeadm(t, "v1.36.2"), minions + "a": node(t, "a", "v1.37.0", false)}, Guess{"v1.36.2", "kubernetesVersion v1.36.2 in the ConfigMap kubeadm-config of kube-system"}},
		"no release":  {map[string]string{config: kubeadm(t, "stable"), minions + "a": node(t, "a", "v1.35.0+k3s1", true)}, Guess{"v1.35.0", "kubeletVersion v1.35.0+k3s1 of Node a, the newest of 1; kube-apiserver may be newer"}},
		"like it":     {map[string]string{config + "-old": kubeadm(t, "v1.36.2")}, Guess{}},
		"kubelets":    {map[string]string{minions + "a": node(t, "a", "v1.36.9", false), minions + "b": node(t, "b", "v1.36.10-eks-1a2b", false), minions + "c": node(t, "c", "", false)}, Guess{"v1.36.10", "kubeletVersion v1.36.10-eks-1a2b of Node b, the newest of 3; kube-apiserver may be newer"}},
		"unreadable":  {map[string]string{config: "k8s:enc:aescbc:v1:a:x", minions + "a": "k8s\x00garbage"}, Guess{}},
		"no YAML":     {map[string]string{config: kubeadm(t, "{")}, Guess{}},
		"other kind":  {map[string]string{config: node(t, "a", "v1.36.2", false), minions + "a": kubeadm(t, "v1.36.2")}, Guess{}},
		"a candidate": {map[string]string{config: kubeadm(t, "v1.37.0-rc.1")}, Guess{"v1.37.0-rc.1", "kubernetesVersion v1.37.0-rc.1 in the ConfigMap kubeadm-config of kube-system"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, take(t, func(c2 *clientv3.Client) {
				for key, value := range c.stored {
					put(t, c2, key, value)
				}
			}).saved)
			require.NoError(t, s.Select(""))
			got, err := s.Guess(t.Context(), nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

// TestGuessDecrypts: an encrypted object is read if the caller can decrypt it.
func TestGuessDecrypts(t *testing.T) {
	const key = "/registry" + kubeadmConfig
	s := opened(t, take(t, func(c *clientv3.Client) { put(t, c, key, "encrypted") }).saved)
	require.NoError(t, s.Select(""))
	for _, readable := range []bool{true, false} {
		got, err := s.Guess(t.Context(), func(_ context.Context, path string, value []byte) ([]byte, bool) {
			assert.Equal(t, key+" encrypted", fmt.Sprintf("%s %s", path, value))
			return []byte(kubeadm(t, "v1.36.2")), readable
		})
		require.NoError(t, err)
		assert.Equal(t, readable, got.Release == "v1.36.2")
	}
}
