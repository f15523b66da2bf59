package etcd_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestContents: more is stored than a transaction takes, read in pages at one revision while
// somebody writes, and copied into another store.
func TestContents(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "first")
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: dir})
	require.NoError(t, err)
	client, err := s.Client()
	require.NoError(t, err)
	var keys []string
	var values [][]byte
	for i := range 1200 {
		keys, values = append(keys, fmt.Sprintf("/a/%04d", i)), append(values, make([]byte, 4<<10))
	}
	keys, values = append(keys, "/a/0007", "/a/0007"), append(values, []byte("one"), []byte("two"))
	contents := etcd.ContentsOf(s)
	require.NoError(t, contents.PutAll(t.Context(), keys, values))
	read := map[string]string{}
	revision, err := contents.Each(t.Context(), "/a/", func(key string, value []byte, _ int64) error {
		if len(read) == 0 {
			put(t, client, "/a/1199x", "late")
			put(t, client, "/a/1100", "late")
		}
		read[key] = string(value)
		return nil
	})
	require.NoError(t, err)
	assert.Len(t, read, 1200)
	assert.Equal(t, "two", read["/a/0007"])
	assert.Len(t, read["/a/1100"], 4<<10, "of a later revision")
	for key, want := range map[string]bool{"/a/1100": true, "/a/110": false, "/a/": false} {
		has, err := contents.Has(t.Context(), key)
		require.NoError(t, err)
		assert.Equal(t, want, has, key)
	}
	newest, err := contents.Revision(t.Context())
	require.NoError(t, err)
	assert.Equal(t, revision+2, newest)
	require.NoError(t, client.Close())
	require.NoError(t, s.Close())

	copied := filepath.Join(t.TempDir(), "second")
	c, err := etcd.Start(t.Context(), etcd.Config{Dir: copied, From: dir})
	require.NoError(t, err)
	defer c.Close()
	info, err := os.Stat(copied)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077, "others read the copy")
	n := 0
	_, err = etcd.ContentsOf(c).Each(t.Context(), "/a/", func(string, []byte, int64) error { n++; return nil })
	require.NoError(t, err)
	assert.Equal(t, 1201, n)
}

// TestContentsOfLargeValues: of many large values, few are in memory at once; and who ends early gets no more.
func TestContentsOfLargeValues(t *testing.T) {
	const values, size = 300, 1 << 20
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer s.Close()
	contents := etcd.ContentsOf(s)
	for i := range values {
		require.NoError(t, contents.PutAll(t.Context(), []string{fmt.Sprintf("/a/%04d", i)}, [][]byte{make([]byte, size)}))
	}
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, most, n := held(), int64(0), 0
	_, err = contents.Each(t.Context(), "/a/", func(string, []byte, int64) error {
		if n++; n%20 == 1 {
			most = max(most, held()-before)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, values, n)
	assert.Less(t, most, int64(64*size))
	enough := errors.New("enough")
	_, err = contents.Each(t.Context(), "/a/", func(string, []byte, int64) error { return enough })
	assert.Equal(t, enough, err)
	_, err = contents.Each(t.Context(), "/nothing/", func(string, []byte, int64) error { return enough })
	assert.NoError(t, err)
}
