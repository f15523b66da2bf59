package builder

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// envtest puts a program that says it is a kube-apiserver where envtest has its servers.
func envtest(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "kube-apiserver")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho Kubernetes "+version+"\n"), 0o700))
	t.Setenv(assets, dir)
	return path
}

// TestFoundServer: without a cached build, definitions are installed on the kube-apiserver that
// envtest would start, in the version that it reports, and the user is notified once. A named
// server, a cached build and a file that cannot be executed leave it out.
func TestFoundServer(t *testing.T) {
	t.Setenv("SKEWSIM_BUILDS", "on") // and the build is interrupted at once
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	path := envtest(t, "v1.34.1")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.yaml"), []byte(definition), 0o600))
	ref, err := servers.ParseReference("crd:" + folder)
	require.NoError(t, err)

	told := &record{}
	b := New(Config{Progress: told})
	assert.True(t, b.IsBuilt(t.Context(), ref))
	for range 2 {
		build, err := b.Build(t.Context(), ref)
		require.NoError(t, err)
		assert.Equal(t, path, build.Installs.Server.Path)
		assert.Equal(t, "v1.34.1", build.Installs.Server.Version)
	}
	_, err = b.underlyingServer(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, told.notes, 1)
	assert.Contains(t, told.notes[0], path)
	assert.Contains(t, told.notes[0], "v1.34.1")

	named := filepath.Join(t.TempDir(), "named")
	require.NoError(t, os.WriteFile(named, []byte("#!/bin/sh\necho Kubernetes v1.35.0\n"), 0o700))
	told = &record{}
	server, err := New(Config{Progress: told}).underlyingServer(t.Context(), "path:"+named)
	require.NoError(t, err)
	assert.Equal(t, named, server.Path)
	assert.Empty(t, told.notes)

	require.NoError(t, os.Chmod(path, 0o600))
	assert.Equal(t, defaultServer, newestServer())
	ended, end := context.WithCancel(t.Context()) // nothing is compiled
	end()
	b = New(Config{Progress: told})
	for range 2 {
		_, err = b.underlyingServer(ended, "")
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Len(t, told.notes, 1)
	assert.Contains(t, told.notes[0], filepath.Dir(path))
	require.NoError(t, os.Chmod(path, 0o700))
	cached := filepath.Join(os.Getenv("SKEWSIM_CACHE"), "builds", "kube-apiserver-v1.30.0")
	require.NoError(t, os.MkdirAll(cached, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(cached, "build.json"), []byte(`{"name": "kube-apiserver", "version": "v1.30.0"}`), 0o600))
	assert.Equal(t, "kube-apiserver@v1.30.0", newestServer())
	require.NoError(t, os.Chmod(path, 0o600))
	told = &record{}
	_, _ = New(Config{Progress: told}).underlyingServer(ended, "")
	assert.Empty(t, told.notes, "a build is cached")
}
