package session

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

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
