package builder

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// plantCheckout writes a tree with the layout of Kubernetes that compiles quickly.
func plantCheckout(t *testing.T, minor string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kubernetes")
	for path, text := range map[string]string{
		"go.mod":                     "module k8s.io/kubernetes\n\ngo 1.24\n",
		"cmd/kube-apiserver/main.go": "package main\n\nfunc main() { println(1) }\n",
		"staging/src/k8s.io/component-base/version/base.go": "package version\n\nconst DefaultKubeBinaryVersion = \"" + minor + "\"\n",
	} {
		name := filepath.Join(folder, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	return folder
}

// record is a Progress that records its calls.
type record struct {
	mutex sync.Mutex
	begun []string
	notes []string
	ended int
}

func (r *record) Begin(name string) Work {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.begun = append(r.begun, name)
	return recorded{of: r}
}
func (r *record) Note(text string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.notes = append(r.notes, text)
}

type recorded struct {
	silentWork
	of *record
}

func (r recorded) End() {
	r.of.mutex.Lock()
	defer r.of.mutex.Unlock()
	r.of.ended++
}

// TestBuildOnce: concurrent callers share one build, and each sees its progress.
func TestBuildOnce(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "cache"))
	told := &record{}
	b := New(Config{Progress: told})
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	ref := servers.Reference{Scheme: servers.SchemeSource, Path: plantCheckout(t, "1.37")}
	var group sync.WaitGroup
	paths := make([]string, 3)
	for i := range paths {
		group.Go(func() {
			build, err := b.Build(t.Context(), ref)
			assert.NoError(t, err)
			paths[i] = build.Path
		})
	}
	group.Wait()
	assert.FileExists(t, paths[0])
	assert.Equal(t, []string{paths[0], paths[0], paths[0]}, paths)
	assert.Equal(t, []string{ref.String()}, told.begun)
	assert.Equal(t, 1, told.ended)
}

// TestCheckoutsAreNoReleases: a build of a checkout is never taken for a release.
func TestCheckoutsAreNoReleases(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "cache"))
	b := New(Config{})
	ref := servers.Reference{Scheme: servers.SchemeSource, Path: plantCheckout(t, "1.37")}
	assert.False(t, b.IsBuilt(t.Context(), ref))
	build, err := b.Build(t.Context(), ref)
	require.NoError(t, err)
	assert.True(t, b.IsBuilt(t.Context(), ref))
	assert.Equal(t, []string{ref.String(), "kube-apiserver"}, []string{build.Reference, build.Component})
	cached, err := Cached()
	require.NoError(t, err)
	require.Len(t, cached, 1)
	assert.Equal(t, []string{ref.String(), "checkout"}, []string{NameOf(cached[0]), SourceOf(cached[0])})
	assert.Equal(t, defaultServer, newestServer())
	releases, err := CachedReleases()
	require.NoError(t, err)
	assert.Empty(t, releases)
	removed, err := Remove(ref.String())
	require.NoError(t, err)
	assert.Equal(t, 1, removed)
	assert.False(t, b.IsBuilt(t.Context(), ref))
}

// TestOneCheckout: the server and the clients of a checkout are built from its content when it
// was first read. A builder from Beside has its own checkouts, and the same engine.
func TestOneCheckout(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	b := New(Config{})
	ref := servers.Reference{Scheme: servers.SchemeSource, Path: plantCheckout(t, "1.37")}
	_, err := b.Build(t.Context(), ref)
	require.NoError(t, err)
	_, err = b.TypedClient(t.Context(), ref.String())
	require.Error(t, err, "no clients of it are available")
	assert.Len(t, b.checkouts.opened, 1)
	other := b.Beside(nil)
	assert.Empty(t, other.checkouts.opened)
	assert.Same(t, b.engine, other.engine)
}

// TestWrongReferences: errors in a reference are user errors.
func TestWrongReferences(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	b := New(Config{})
	for _, text := range []string{"source:/nowhere", "path:/nowhere", "crd:/nowhere"} {
		ref, err := servers.ParseReference(text)
		require.NoError(t, err)
		_, err = b.Build(t.Context(), ref)
		assert.True(t, fault.Is(err, fault.User), text)
		assert.True(t, strings.Contains(err.Error(), "/nowhere"), err)
	}
	module := servers.Reference{Scheme: servers.SchemeModule, Module: "example.dev/fish", Version: "v0.1.0", Adapter: "/nowhere.yaml"}
	_, err := b.Build(t.Context(), module)
	assert.True(t, fault.Is(err, fault.User), err)
	assert.False(t, b.IsBuilt(t.Context(), module))
}
