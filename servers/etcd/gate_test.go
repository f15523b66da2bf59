package etcd_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

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

// Before a gate is open the server behind it learns of etcd itself, and of no
// key; what it asks for waits and is then done.
func TestGateHoldsUntilOpened(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		g, client := gate(t, s)
		if _, err := client.Status(t.Context(), g.Store().Endpoint); err != nil {
			t.Errorf("status: %v", err)
		}
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		for name, call := range map[string]func() error{
			"get":   func() error { _, err := client.Get(short, "a"); return err },
			"put":   func() error { _, err := client.Put(short, "a", "early"); return err },
			"lease": func() error { _, err := client.Grant(short, 60); return err },
			"watch": func() error {
				r := <-client.Watch(short, "a", clientv3.WithCreatedNotify())
				return r.Err()
			},
		} {
			if err := call(); err == nil && short.Err() == nil {
				t.Errorf("%s passed", name)
			}
		}
		put := make(chan error, 1)
		go func() {
			_, err := client.Put(t.Context(), "a", "1")
			put <- err
		}()
		select {
		case err := <-put:
			t.Fatalf("a put passed, with %v", err)
		case <-time.After(50 * time.Millisecond):
		}
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
		g, client := gate(t, s)
		g.Read()
		if r, err := client.Get(t.Context(), "a"); err != nil || r.Count != 1 {
			t.Errorf("reading: %v %v", r, err)
		}
		if r := <-client.Watch(t.Context(), "a", clientv3.WithRev(1)); r.Err() != nil || len(r.Events) != 1 {
			t.Errorf("watching: %+v", r)
		}
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := client.Put(short, "a", "2"); err == nil {
			t.Error("a put passed")
		}
		if _, err := client.Grant(short, 60); err == nil {
			t.Error("a lease was granted")
		}
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
		var writers sync.WaitGroup
		for i := range 8 {
			writers.Go(func() {
				for n := 0; ; n++ {
					if _, err := client.Put(t.Context(), fmt.Sprint(i), fmt.Sprint(n)); err != nil {
						if status.Code(err) != codes.Unavailable && !strings.Contains(err.Error(), "sealed") {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		g.Seal()
		w, j := watch(t, s)
		settle(t, w)
		before := len(j.all())
		writers.Wait()
		settle(t, w)
		if after := len(j.all()); before == 0 || after != before {
			t.Errorf("%d changes when it was sealed, %d later", before, after)
		}
		if _, err := client.Grant(t.Context(), 60); err == nil {
			t.Error("a lease was granted")
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
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := through(t, g.Store()).Get(ctx, "a")
		if err == nil || ctx.Err() == nil && !strings.Contains(err.Error(), "certificate") {
			t.Errorf("a client without a certificate got %v", err)
		}
		if !strings.HasPrefix(g.Store().Endpoint, "https://127.0.0.1:") {
			t.Errorf("endpoint is %s", g.Store().Endpoint)
		}
	})
}

// A closed gate frees its port and refuses what waits; the store goes on.
func TestGateCloses(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, other *clientv3.Client) {
		g, client := gate(t, s)
		got := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := client.Put(ctx, "a", "1")
			got <- err
		}()
		time.Sleep(50 * time.Millisecond)
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
		shut, waiting := gate(t, s)
		open, watching := gate(t, s)
		open.Open()
		_ = shut
		go func() { _, _ = waiting.Get(t.Context(), "a") }()
		<-watching.Watch(t.Context(), "a", clientv3.WithCreatedNotify())
		began := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("closing took %s", took)
		}
		if _, err := s.Gate(); err == nil || err.Error() != "store: gate: the store has ended" {
			t.Errorf("a gate of a closed store: %v", err)
		}
	})
}
