package play

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
)

// TestSmokeLostStore: a store whose disk fills up ends the preflight, with a way out; one that is closed does not.
func TestSmokeLostStore(t *testing.T) {
	tiers.Need(t, tiers.Smoke)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=160m"); err != nil {
		t.Skipf("needs a small file system of its own: %v", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	ctx, lost := context.WithCancelCause(t.Context())
	s := &session{fail: lost, scratch: filepath.Join(dir, "scratch")}
	closed, err := s.store(ctx, etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	<-closed.Done()
	failed := errors.New("a request failed")
	assert.Equal(t, failed, s.reason(ctx, failed))

	full, err := s.store(ctx, etcd.Config{Dir: filepath.Join(dir, "etcd")})
	require.NoError(t, err)
	for ctx.Err() == nil {
		_ = full.Put(ctx, Prefix+"a", []byte(strings.Repeat("x", 1<<20))) // fails in the end
	}
	err = s.reason(ctx, failed)
	assert.True(t, fault.Has(err, fault.DiskFull), "%v", err)
	assert.Contains(t, err.Error(), dir)
	assert.Contains(t, err.Error(), "TMPDIR")
	assert.NotEqual(t, "interrupted", ending(ctx, err))
	assert.NoError(t, s.reason(ctx, nil), "it was played to its end")
	_ = full.Close() // it has failed
}
