package etcd_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/etcd"
)

// both runs a test on each form of a store: an etcd in this process, and the run's own
// part of one that holds other things. The client sees the store as servers do.
func both(t *testing.T, test func(*testing.T, *etcd.Server, *clientv3.Client)) {
	t.Run("embedded", func(t *testing.T) {
		s, client := start(t)
		test(t, s, client)
	})
	t.Run("remote", func(t *testing.T) {
		host, others := start(t)
		for i := range 20 {
			put(t, others, fmt.Sprintf("/registry/%d", i), "another's")
		}
		s := connect(t, host, etcd.Remote{})
		client, err := s.Client()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		test(t, s, client)
	})
}

// remoteAt is an etcd as one who knows only where it is names it.
func remoteAt(t *testing.T, host *etcd.Server, c etcd.Remote) etcd.Remote {
	at := host.Store()
	c.Endpoints = []string{at.Endpoint}
	c.CAFile, c.CertFile, c.KeyFile = at.CAFile, at.CertFile, at.KeyFile
	c.Dir = filepath.Join(t.TempDir(), "remote")
	return c
}

func connect(t *testing.T, host *etcd.Server, c etcd.Remote) *etcd.Server {
	t.Helper()
	began := time.Now()
	s, err := etcd.Connect(t.Context(), remoteAt(t, host, c))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("connected after %s", time.Since(began).Round(time.Millisecond))
	t.Cleanup(func() {
		began := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		t.Logf("left after %s", time.Since(began).Round(time.Millisecond))
	})
	return s
}
