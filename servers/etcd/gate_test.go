package etcd_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
)

func gate(t *testing.T, s *etcd.Server) (*etcd.Gate, *clientv3.Client) {
	t.Helper()
	g, err := s.Gate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	cert, err := tls.LoadX509KeyPair(g.Store().CertFile, g.Store().KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	return g, through(t, g.Store(), cert)
}

// through is a client of the store at the gate, with the certificates given.
func through(t *testing.T, at servers.Store, certs ...tls.Certificate) *clientv3.Client {
	t.Helper()
	ca, err := os.ReadFile(at.CAFile)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	c, err := clientv3.New(clientv3.Config{
		Endpoints: []string{at.Endpoint}, TLS: &tls.Config{RootCAs: pool, Certificates: certs}, DialTimeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// calls are those that begin to wait at a gate, in order.
type calls chan string

// holding makes a gate that reports the calls that wait at it, and a client behind it.
func holding(t *testing.T, s *etcd.Server) (*etcd.Gate, *clientv3.Client, calls) {
	t.Helper()
	g, client := gate(t, s)
	waiting := make(calls, 100)
	g.OnHeld(func(call string) { waiting <- call })
	return g, client, waiting
}

// holds has a call wait at the gate, gives it up there, and says which call it was.
func (c calls) holds(t *testing.T, call func(context.Context) error) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- call(ctx) }()
	select {
	case err := <-ended:
		t.Errorf("a call was not held: %v", err)
		return ""
	case name := <-c:
		cancel()
		<-ended
		return name
	}
}

// Before a gate is open the server behind it learns of etcd itself, and of no
// key; what it asks for waits and is then done.
func TestGateHoldsUntilOpened(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		g, client, waiting := holding(t, s)
		if _, err := client.Status(t.Context(), g.Store().Endpoint); err != nil {
			t.Errorf("status: %v", err)
		}
		for want, call := range map[string]func(context.Context) error{
			"/etcdserverpb.KV/Range":         func(ctx context.Context) error { _, err := client.Get(ctx, "a"); return err },
			"/etcdserverpb.KV/Put":           func(ctx context.Context) error { _, err := client.Put(ctx, "a", "early"); return err },
			"/etcdserverpb.Lease/LeaseGrant": func(ctx context.Context) error { _, err := client.Grant(ctx, 60); return err },
			"/etcdserverpb.Watch/Watch": func(ctx context.Context) error {
				r := <-client.Watch(ctx, "a", clientv3.WithCreatedNotify())
				return r.Err()
			},
		} {
			if got := waiting.holds(t, call); got != want {
				t.Errorf("held %s, want %s", got, want)
			}
		}
		put := make(chan error, 1)
		go func() {
			_, err := client.Put(t.Context(), "a", "1")
			put <- err
		}()
		<-waiting
		g.Open()
		g.Open()
		if err := <-put; err != nil {
			t.Error(err)
		}
		w, j := watch(t, s)
		settle(t, w)
		if events := j.all(); len(events) != 1 || string(events[0].Value) != "1" {
			t.Errorf("stored: %+v", events)
		}
	})
}

// A server that may only read sees what others store, and stores nothing.
func TestGateForReading(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		writing, writer := gate(t, s)
		writing.Open()
		if _, err := writer.Put(t.Context(), "a", "1"); err != nil {
			t.Fatal(err)
		}
		g, client, waiting := holding(t, s)
		g.Read()
		if r, err := client.Get(t.Context(), "a"); err != nil || r.Count != 1 {
			t.Errorf("reading: %v %v", r, err)
		}
		if r := <-client.Watch(t.Context(), "a", clientv3.WithRev(1)); r.Err() != nil || len(r.Events) != 1 {
			t.Errorf("watching: %+v", r)
		}
		waiting.holds(t, func(ctx context.Context) error { _, err := client.Put(ctx, "a", "2"); return err })
		waiting.holds(t, func(ctx context.Context) error { _, err := client.Grant(ctx, 60); return err })
		g.Open()
		if _, err := client.Put(t.Context(), "a", "3"); err != nil {
			t.Error(err)
		}
	})
}

// Many write until the gate is sealed: what is stored then stays as it is.
func TestSealedGateOnlyReads(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		g, client := gate(t, s)
		g.Open()
		var writers, begun sync.WaitGroup
		for i := range 8 {
			begun.Add(1)
			writers.Go(func() {
				for n := 0; ; n++ {
					if n == 1 {
						begun.Done()
					}
					if _, err := client.Put(t.Context(), fmt.Sprint(i), fmt.Sprint(n)); err != nil {
						if status.Code(err) != codes.Unavailable && !strings.Contains(err.Error(), "sealed") {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		begun.Wait()
		g.Seal()
		w, j := watch(t, s)
		settle(t, w)
		before := len(j.all())
		writers.Wait()
		settle(t, w)
		if after := len(j.all()); before == 0 || after != before {
			t.Errorf("%d changes when it was sealed, %d later", before, after)
		}
		// The client itself would ask again, for seconds.
		lease := etcdserverpb.NewLeaseClient(client.ActiveConnection())
		if _, err := lease.LeaseGrant(t.Context(), &etcdserverpb.LeaseGrantRequest{TTL: 60}); status.Code(err) != codes.Unavailable {
			t.Errorf("granting a lease: %v", err)
		}
		if r, err := client.Get(t.Context(), "0"); err != nil || r.Count != 1 {
			t.Errorf("reading: %v %v", r, err)
		}
		changes := client.Watch(t.Context(), "0", clientv3.WithRev(1))
		if r := <-changes; r.Err() != nil || len(r.Events) == 0 {
			t.Errorf("watching: %+v", r)
		}
	})
}

func TestGateRefusesStrangers(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		g, _ := gate(t, s)
		g.Open()
		address, local := strings.CutPrefix(g.Store().Endpoint, "https://")
		if !local || !strings.HasPrefix(address, "127.0.0.1:") {
			t.Fatalf("endpoint is %s", g.Store().Endpoint)
		}
		// In TLS 1.3 a client learns what its certificate is worth when it first reads.
		conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
		if err == nil {
			defer conn.Close()
			_, err = conn.Read(make([]byte, 1))
		}
		var refused *net.OpError
		if !errors.As(err, &refused) || refused.Op != "remote error" {
			t.Errorf("a client without a certificate got %v", err)
		}
	})
}

// A closed gate frees its port and refuses what waits; the store goes on.
func TestGateCloses(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, other *clientv3.Client) {
		g, client, waiting := holding(t, s)
		got := make(chan error, 1)
		go func() {
			_, err := client.Put(t.Context(), "a", "1")
			got <- err
		}()
		<-waiting
		g.Close()
		g.Close()
		if err := <-got; err == nil {
			t.Error("a put passed")
		}
		put(t, other, "b", "1")
	})
}

// Closing the store closes its gates, whoever waits or watches there.
func TestStoreClosesItsGates(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		_, waiter, waiting := holding(t, s)
		open, watching := gate(t, s)
		open.Open()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _, _ = waiter.Get(ctx, "a") }()
		<-waiting
		<-watching.Watch(ctx, "a", clientv3.WithCreatedNotify())
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := s.Gate(); err == nil || err.Error() != "store: gate: the store has ended" {
			t.Errorf("a gate of a closed store: %v", err)
		}
	})
}
