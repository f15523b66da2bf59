package aggregated

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

func reference(t *testing.T) servers.Reference {
	t.Helper()
	ref, err := servers.ParseReference("module:k8s.io/fish@v0.2.0")
	require.NoError(t, err)
	return ref
}

// TestGenerate: generate copies what a go.mod declares for its own module, except replacements
// by folders, which do not exist.
func TestGenerate(t *testing.T) {
	upstream := build.GoMod{Go: "1.25.0"}
	upstream.Godebug = append(upstream.Godebug, struct{ Key, Value string }{"default", "go1.25"})
	type pair = struct {
		Old, New struct{ Path, Version string }
	}
	for _, p := range [][4]string{{"a.b/c", "", "d.e/f", "v1.0.0"}, {"g.h/i", "v2.0.0", "./staging/i", ""}} {
		var r pair
		r.Old.Path, r.Old.Version, r.New.Path, r.New.Version = p[0], p[1], p[2], p[3]
		upstream.Replace = append(upstream.Replace, r)
	}
	assert.Equal(t, `module skewsim.invalid/fish

go 1.25.0

godebug default=go1.25

require k8s.io/fish v0.2.0

replace a.b/c  => d.e/f v1.0.0
`, generate(upstream, reference(t), Adapter{Component: "fish"}))
}

// TestOwn: only a patch release may substitute for the module itself and the modules published
// with it; for others a later version may.
func TestOwn(t *testing.T) {
	is := own(reference(t))
	assert.True(t, is(module.Version{Path: "k8s.io/fish", Version: "v0.2.0"}))
	assert.True(t, is(module.Version{Path: "k8s.io/apiserver", Version: "v0.2.0"}))
	assert.False(t, is(module.Version{Path: "k8s.io/utils", Version: "v0.0.0-2025"}))
	assert.False(t, own(servers.Reference{Module: "a.b/c", Version: "v0.2.0"})(module.Version{Path: "k8s.io/apiserver", Version: "v0.2.0"}))
}

// TestDigest: the digest depends on the flags and on the kube-apiserver.
func TestDigest(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range []servers.Aggregation{
		{}, {Core: servers.Build{Digest: "1"}}, {Flags: []string{"--x"}}, {APIServices: []string{"v1.x.y"}}, {Globals: "x"}, {Names: map[string]string{"a": ""}},
	} {
		one, err := digest("e", &a)
		require.NoError(t, err)
		again, err := digest("e", &a)
		require.NoError(t, err)
		assert.Equal(t, one, again)
		assert.False(t, seen[one], "%+v", a)
		seen[one] = true
	}
}

// TestCheckMain: the error for a module whose root is not a program lists its programs.
func TestCheckMain(t *testing.T) {
	dir := t.TempDir()
	write := func(file, text string) {
		file = filepath.Join(dir, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	ref := reference(t)
	assert.EqualError(t, checkMain(dir, ref, Adapter{Package: "."}),
		`module:k8s.io/fish@v0.2.0: package ".": it contains no Go package; no package of the module is a program, so there is no API server to start`)
	write("fish.go", "package fish\n")
	write("cmd/deep/server/main.go", "package main\n")
	write("cmd/server/main.go", "package main\n")
	write("vendor/x/main.go", "package main\n")
	assert.EqualError(t, checkMain(dir, ref, Adapter{Package: "."}),
		`module:k8s.io/fish@v0.2.0: package ".": its package fish is not a program; name another in package of the adapter's file: cmd/server, cmd/deep/server`)
	assert.NoError(t, checkMain(dir, ref, Adapter{Package: "cmd/server"}))
}

// TestIsBuilt: a cached build of the same name and version counts only if it was built from the
// same package and is not damaged.
func TestIsBuilt(t *testing.T) {
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	ref, adapter := reference(t), Adapter{Component: "fish", Package: "cmd/server"}
	is := func(a Adapter, ref servers.Reference) bool {
		built, err := cache.List()
		require.NoError(t, err)
		return IsBuilt(built, ref, a)
	}
	assert.False(t, is(adapter, ref))
	built := buildFish(t, cache, recipe(ref, adapter))
	assert.True(t, is(adapter, ref))
	other, fork := adapter, ref
	other.Package, fork.Module = "cmd/other", "example.org/fish"
	assert.False(t, is(other, ref), "another package")
	assert.False(t, is(adapter, fork), "another module")
	require.NoError(t, os.Truncate(built.Path, 1))
	assert.False(t, is(adapter, ref), "damaged: it would be rebuilt")
}

// buildFish builds a module from a folder.
func buildFish(t *testing.T, cache *build.Cache, r build.Recipe) build.Built {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cmd", "server"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module k8s.io/fish\n\ngo 1.24\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cmd", "server", "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
	r.Resolve = func(context.Context, *build.Go) (build.Module, error) {
		return build.Module{GoMod: "module fish\n\ngo 1.24\n\nrequire k8s.io/fish v0.2.0\n\nreplace k8s.io/fish => " + dir + "\n"}, nil
	}
	built, err := cache.Get(t.Context(), r, nil)
	require.NoError(t, err)
	return built
}
