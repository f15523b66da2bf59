package builder

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// TestOwnClients: the reference server's own executable is its clients; nothing is built,
// nor looked for in the cache.
func TestOwnClients(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", "/dev/null/nowhere")
	b := New(Config{})
	frobber := servers.Build{Reference: "frobber@1.1+required", Component: "frobber", Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: servers.File{Digest: "0a", Size: 1}}
	clients, ok, err := b.TypedClientOf(t.Context(), frobber, "")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, typedclient.Build{
		Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: frobber.File, Args: []string{"clients", "--release", "1.1+required"},
	}, clients)
	for _, reference := range []string{"kube-apiserver@v1.36.3", "path:./frobber-apiserver"} {
		frobber.Reference = reference
		_, ok, err := b.TypedClientOf(t.Context(), frobber, "")
		assert.False(t, ok, reference)
		assert.Error(t, err, "there is no cache")
	}
}

// TestNoClients: what is not in Kubernetes has no types in its client-go.
func TestNoClients(t *testing.T) {
	b := New(Config{})
	for _, build := range []servers.Build{{Installs: &servers.Installation{}}, {Aggregated: &servers.Aggregation{}}} {
		_, ok, err := b.TypedClientOf(t.Context(), build, "")
		assert.NoError(t, err)
		assert.False(t, ok)
	}
}

// TestKubernetesNoClientGo: a build between two releases has clients that nobody published.
func TestKubernetesNoClientGo(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes) // asks the module proxy
	_, _, err := New(Config{}).TypedClientOf(t.Context(), servers.Build{Reference: "path:x", Version: "v1.36.0-alpha.1.17+0123456789abcd-dirty"}, "")
	assert.True(t, fault.Is(err, fault.User), err)
}
