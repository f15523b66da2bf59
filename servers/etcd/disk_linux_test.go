package etcd_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/etcd"
)

// A disk that really fills up: the process lives, and the store says why it
// does not.
func TestSmokeFullDisk(t *testing.T) {
	tiers.Need(t, tiers.Smoke)
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=160m"); err != nil {
		t.Skipf("needs a small file system of its own: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(dir, "etcd"), LogPath: filepath.Join(t.TempDir(), "log")})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	select {
	case <-s.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("not told")
	}
	t.Logf("Err said: %v", s.Err())
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("Err said %v", err)
	}
	began := time.Now()
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("Close said %v", err)
	}
	t.Logf("closed after %s", time.Since(began).Round(time.Millisecond))
}

// fill writes until the store has ended.
func fill(t *testing.T, s *etcd.Server) {
	t.Helper()
	client, err := s.Client()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-s.Done()
		cancel()
	}()
	value := strings.Repeat("x", 1<<20)
	for i := 0; ctx.Err() == nil && i < 1000; i++ {
		_, _ = client.Put(ctx, fmt.Sprint(i), value) // fails in the end, that is the point
	}
}
