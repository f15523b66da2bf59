package snapshot

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestSnapshot: encrypted values of a real snapshot are read with the keys of a configuration,
// and the others are named by their keys of etcd.
func TestSnapshot(t *testing.T) {
	server, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	const kubeadm = "/registry/configmaps/kube-system/kubeadm-config"
	config := `{"apiVersion":"v1","kind":"ConfigMap","data":{"ClusterConfiguration":"kubernetesVersion: v1.36.2"}}`
	for key, value := range map[string][]byte{
		path: sealedBy(t, "aesgcm", "key1", "a", path, "{}"), kubeadm: sealedBy(t, "secretbox", "key1", "a", kubeadm, config),
		"/registry/secrets/ns/kms": []byte("k8s:enc:kms:v2:vault:x"), "/registry/pods/ns/plain": []byte("{}"),
	} {
		require.NoError(t, server.Put(t.Context(), key, value))
	}
	client, err := server.Client()
	require.NoError(t, err)
	defer client.Close()
	stream, err := client.Snapshot(t.Context())
	require.NoError(t, err)
	content, err := io.ReadAll(stream)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "snapshot.db")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	s, err := Open(t.Context(), file, t.TempDir())
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Select(""))

	keys := loaded(t, configuration("secretbox", "key1", "a"))
	keys.all = append(keys.all, loaded(t, configuration("aesgcm", "key1", "a")).all...)
	plain, lacks := map[string]string{}, map[string]string{}
	require.NoError(t, s.Values(t.Context(), func(key string, value []byte, _ int64) error {
		content, missing, err := keys.Decrypt(t.Context(), key, value)
		if missing != nil {
			_, resource, namespace, name := ParseKey("/registry", key)
			lacks[resource+" "+namespace+" "+name] = missing.String()
		} else {
			plain[key] = string(content)
		}
		return err
	}))
	assert.Equal(t, map[string]string{path: "{}", kubeadm: config, "/registry/pods/ns/plain": "{}"}, plain)
	assert.Equal(t, map[string]string{"secrets ns kms": `the KMS v2 plugin "vault"`}, lacks)
	guess, err := s.Guess(t.Context(), func(ctx context.Context, key string, value []byte) ([]byte, bool) {
		content, missing, err := keys.Decrypt(ctx, key, value)
		return content, missing == nil && err == nil
	})
	require.NoError(t, err)
	assert.Equal(t, "v1.36.2", guess.Release)
}
