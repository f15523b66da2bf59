package etcd

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// host returns a shared etcd, and a client that sees all of it.
func host(t *testing.T) (Remote, *clientv3.Client) {
	t.Helper()
	s, err := Start(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	at := s.Store()
	return Remote{Endpoints: []string{at.Endpoint}, CAFile: at.CAFile, CertFile: at.CertFile, KeyFile: at.KeyFile}, s.client
}

func visit(t *testing.T, at Remote) *Server {
	t.Helper()
	at.Dir = filepath.Join(t.TempDir(), "remote")
	s, err := Connect(t.Context(), at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // a second time, if the test has closed it
	return s
}

// die ends a run's store as the death of its process does: nobody renews the claim or removes
// anything. It ends the claim's lease, which would otherwise expire, and returns when etcd has
// noticed.
func die(t *testing.T, s *Server, all *clientv3.Client) {
	t.Helper()
	r := s.backend.(*remote)
	within, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	key := claims + r.claim.id + alive
	seen, err := all.Get(within, key)
	require.NoError(t, err)
	gone := all.Watch(within, key, clientv3.WithRev(seen.Header.Revision+1), clientv3.WithFilterPut())
	r.end()
	lease, err := all.TimeToLive(within, r.claim.lease)
	require.NoError(t, err)
	require.Equal(t, claimFor, time.Duration(lease.GrantedTTL)*time.Second)
	_, err = all.Revoke(within, r.claim.lease)
	require.NoError(t, err)
	told := <-gone
	require.NoError(t, told.Err())
	require.Len(t, told.Events, 1)
}

func keysOf(t *testing.T, c *clientv3.Client) (all []string) {
	t.Helper()
	r, err := c.Get(t.Context(), "\x00", clientv3.WithFromKey(), clientv3.WithKeysOnly())
	require.NoError(t, err)
	for _, kv := range r.Kvs {
		all = append(all, string(kv.Key))
	}
	return all
}

// TestSweep: the next run removes what a killed run has left, but nothing of a live run,
// without a claim, or with a claim of another format.
func TestSweep(t *testing.T) {
	at, all := host(t)
	ctx := t.Context()
	others := []string{
		"/registry/a", "/skewsim-0123456789abcdef/x", "/skewsim-runs/registry", "/skewsim-runs/../registry", "/skewsim-runs/",
		"/skewsim-runs/0123456789ABCDEF", "/skewsim-runs/0123456789abcdef0",
	}
	for _, key := range others {
		_, err := all.Put(ctx, key, `{"prefix": "/registry"}`)
		require.NoError(t, err)
	}
	dead, lives := visit(t, at), visit(t, at)
	for _, s := range []*Server{dead, lives} {
		client, err := s.Client()
		require.NoError(t, err)
		lease, err := client.Grant(ctx, 600)
		require.NoError(t, err)
		_, err = client.Put(ctx, "/registry/a", "1", clientv3.WithLease(lease.ID))
		require.NoError(t, err)
		require.NoError(t, client.Close())
	}
	die(t, dead, all)
	next := visit(t, at)
	assert.Equal(t, []string{dead.Prefix()}, next.Swept())
	assert.NoError(t, next.Unswept())
	left := keysOf(t, all)
	assert.NotContains(t, left, dead.Prefix()+"/registry/a")
	assert.NotContains(t, left, claims+dead.backend.(*remote).claim.id)
	assert.Contains(t, left, lives.Prefix()+"/registry/a")
	assert.Subset(t, left, others)
	assert.Empty(t, visit(t, at).Swept(), "it was removed already")
}

// heavy is an etcd with more keys below a prefix than can be read in time, or removed if tied
// is set.
type heavy struct {
	clientv3.KV
	in   string
	tied bool // the keys cannot be removed
}

func (h *heavy) Get(ctx context.Context, key string, opts ...clientv3.OpOption) (*clientv3.GetResponse, error) {
	if strings.HasPrefix(key, h.in) {
		return nil, context.DeadlineExceeded
	}
	return h.KV.Get(ctx, key, opts...)
}

func (h *heavy) Txn(ctx context.Context) clientv3.Txn { return &heavyTxn{h.KV.Txn(ctx), h} }

type heavyTxn struct {
	clientv3.Txn
	h *heavy
}

func (t *heavyTxn) If(all ...clientv3.Cmp) clientv3.Txn { t.Txn = t.Txn.If(all...); return t }

func (t *heavyTxn) Then(all ...clientv3.Op) clientv3.Txn {
	if t.h.tied && slices.ContainsFunc(all, func(op clientv3.Op) bool { return string(op.KeyBytes()) == t.h.in }) {
		return tooLate{}
	}
	t.Txn = t.Txn.Then(all...)
	return t
}

type tooLate struct{ clientv3.Txn }

func (tooLate) Commit() (*clientv3.TxnResponse, error) { return nil, context.DeadlineExceeded }

// TestSweepOfMuch: the next run starts however much a killed run has left. It removes what it
// can without reading it; what it cannot remove is reported, and removed by a later run.
func TestSweepOfMuch(t *testing.T) {
	at, all := host(t)
	dead := visit(t, at)
	require.NoError(t, dead.Put(t.Context(), "/registry/a", []byte("1")))
	die(t, dead, all)
	for i, c := range []struct {
		tied    bool
		swept   []string
		unswept string
	}{
		{true, nil, "remove " + dead.Prefix() + ": context deadline exceeded"},
		{false, []string{dead.Prefix()}, ""},
	} {
		_, config, _, err := at.reach(t.Context())
		require.NoError(t, err)
		guest, err := clientv3.New(clientv3.Config{Endpoints: at.Endpoints, TLS: config, Logger: zap.NewNop()})
		require.NoError(t, err)
		guest.KV = &heavy{guest.KV, dead.Prefix(), c.tied}
		id := fmt.Sprintf("%016x", i)
		r := &remote{forwarder: newForwarder(guest, prefixOf(id))}
		_, err = r.enter(t.Context(), guest, id, claimFor)
		require.NoError(t, err)
		assert.Equal(t, c.swept, r.swept)
		if c.unswept == "" {
			assert.NoError(t, r.unswept)
		} else {
			assert.EqualError(t, r.unswept, c.unswept)
		}
		assert.NoError(t, guest.Close())
	}
	assert.NotContains(t, keysOf(t, all), dead.Prefix()+"/registry/a")
}

// TestLostClaim: a run whose claim has expired reports that, since another run may remove what
// it stores, and removes the rest itself.
func TestLostClaim(t *testing.T) {
	at, all := host(t)
	at.lasts = time.Second // the run notices within a third of it
	s := visit(t, at)
	require.NoError(t, s.Put(t.Context(), "/registry/a", []byte("1")))
	_, err := all.Revoke(t.Context(), s.backend.(*remote).claim.lease)
	require.NoError(t, err)
	select {
	case <-s.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("not told")
	}
	assert.ErrorContains(t, s.Err(), "the run's claim to "+s.Prefix()+" has ended there")
	assert.ErrorContains(t, s.Close(), "has ended there")
	assert.Empty(t, keysOf(t, all))
}

// TestUnclean: if the run's keys could not be removed, Close reports that and their prefix.
func TestUnclean(t *testing.T) {
	t.Parallel() // the client retries for seconds
	at, _ := host(t)
	s := visit(t, at)
	r := s.backend.(*remote)
	require.NoError(t, r.claim.client.Close()) // simulates an etcd that is gone
	assert.ErrorContains(t, s.Close(), "store: what the run has stored is still there, under "+s.Prefix()+": ")
}
