package play

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestStored: the addresses that API servers keep for each other are no objects of the user. A key that is not UTF-8 is
// that of the record which was read of it: nobody has deleted it.
func TestStored(t *testing.T) {
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer store.Close()
	const odd = Prefix + "configmaps/n/latin-\xe9\xe8"
	for _, key := range []string{Prefix + "masterleases/10.0.0.1", Prefix + "peerserverleases/a", Prefix + "services/endpoints/n/a", odd} {
		require.NoError(t, store.Put(t.Context(), key, []byte(`{"apiVersion":"v1","kind":"Endpoints"}`)))
	}
	h := newHop(&session{seal: snapshot.NewSeal()}, servers.Build{Version: "old"}, servers.Build{Version: "new"}, t.TempDir())
	before, err := h.unstarted(t.Context(), store, h.judged.Excluded)
	require.NoError(t, err)
	assert.Len(t, before, 2)
	file := filepath.Join(t.TempDir(), "base")
	require.NoError(t, reading.Keep(file, []reading.Record{{Key: odd}, {Key: Prefix + "services/endpoints/n/a"}}))
	require.NoError(t, h.collected(before, taken{file: file}, h.forms(term.Old)))
	assert.Empty(t, h.gone)
}

// TestDeleted: what servers delete when they start is named, with the controller that does so; what they
// write, or leave, is not.
func TestDeleted(t *testing.T) {
	h := newHop(&session{}, servers.Build{Version: "old"}, servers.Build{Version: "new"}, t.TempDir())
	kept := func(name string, records ...reading.Record) taken {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, reading.Keep(file, records))
		return taken{role: term.Old, phase: name, file: file}
	}
	const lease, custom, stays = "/registry/leases/kube-system/gone", "/registry/a.example.com/things/n/gone", "/registry/configmaps/n/stays"
	before := unstarted{lease: {"coordination.k8s.io/v1", "Lease"}, custom: {"a.example.com/v1", "Thing"}, stays: {"v1", "ConfigMap"}}
	there := reading.Record{Key: stays, APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: "stays"}
	late := reading.Record{Key: custom, APIVersion: "a.example.com/v1", Kind: "Thing", Namespace: "n", Name: "gone"}
	base := kept("base", late, there)
	require.NoError(t, h.collected(before, base, h.forms(term.Old)))
	require.NoError(t, h.each(base, kept("later", there), func(a, b preflight.Seen) error { return nil }))
	for i := range h.gone {
		h.gone[i].By = map[bool]string{true: "named"}[h.gone[i].By != ""]
	}
	assert.Equal(t, []preflight.Deleted{
		{Group: "coordination.k8s.io", Kind: "Lease", Namespace: "kube-system", Name: "gone", Phase: "base", By: "named"},
		{Group: "a.example.com", Kind: "Thing", Namespace: "n", Name: "gone", Phase: "later", By: "named"},
	}, h.gone)
}

// TestDeletedInOrder: two preflights of one store list what servers deleted, and what was not taken, in the same order.
func TestDeletedInOrder(t *testing.T) {
	h := newHop(&session{}, servers.Build{Version: "old"}, servers.Build{Version: "new"}, t.TempDir())
	before, left, took := unstarted{}, map[string]int{}, Taken{}
	for i := range 30 {
		name := fmt.Sprintf("object-%02d", i)
		before["/registry/leases/n/"+name] = storedAs{"coordination.k8s.io/v1", "Lease"}
		left["v1 "+name+": v1.36.3 does not serve the kind"] = 1
	}
	require.NoError(t, h.collected(before, taken{file: recorded(t)}, h.forms(term.Old)))
	took.leave(left)
	require.Len(t, h.gone, len(before))
	assert.True(t, slices.IsSortedFunc(h.gone, func(a, b preflight.Deleted) int { return strings.Compare(a.Name, b.Name) }))
	assert.Len(t, took.NotRead, len(left))
	assert.IsIncreasing(t, took.NotRead)
}
