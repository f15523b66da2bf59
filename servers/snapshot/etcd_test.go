package snapshot

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/etcd"
)

// valueOf is what etcd answers for a key.
type valueOf struct {
	content  string
	revision int64
}

// taken is an etcd after its end: a file of etcdctl snapshot save, a copy of member/snap/db, and
// what etcd itself answered.
type taken struct {
	saved, database []byte
	values          map[string]valueOf
	keys            []string
}

// take fills an etcd and takes a snapshot of it as etcdctl does.
func take(t testing.TB, fill func(*clientv3.Client)) (s taken) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "etcd")
	server, err := etcd.Start(t.Context(), etcd.Config{Dir: dir})
	require.NoError(t, err)
	client, err := server.Client()
	require.NoError(t, err)
	fill(client)
	all, err := client.Get(t.Context(), "\x00", clientv3.WithFromKey())
	require.NoError(t, err)
	s.values = map[string]valueOf{}
	for _, kv := range all.Kvs {
		s.keys = append(s.keys, string(kv.Key))
		s.values[string(kv.Key)] = valueOf{string(kv.Value), kv.ModRevision}
	}
	stream, err := client.Snapshot(t.Context())
	require.NoError(t, err)
	s.saved, err = io.ReadAll(stream)
	require.NoError(t, err)
	require.NoError(t, client.Close())
	require.NoError(t, server.Close())
	s.database, err = os.ReadFile(filepath.Join(dir, "data", "member", "snap", "db"))
	require.NoError(t, err)
	return s
}

func put(t testing.TB, c *clientv3.Client, key, value string, options ...clientv3.OpOption) int64 {
	t.Helper()
	r, err := c.Put(t.Context(), key, value, options...)
	require.NoError(t, err)
	return r.Header.Revision
}

func remove(t testing.TB, c *clientv3.Client, key string) {
	t.Helper()
	_, err := c.Delete(t.Context(), key)
	require.NoError(t, err)
}

// few is a small cluster.
func few(t testing.TB) taken {
	return take(t, func(c *clientv3.Client) {
		for i := range 40 {
			put(t, c, fmt.Sprintf("/registry/configmaps/default/%d", i), "{}")
		}
	})
}

// written writes a file, read-only.
func written(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o400))
	return path
}

func zipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// opened opens content as a file.
func opened(t testing.TB, content []byte) *Snapshot {
	t.Helper()
	s, err := Open(t.Context(), written(t, "snapshot.db", content), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// all returns what Values returns, and the keys in its order.
func (s *Snapshot) all(ctx context.Context) (values map[string]valueOf, keys []string, err error) {
	values = map[string]valueOf{}
	err = s.Values(ctx, func(key string, content []byte, revision int64) error {
		keys = append(keys, key)
		values[key] = valueOf{string(content), revision}
		return nil
	})
	return values, keys, err
}
