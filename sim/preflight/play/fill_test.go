package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestOfServers: what is stored after the last object of the source is a server's, also in a copy of the
// store that the next hop plays; an object of the source that a server writes once more is not.
func TestOfServers(t *testing.T) {
	dir := t.TempDir()
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: dir})
	require.NoError(t, err)
	put := func(key, value string) { require.NoError(t, store.Put(t.Context(), Prefix+key, []byte(value))) }
	put("own", "1")
	s := &session{}
	s.lastTaken, err = etcd.ContentsOf(store).Revision(t.Context())
	require.NoError(t, err)
	put("server", "1")
	put("own", "2")
	require.NoError(t, store.Close())

	next, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir(), From: dir})
	require.NoError(t, err)
	defer next.Close()
	var all []string
	require.NoError(t, s.ofServers(t.Context(), next, func(key string) { all = append(all, key) }))
	assert.Equal(t, []string{Prefix + "server"}, all)
}
