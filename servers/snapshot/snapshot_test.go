package snapshot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/fault"
)

// history writes everything that a cluster's etcd may have: many pages, values of several
// pages, changed, deleted and created again, transactions, leases, another prefix.
func history(t *testing.T, compact bool) func(*clientv3.Client) {
	return func(c *clientv3.Client) {
		ctx := t.Context()
		for i := range 600 {
			put(t, c, fmt.Sprintf("/registry/configmaps/ns%d/%d", i%7, i), fmt.Sprint("first ", i, strings.Repeat("x", i)))
		}
		for i := 0; i < 600; i += 3 {
			put(t, c, fmt.Sprintf("/registry/configmaps/ns%d/%d", i%7, i), fmt.Sprint("second ", i))
		}
		put(t, c, "/registry/secrets/ns/large", strings.Repeat("0123456789", 100_000))
		put(t, c, "/registry/secrets/ns/empty", "")
		for i := 0; i < 600; i += 5 {
			remove(t, c, fmt.Sprintf("/registry/configmaps/ns%d/%d", i%7, i))
		}
		put(t, c, "/registry/configmaps/ns1/15", "created again")
		lease, err := c.Grant(ctx, 600)
		require.NoError(t, err)
		put(t, c, "/registry/events/ns/leased", "e", clientv3.WithLease(lease.ID))
		revoked, err := c.Grant(ctx, 600)
		require.NoError(t, err)
		put(t, c, "/registry/events/ns/revoked", "e", clientv3.WithLease(revoked.ID))
		_, err = c.Revoke(ctx, revoked.ID)
		require.NoError(t, err)
		_, err = c.Txn(ctx).Then(clientv3.OpPut("/registry/a", "1"), clientv3.OpPut("/registry/b", "2"), clientv3.OpDelete("/registry/configmaps/ns1/1")).Commit()
		require.NoError(t, err)
		_, err = c.Txn(ctx).Then(clientv3.OpDelete("/registry/b"), clientv3.OpPut("/registry/c", "3")).Commit()
		require.NoError(t, err)
		put(t, c, "/bootstrap/0123", "credentials")
		put(t, c, "compact_rev_key", "7")
		last := put(t, c, "/registryx/other", "o")
		if compact {
			_, err = c.Compact(ctx, last-20, clientv3.WithCompactPhysical())
			require.NoError(t, err)
		}
		put(t, c, "/registry/last", "l")
		remove(t, c, "/registry/a")
	}
}

// TestValues: every form of a file has the values that etcd answers, before and after a
// compaction.
func TestValues(t *testing.T) {
	for _, compact := range []bool{false, true} {
		etcd := take(t, history(t, compact))
		for key := range etcd.values {
			if !strings.HasPrefix(key, "/registry/") {
				delete(etcd.values, key)
			}
		}
		require.Greater(t, len(etcd.values), 400)
		for name, c := range map[string]struct {
			content            []byte
			verified, zippedIn bool
		}{
			"saved":          {etcd.saved, true, false},
			"saved.txt":      {zipped(t, etcd.saved), true, true},
			"without a hash": {etcd.saved[:len(etcd.saved)-hashBytes], false, false},
			"db":             {etcd.database, false, false},
			"db.zip":         {zipped(t, etcd.database), false, true},
		} {
			t.Run(fmt.Sprintf("%s, compacted %t", name, compact), func(t *testing.T) {
				s := opened(t, c.content)
				require.NoError(t, s.Select(""))
				assert.Equal(t, []string{"/registry"}, s.Prefixes())
				got, keys, err := s.all(t.Context())
				require.NoError(t, err)
				assert.True(t, assert.ObjectsAreEqual(etcd.values, got), "%d values, and etcd has %d", len(got), len(etcd.values))
				assert.IsIncreasing(t, keys)
				assert.Equal(t, c.verified, s.Unverified == "")
				assert.Equal(t, c.zippedIn, s.Compressed)
				assert.Equal(t, got["/registry/last"].revision+1, s.Revision)
				assert.Equal(t, len(etcd.keys), s.Len())
			})
		}
	}
}

// TestSourceIsUntouched: the source stays as it was, the copy is private, and Close removes it.
func TestSourceIsUntouched(t *testing.T) {
	content := few(t).saved
	path := written(t, "snapshot.db", content)
	before, err := os.Stat(path)
	require.NoError(t, err)
	scratch := filepath.Join(t.TempDir(), "new")
	s, err := Open(t.Context(), path, scratch)
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprintf("%x", sha256.Sum256(content)), s.Digest)
	assert.EqualValues(t, len(content), s.Size)
	copied, err := os.Stat(s.copy)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), copied.Mode())
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "a second time")
	left, err := os.ReadDir(scratch)
	require.NoError(t, err)
	assert.Empty(t, left)
	after, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime())
	digest, err := DigestOf(t.Context(), path)
	require.NoError(t, err)
	assert.Equal(t, s.Digest, digest)
	beside, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, beside, 1, "no lock file")
}

// TestCallersFunction: what the caller's function returns comes back as it is, and its panic is
// not taken for damage.
func TestCallersFunction(t *testing.T) {
	s := opened(t, few(t).saved)
	none := func(string, []byte, int64) error { return nil }
	assert.ErrorContains(t, s.Values(t.Context(), none), "before Select")
	require.NoError(t, s.Select(""))
	mine := errors.New("mine")
	assert.Equal(t, mine, s.Values(t.Context(), func(string, []byte, int64) error { return mine }))
	assert.PanicsWithValue(t, "mine", func() {
		_ = s.Values(t.Context(), func(string, []byte, int64) error { panic("mine") })
	})
	require.NoError(t, s.Values(t.Context(), func(_ string, value []byte, _ int64) error {
		value[0] = 'x' // it is the callee's
		return nil
	}))
	got, _, err := s.all(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "{}", got["/registry/configmaps/default/1"].content)
}

func TestCanceled(t *testing.T) {
	content := few(t).saved
	s := opened(t, content)
	require.NoError(t, s.Select(""))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := s.all(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	scratch := t.TempDir()
	_, err = Open(ctx, written(t, "x", content), scratch)
	assert.ErrorIs(t, err, context.Canceled)
	left, err := os.ReadDir(scratch)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestSpace: a disk without space for the copy is an infrastructure failure, before anything is
// written; one with just enough is not.
func TestSpace(t *testing.T) {
	content := few(t).saved
	needs := int64(len(content))
	for _, c := range []struct {
		content     []byte
		times, free int64
		known       bool
		refused     bool
	}{
		{content, 1, needs - 1, true, true}, {content, 1, needs, true, false}, {content, 1, 0, false, false},
		{zipped(t, content), 1, needs - 1, true, true}, {zipped(t, content), 1, needs, true, false},
		{content, 3, 3*needs - 1, true, true}, {content, 3, 3 * needs, true, false},
	} {
		scratch := t.TempDir()
		s, err := open(t.Context(), written(t, "x", c.content), scratch, room{c.times, func(string) (int64, bool) { return c.free, c.known }})
		if !c.refused {
			require.NoError(t, err)
			require.NoError(t, s.Close())
			continue
		}
		assert.True(t, fault.Has(err, fault.DiskFull), "%v", err)
		assert.ErrorContains(t, err, "MiB are available: free space there")
		left, err := os.ReadDir(scratch)
		require.NoError(t, err)
		assert.Empty(t, left)
	}
}

// TestChangedMeanwhile: a file that is written to while it is read is refused.
func TestChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	content := few(t).database
	require.NoError(t, os.WriteFile(path, content, 0o600))
	_, err := open(t.Context(), path, t.TempDir(), room{1, func(string) (int64, bool) {
		assert.NoError(t, os.WriteFile(path, append(content, make([]byte, 4096)...), 0o600))
		return 0, false
	}})
	assert.ErrorContains(t, err, "the file changed while it was read")
}
