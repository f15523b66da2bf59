package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestKubernetesNoClientGo: a build between two releases has clients that nobody
// published; that is told, and no reason not to run.
func TestKubernetesNoClientGo(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes) // asks the module proxy
	var told bytes.Buffer
	a := &app{err: &told}
	builds, err := a.typedBuilds(t.Context(), engine.ClientRoles{Roles: []term.Role{term.Old}}, map[term.Role]servers.Build{
		term.Old: {Reference: "path:x", Version: "v1.36.0-alpha.1.17+0123456789abcd-dirty"},
		term.New: {Reference: "path:y", Version: "v1.30.0"},
	}, a.warn)
	require.NoError(t, err)
	assert.Empty(t, builds)
	assert.Contains(t, told.String(), "the typed clients of path:x cannot be built: typed-client@v1.36.0-alpha.1.17+0123456789abcd-dirty: ")
	assert.Contains(t, told.String(), "; its published schema stands in for its types\n")
	assert.NotContains(t, told.String(), "path:y", "no client of it is in the plan")
}

// TestOwnClients: the reference server's own executable is its clients; nothing
// is built, nor looked for in the cache.
func TestOwnClients(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", "/dev/null/nowhere")
	a := &app{err: t.Output()}
	frobber := servers.Build{Reference: "frobber@1.1+required", Component: "frobber", Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: servers.File{Digest: "0a", Size: 1}}
	builds, err := a.typedBuilds(t.Context(), engine.ClientRoles{Roles: []term.Role{term.New}}, map[term.Role]servers.Build{term.New: frobber}, a.warn)
	require.NoError(t, err)
	assert.Equal(t, map[term.Role]typedclient.Build{term.New: {
		Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: frobber.File, Args: []string{"clients", "--release", "1.1+required"},
	}}, builds)
}
