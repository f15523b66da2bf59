package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/etcd"
)

// TestIdle: a program is named whose kinds no definition has, as with a mistake in the name of a kind; one that converts a kind is not, whatever
// else it may convert.
func TestIdle(t *testing.T) {
	converted := map[string]bool{}
	for name := range defined(cluster.Object{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: []byte(`{"spec":{"group":"acme.test","names":{"kind":"Zone"}}}`)}) {
		converted[name] = true
	}
	require.Len(t, converted, 1)
	texts := idle([]Program{
		{Name: "a.yaml", Kinds: []string{"Zoon"}}, {Name: "b.yaml", Kinds: []string{"Zone"}}, {Name: "c.yaml", Kinds: []string{"Gadget", "Zone.acme.test"}},
		{Name: "d.yaml", Kinds: []string{"Zone.other.test"}},
	}, converted)
	require.Len(t, texts, 2)
	assert.Contains(t, texts[0], "a.yaml")
	assert.Contains(t, texts[0], "Zoon")
	assert.Contains(t, texts[1], "Zone.other.test")
	assert.Len(t, idle([]Program{{Name: "b.yaml", Kinds: []string{"Zone"}}}, nil), 1)
}

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
