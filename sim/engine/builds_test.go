package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestNoClientGo: a build that is no release may have typed clients that were never
// published. That is reported, and ends the run only if the scenario requires the clients
// of that release.
func TestNoClientGo(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	var told []string
	all := map[term.Role]servers.Build{term.Old: {Reference: "path:x", Version: "none"}, term.New: {Reference: "path:y", Version: "none"}}
	clients, err := made().TypedClients(t.Context(), engine.ClientRoles{Roles: []term.Role{term.Old}}, all, func(text string) { told = append(told, text) })
	require.NoError(t, err)
	assert.Empty(t, clients)
	require.Len(t, told, 1, "no client of path:y is in the plan")
	assert.Regexp(t, "^the typed clients of path:x cannot be built: typed-client@none: .*; its published schema approximates them$", told[0])
	_, err = made().TypedClients(t.Context(), engine.ClientRoles{Roles: []term.Role{term.Older}, Older: "none"}, all, nil)
	assert.True(t, fault.Is(err, fault.User), err)
}

// TestOwnClients: the reference server's own executable has its clients; nothing is built,
// or looked up in the cache.
func TestOwnClients(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", "/dev/null/nowhere")
	frobber := servers.Build{Reference: "frobber@1.1+required", Component: "frobber", Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: servers.File{Digest: "0a", Size: 1}}
	clients, err := made().TypedClients(t.Context(), engine.ClientRoles{Roles: []term.Role{term.New}}, map[term.Role]servers.Build{term.New: frobber}, func(text string) { t.Log(text) })
	require.NoError(t, err)
	assert.Equal(t, map[term.Role]typedclient.Build{term.New: {
		Version: "v1.1.0+required", Path: "/x/frobber-apiserver", Digest: "0a", File: frobber.File, Args: []string{"clients", "--release", "1.1+required"},
	}}, clients)
}

// TestForgotten: a release that forgets the new manifests replaces nothing.
func TestForgotten(t *testing.T) {
	t.Chdir(t.TempDir())
	const definition = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {
  group: example.dev, scope: %s, names: {kind: Widget, plural: widgets},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
	var refs []servers.Reference
	for folder, scope := range map[string]string{"old": "Namespaced", "new": "Cluster"} {
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "a.yaml"), fmt.Appendf(nil, definition, scope), 0o600))
		ref, err := servers.ParseReference("crd:" + folder)
		require.NoError(t, err)
		refs = append(refs, ref)
	}
	require.NoError(t, made().Known(t.Context(), refs...))
	s := &scenarios.Scenario{}
	assert.ErrorContains(t, made().CheckReplaced(t.Context(), s, refs...), "spec.scope")
	without := slices.Clone(refs)
	for i := range without {
		without[i].Manifests.Without = "widgets.example.dev"
	}
	assert.NoError(t, made().CheckReplaced(t.Context(), s, without...), "the definition is left out")
	s.New.Forgotten = true
	assert.NoError(t, made().CheckReplaced(t.Context(), s, refs...))
}

// TestOffered: without a cache a matrix may have the releases that come with skewsim, if it
// finds them.
func TestOffered(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	offered, err := made().Offered(t.Context(), false)
	require.NoError(t, err)
	for _, ref := range offered {
		assert.Equal(t, servers.SchemeTrain, ref.Scheme)
	}
	component, err := made().ModuleComponent(servers.Reference{Scheme: servers.SchemeModule, Module: "example.dev/fish"})
	require.NoError(t, err)
	assert.Equal(t, "fish", component)
}
