package snapshot

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skewsim/skewsim/servers/fault"
)

// raftSnapshot is a file of member/snap/*.snap.
func raftSnapshot(data string, wrong uint32) []byte {
	crc := crc32.Checksum([]byte(data), crc32.MakeTable(crc32.Castagnoli)) + wrong
	b := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(crc))
	return protowire.AppendBytes(protowire.AppendTag(b, 2, protowire.BytesType), []byte(data))
}

// other is a bbolt database of another program.
func other(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "meta.db")
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("v1"))
		return err
	}))
	require.NoError(t, db.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

// archive returns a zip file whose files have a content.
func archive(t *testing.T, content []byte, names ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.True(t, bytes.HasPrefix(b.Bytes(), []byte("PK\x05\x06")) || bytes.HasPrefix(b.Bytes(), []byte("PK\x03\x04")))
	return b.Bytes()
}

// TestForeign: what is not a snapshot of a cluster is refused with what it is.
func TestForeign(t *testing.T) {
	tar := make([]byte, 1024)
	copy(tar[257:], "ustar")
	unused := take(t, func(*clientv3.Client) {}).saved
	deleted := take(t, func(c *clientv3.Client) {
		put(t, c, "/registry/a", "a")
		remove(t, c, "/registry/a")
	}).saved
	for name, c := range map[string]struct {
		content []byte
		words   string
	}{
		"empty":            {nil, "the file is empty"},
		"empty, gzip":      {zipped(t, nil), "the file is empty"},
		"empty, zip":       {archive(t, nil, "snapshot.db"), "the file is empty"},
		"text, zip":        {archive(t, []byte("hello\n"), "snapshot.db"), "it is not an etcd database"},
		"two in a zip":     {archive(t, few(t).saved, "a.db", "b.db"), "the zip file has 2 files: unpack it"},
		"zip in gzip":      {zipped(t, archive(t, nil, "snapshot.db")), "but a zip archive"},
		"tar, gzip":        {zipped(t, tar), "but a tar archive"},
		"gzip in gzip":     {zipped(t, zipped(t, few(t).saved)), "but a gzip file in another"},
		"JSON":             {[]byte(`{"kvs": []}`), "but JSON"},
		"SQLite":           {[]byte("SQLite format 3\x00..."), "k3s"},
		"text":             {[]byte("hello\n"), "it is not an etcd database: name a file of etcdctl snapshot save"},
		"long text":        {[]byte(strings.Repeat("hello\n", 100_000)), "it is not an etcd database"},
		"other database":   {other(t), `of another program: it has no bucket "key", only "v1"`},
		"v2 snapshot":      {raftSnapshot(`{"Root": {}}`, 0), "a raft snapshot of etcd"},
		"long v2 snapshot": {raftSnapshot(strings.Repeat("{", 100_000), 0), "a raft snapshot of etcd"},
		"like v2":          {raftSnapshot(`{"Root": {}}`, 1), "it is not an etcd database: name"},
		"v2 only":          {unused, "it has no keys: etcd has stored nothing with the v3 API"},
		"all deleted":      {deleted, "it has no keys: its 2 revisions have all been deleted since"},
	} {
		t.Run(name, func(t *testing.T) {
			scratch := t.TempDir()
			path := written(t, "snapshot.db", c.content)
			_, err := Open(t.Context(), path, scratch)
			require.ErrorContains(t, err, c.words)
			assert.ErrorContains(t, err, "snapshot "+path+": ")
			assert.True(t, fault.Is(err, fault.User))
			left, err := os.ReadDir(scratch)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// TestZip: the snapshot in a zip file, as k3s writes one, is read as it is.
func TestZip(t *testing.T) {
	content := few(t).saved
	zipFile := archive(t, content, "etcd-snapshot-node-1795000000")
	plain, packed := opened(t, content), opened(t, zipFile)
	assert.Equal(t, plain.Len(), packed.Len())
	assert.True(t, packed.Compressed)
	assert.Empty(t, packed.Unverified)
	assert.NotEqual(t, plain.Digest, packed.Digest, "it is that of the file")
	_, err := open(t.Context(), written(t, "x", zipFile), t.TempDir(), room{1, func(string) (int64, bool) { return int64(len(content)) - 1, true }})
	assert.ErrorContains(t, err, "MiB are available", "the space is that of the content")
}
