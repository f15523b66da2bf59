package play

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/snapshot"
)

// TestSnapshot: what was encrypted in a snapshot is encrypted in the copy with another key; what no
// key reads is named with the provider and the key; all else is the same bytes.
func TestSnapshot(t *testing.T) {
	theirs, ours := snapshot.NewSeal(), snapshot.NewSeal()
	const at = "/registry/secrets/ns/sealed"
	value, err := theirs.Encrypt(t.Context(), "secrets", at, []byte(`{"apiVersion":"v1","kind":"Secret","data":"s3cr3t"}`))
	require.NoError(t, err)
	s := takenIn(t, map[string]string{
		at: string(value), "/registry/configmaps/ns/plain": `{"kind":"ConfigMap"}`,
		"/registry/secrets/ns/keyless": "k8s:enc:aescbc:v1:gone:xyz", "/registry/a.k8s.io/widgets/ns/kms": "k8s:enc:kms:v2:vault:xyz",
	})
	config := filepath.Join(t.TempDir(), "encryption.yaml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - secretbox: {keys: [{name: %s, secret: %s}]}\n",
		theirs.Encryption().Key, base64.StdEncoding.EncodeToString(servers.EncryptionKey([]byte(theirs.Seed), theirs.Encryption().Key))), 0o600))
	keys, err := snapshot.LoadKeys(config)
	require.NoError(t, err)
	stored := map[string]string{}
	got, err := Snapshot{Snapshot: s, Keys: keys}.Fill(t.Context(), Copy{Seal: ours, Put: func(_ context.Context, keys []string, values [][]byte) error {
		for i, k := range keys {
			stored[k] = string(values[i])
		}
		return nil
	}})
	require.NoError(t, err)
	require.Len(t, stored, 2)
	assert.Equal(t, `{"kind":"ConfigMap"}`, stored["/registry/configmaps/ns/plain"])
	assert.NotContains(t, stored[at], "s3cr3t")
	plain, err := ours.Open(t.Context(), at, []byte(stored[at]))
	require.NoError(t, err)
	assert.Contains(t, string(plain), "s3cr3t")
	assert.Equal(t, []string{"secrets"}, ours.Encryption().Resources)
	assert.ElementsMatch(t, []Unread{
		{Resource: "secrets", Namespace: "ns", Name: "keyless", Lacks: `the aescbc key "gone"`, Configured: true},
		{Group: "a.k8s.io", Resource: "widgets", Namespace: "ns", Name: "kms", Lacks: `the KMS v2 plugin "vault"`},
	}, got.Unread)
}

// TestEmptyValue: a value without bytes is taken, as any other that is no object; what must not stand in the copy is not.
func TestEmptyValue(t *testing.T) {
	s := takenIn(t, map[string]string{
		"/registry/configmaps/ns/empty": "", "/registry/configmaps/ns/garbled": "x",
		"/registry/mutatingwebhookconfigurations/out": `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration"}`,
	})
	stored := map[string]string{}
	got, err := Snapshot{Snapshot: s}.Fill(t.Context(), Copy{Seal: snapshot.NewSeal(), Put: func(_ context.Context, keys []string, values [][]byte) error {
		for i, k := range keys {
			stored[k] = string(values[i])
		}
		return nil
	}})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"/registry/configmaps/ns/empty": "", "/registry/configmaps/ns/garbled": "x"}, stored)
	assert.Equal(t, 2, got.Objects)
	assert.Len(t, got.Removed, 1)
}

// takenIn returns a snapshot of values.
func takenIn(t *testing.T, values map[string]string) *snapshot.Snapshot {
	t.Helper()
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer store.Close()
	for key, v := range values {
		require.NoError(t, store.Put(t.Context(), key, []byte(v)))
	}
	client, err := store.Client()
	require.NoError(t, err)
	defer client.Close()
	from, err := client.Snapshot(t.Context())
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "snapshot.db")
	f, err := os.Create(name)
	require.NoError(t, err)
	_, err = io.Copy(f, from)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	s, err := snapshot.Open(t.Context(), name, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	require.NoError(t, s.Select(""))
	return s
}

// TestOtherSecret: a value whose key has the name of one of the configuration and another secret, as all keys of k3s have
// one name, is unread, and the rest is taken.
func TestOtherSecret(t *testing.T) {
	theirs := snapshot.NewSeal()
	const at = "/registry/secrets/ns/sealed"
	value, err := theirs.Encrypt(t.Context(), "secrets", at, []byte(`{"apiVersion":"v1","kind":"Secret"}`))
	require.NoError(t, err)
	s := takenIn(t, map[string]string{at: string(value), "/registry/configmaps/ns/plain": `{"kind":"ConfigMap"}`})
	config := filepath.Join(t.TempDir(), "encryption.json")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration","resources":[{"resources":["secrets"],"providers":[{"secretbox":{"keys":[{"name":%q,"secret":%q}]}}]}]}`,
		theirs.Encryption().Key, base64.StdEncoding.EncodeToString([]byte("another secret of 32 bytes, fine"))), 0o600))
	keys, err := snapshot.LoadKeys(config)
	require.NoError(t, err)
	got, err := Snapshot{Snapshot: s, Keys: keys}.Fill(t.Context(), Copy{Seal: snapshot.NewSeal(), Put: func(context.Context, []string, [][]byte) error { return nil }})
	require.NoError(t, err)
	assert.Equal(t, 1, got.Objects)
	require.Len(t, got.Unread, 1)
	assert.Equal(t, "sealed", got.Unread[0].Name)
	assert.False(t, got.Unread[0].Configured, "the configuration of the cluster may have the secret")
	assert.Contains(t, got.Unread[0].Lacks, "another secret")
}
