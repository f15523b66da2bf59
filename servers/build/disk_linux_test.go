package build_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// disk mounts a file system of the given size.
func disk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounts a small file system, which only root may")
	}
	dir := t.TempDir()
	if err := syscall.Mount("skewsim-test", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounts a small file system, which is forbidden here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// remount changes a mounted file system.
func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	require.NoError(t, syscall.Mount("skewsim-test", dir, "tmpfs", syscall.MS_REMOUNT|flags, options))
}

// TestFrobberFullDisk: a disk that fills up during a build is reported, whichever step fails;
// nothing of the build stays, and with more space the build succeeds.
func TestFrobberFullDisk(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	for name, size := range map[string]string{"while compiling": "256k", "before the first file": "8k"} {
		t.Run(name, func(t *testing.T) {
			dir := disk(t, size)
			c, err := build.OpenCache(filepath.Join(dir, "cache"))
			if err == nil {
				_, err = c.Get(t.Context(), recipe("v1", new(atomic.Int32)), nil)
			}
			require.ErrorIs(t, err, build.ErrDiskFull)
			assert.ErrorContains(t, err, "SKEWSIM_CACHE to a larger disk")
			remount(t, dir, 0, "size=64m")
			c, err = build.OpenCache(filepath.Join(dir, "cache"))
			require.NoError(t, err)
			assert.Empty(t, entries(t, c))
			get(t, c, recipe("v1", new(atomic.Int32)), nil)
		})
	}
}

// TestFrobberReadOnlyCache: a read-only cache returns its builds; a missing build, or a missing
// cache, is an error with the reason.
func TestFrobberReadOnlyCache(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	dir := disk(t, "64m")
	c, err := build.OpenCache(filepath.Join(dir, "cache"))
	require.NoError(t, err)
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	c.Close()
	remount(t, dir, syscall.MS_RDONLY, "")
	c, err = build.OpenCache(filepath.Join(dir, "cache"))
	require.NoError(t, err)
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	_, err = c.Get(t.Context(), recipe("v2", new(atomic.Int32)), nil)
	assert.ErrorContains(t, err, "lock hello v2: open ")
	assert.ErrorContains(t, err, "read-only file system; set SKEWSIM_CACHE to a directory that can be written")
	_, err = build.OpenCache(filepath.Join(dir, "another"))
	assert.EqualError(t, err, "cache: mkdir "+filepath.Join(dir, "another")+": read-only file system; set SKEWSIM_CACHE to a directory that can be written")
}
