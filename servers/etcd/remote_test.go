package etcd_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skewsim/skewsim/servers/etcd"
)

// held returns all keys of an etcd with their values and revisions, except the claims of runs.
func held(t *testing.T, c *clientv3.Client) map[string]string {
	t.Helper()
	r, err := c.Get(t.Context(), "\x00", clientv3.WithFromKey())
	require.NoError(t, err)
	all := map[string]string{}
	for _, kv := range r.Kvs {
		all[string(kv.Key)] = fmt.Sprintf("%s created %d changed %d version %d lease %d", kv.Value, kv.CreateRevision, kv.ModRevision, kv.Version, kv.Lease)
	}
	return all
}

func leasesOf(t *testing.T, c *clientv3.Client) (all []clientv3.LeaseID) {
	t.Helper()
	r, err := c.Leases(t.Context())
	require.NoError(t, err)
	for _, l := range r.Leases {
		all = append(all, l.ID)
	}
	slices.Sort(all)
	return all
}

// TestOthersAreLeftAlone: whatever a run does, the other keys of the etcd and their history
// stay unchanged, and nothing of the run is left.
func TestOthersAreLeftAlone(t *testing.T) {
	host, others := start(t)
	first := put(t, others, "/registry/pods/a", "one")
	put(t, others, "/registry/pods/a", "two")
	lease, err := others.Grant(t.Context(), 600)
	require.NoError(t, err)
	_, err = others.Put(t.Context(), "/registry/events/e", "three", clientv3.WithLease(lease.ID))
	require.NoError(t, err)
	put(t, others, "/skewsim", "one that is called nearly so")
	put(t, others, "/skewsim-mine", "and another")
	put(t, others, "/skewsim-0123456789abcdef/x", "that nobody claims")
	before, leases := held(t, others), leasesOf(t, others)

	s := connect(t, host, etcd.Remote{})
	c, err := s.Client()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	put(t, c, "/registry/pods/a", "the run's")
	granted, err := c.Grant(t.Context(), 600)
	require.NoError(t, err)
	_, err = c.Put(t.Context(), "/registry/events/e", "the run's", clientv3.WithLease(granted.ID))
	require.NoError(t, err)
	_, err = c.Delete(t.Context(), "\x00", clientv3.WithFromKey())
	require.NoError(t, err)
	put(t, c, "/registry/pods/b", "the run's")
	during := held(t, others)
	assert.Contains(t, during, s.Prefix()+"/registry/pods/b")
	assert.NotEqual(t, before, during)

	require.NoError(t, s.Close())
	assert.Equal(t, before, held(t, others))
	assert.Equal(t, leases, leasesOf(t, others))
	r, err := others.Get(t.Context(), "/registry/pods/a", clientv3.WithRev(first))
	require.NoError(t, err, "the past has been compacted")
	assert.Equal(t, "one", string(r.Kvs[0].Value))
	_, err = others.Get(t.Context(), "\x00", clientv3.WithFromKey(), clientv3.WithRev(1))
	assert.NoError(t, err, "the past has been compacted")
}

// TestServersSeeTheRunAlone: neither through a gate nor through the store's own endpoint can
// any request reach another's key or lease.
func TestServersSeeTheRunAlone(t *testing.T) {
	host, others := start(t)
	for _, key := range []string{"\x01", "/registry/a", "/skewsim-0/x", "a", "~", "\xff\xff"} {
		put(t, others, key, "another's")
	}
	foreign, err := others.Grant(t.Context(), 600)
	require.NoError(t, err)
	before := held(t, others)
	s := connect(t, host, etcd.Remote{})
	_, c := openGate(t, s)
	ctx := t.Context()

	for name, get := range map[string]func() (int64, error){
		"all keys":  func() (int64, error) { r, err := c.Get(ctx, "\x00", clientv3.WithFromKey()); return r.Count, err },
		"by prefix": func() (int64, error) { r, err := c.Get(ctx, "", clientv3.WithPrefix()); return r.Count, err },
		"up":        func() (int64, error) { r, err := c.Get(ctx, "/registry/a"); return r.Count, err },
		"a range": func() (int64, error) {
			r, err := c.Get(ctx, "\x00", clientv3.WithRange("\xff\xff\xff"))
			return r.Count, err
		},
		"a transaction": func() (int64, error) {
			r, err := c.Txn(ctx).Then(clientv3.OpTxn(nil, []clientv3.Op{clientv3.OpGet("\x00", clientv3.WithFromKey())}, nil)).Commit()
			return r.Responses[0].GetResponseTxn().Responses[0].GetResponseRange().Count, err
		},
	} {
		count, err := get()
		assert.NoError(t, err, name)
		assert.Zero(t, count, name)
	}
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.Value("/registry/a"), "=", "another's")).Commit()
	require.NoError(t, err)
	assert.False(t, r.Succeeded, "another's value can be compared")
	_, err = c.Put(ctx, "/registry/b", "1", clientv3.WithLease(foreign.ID))
	assert.ErrorContains(t, err, "requested lease not found")
	_, err = c.Txn(ctx).Then(clientv3.OpPut("/registry/b", "1", clientv3.WithLease(foreign.ID))).Commit()
	assert.ErrorContains(t, err, "requested lease not found")
	_, err = c.Revoke(ctx, foreign.ID)
	assert.ErrorContains(t, err, "requested lease not found")
	_, err = c.Txn(ctx).Then(clientv3.OpDelete("\x00", clientv3.WithFromKey())).Commit()
	require.NoError(t, err)

	after := held(t, others)
	maps.DeleteFunc(after, func(key, _ string) bool { return strings.HasPrefix(key, "/skewsim-runs/") })
	assert.Equal(t, before, after)
}

// TestGatesRefuseWhatIsForAll: gates refuse calls about more than keys and leases.
func TestGatesRefuseWhatIsForAll(t *testing.T) {
	host, others := start(t)
	put(t, others, "a", "1")
	last := put(t, others, "a", "2")
	s := connect(t, host, etcd.Remote{})
	g, c := openGate(t, s)
	ctx, at := t.Context(), g.Store().Endpoint
	for name, call := range map[string]func() error{
		"compact":      func() error { _, err := c.Compact(ctx, last); return err },
		"defragment":   func() error { _, err := c.Defragment(ctx, at); return err },
		"disarm":       func() error { _, err := c.AlarmDisarm(ctx, &clientv3.AlarmMember{}); return err },
		"alarms":       func() error { _, err := c.AlarmList(ctx); return err },
		"members":      func() error { _, err := c.MemberList(ctx); return err },
		"add a member": func() error { _, err := c.MemberAdd(ctx, []string{"http://127.0.0.1:1"}); return err },
		"auth":         func() error { _, err := c.AuthEnable(ctx); return err },
		"a user":       func() error { _, err := c.UserAdd(ctx, "u", "p"); return err },
		"leases":       func() error { _, err := c.Leases(ctx); return err },
		"hash":         func() error { _, err := c.HashKV(ctx, at, 0); return err },
		"snapshot": func() error {
			r, err := c.Snapshot(ctx)
			if err == nil {
				_, err = r.Read(make([]byte, 1))
			}
			return err
		},
	} {
		code := codes.OK
		if err := call(); err != nil {
			code = codeOf(err)
		}
		assert.Contains(t, []codes.Code{codes.PermissionDenied, codes.Unimplemented}, code, name)
	}
	_, err := others.Get(t.Context(), "a", clientv3.WithRev(last-1))
	assert.NoError(t, err)
	_, err = c.Status(ctx, at)
	assert.NoError(t, err, "the status passes")
}

func codeOf(err error) codes.Code {
	if s, is := status.FromError(err); is {
		return s.Code()
	}
	var told interface{ Code() codes.Code }
	if assert.ErrorAs(nil, err, &told) {
		return told.Code()
	}
	return codes.Unknown
}

func openGate(t *testing.T, s *etcd.Server) (*etcd.Gate, *clientv3.Client) {
	g, c := gate(t, s)
	g.Open()
	return g, c
}

// TestWatchesOfServers: a server's watch begins at the requested revision, and receives events
// only for the run's keys, under the names that the server knows, and progress notifications.
func TestWatchesOfServers(t *testing.T) {
	host, others := start(t)
	s := connect(t, host, etcd.Remote{})
	_, c := openGate(t, s)
	first := put(t, c, "/registry/a", "1")
	put(t, others, "/registry/a", "another's")
	ctx, cancel := context.WithCancel(clientv3.WithRequireLeader(t.Context()))
	defer cancel()
	changes := c.Watch(ctx, "/registry/", clientv3.WithPrefix(), clientv3.WithRev(first), clientv3.WithPrevKV())
	last := put(t, c, "/registry/a", "2")
	var got []string
	for len(got) < 2 {
		r := <-changes
		require.NoError(t, r.Err())
		for _, e := range r.Events {
			got = append(got, fmt.Sprintf("%s=%s", e.Kv.Key, e.Kv.Value))
			if e.PrevKv != nil {
				got = append(got, fmt.Sprintf("before %s=%s", e.PrevKv.Key, e.PrevKv.Value))
			}
		}
	}
	assert.Equal(t, []string{"/registry/a=1", "/registry/a=2", "before /registry/a=1"}, got)
	later := put(t, others, "/registry/a", "another's")
	require.NoError(t, c.RequestProgress(ctx))
	r := <-changes
	assert.True(t, r.IsProgressNotify())
	assert.GreaterOrEqual(t, r.Header.Revision, later)
	assert.Greater(t, later, last)
}

// TestSyncBesideOthers: Sync works although writes of others increment the revision and the
// watch of the run's keys never receives them.
func TestSyncBesideOthers(t *testing.T) {
	host, others := start(t)
	s := connect(t, host, etcd.Remote{})
	c, err := s.Client()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	w, j := watch(t, s)
	for i := range 5 {
		put(t, others, "/registry/a", fmt.Sprint(i))
		put(t, c, "/registry/b", fmt.Sprint(i))
		put(t, others, "/registry/b", fmt.Sprint(i))
		settle(t, w)
		require.Len(t, j.all(), i+1)
	}
	now, _, err := s.Now(t.Context(), func(string) bool { return true })
	require.NoError(t, err)
	require.NotEmpty(t, now)
	assert.Equal(t, "/registry/b", string(now[0].Key))
}

// TestAnotherCompacts: the error names compaction by another client.
func TestAnotherCompacts(t *testing.T) {
	host, others := start(t)
	s := connect(t, host, etcd.Remote{})
	c, err := s.Client()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	old := put(t, c, "/registry/a", "1")
	put(t, c, "/registry/a", "2")
	newest := put(t, others, "/registry/a", "another's")
	_, err = others.Compact(t.Context(), newest)
	require.NoError(t, err)
	_, err = s.At(t.Context(), "/registry/a", old)
	assert.ErrorContains(t, err, "store: get /registry/a: another has compacted the etcd meanwhile")
	w, err := s.Watch(t.Context(), s.First(), func(etcd.Event) {})
	require.NoError(t, err)
	<-w.Done()
	assert.ErrorContains(t, w.Err(), "were compacted, so changes are missing")
	value, err := s.At(t.Context(), "/registry/a", newest)
	assert.NoError(t, err)
	assert.Equal(t, "2", string(value))
}

// TestKeptStore: with Keep the run's keys stay, and no later run takes them for those of a dead
// one.
func TestKeptStore(t *testing.T) {
	host, others := start(t)
	s := connect(t, host, etcd.Remote{Keep: true})
	require.NoError(t, s.Put(t.Context(), "/registry/a", []byte("kept")))
	require.NoError(t, s.Close())
	next := connect(t, host, etcd.Remote{})
	assert.Empty(t, next.Swept())
	assert.Contains(t, held(t, others), s.Prefix()+"/registry/a")
}

// TestTwoRuns: two runs on one etcd do not affect each other.
func TestTwoRuns(t *testing.T) {
	host, _ := start(t)
	one, two := connect(t, host, etcd.Remote{}), connect(t, host, etcd.Remote{})
	assert.NotEqual(t, one.Prefix(), two.Prefix())
	assert.Empty(t, two.Swept(), "one that lives was swept")
	require.NoError(t, one.Put(t.Context(), "/registry/a", []byte("1")))
	now, _, err := two.Now(t.Context(), func(string) bool { return true })
	require.NoError(t, err)
	assert.Empty(t, now)
	require.NoError(t, one.Close())
	require.NoError(t, two.Put(t.Context(), "/registry/a", []byte("2")))
}

func TestConnectRefuses(t *testing.T) {
	host, others := start(t)
	nobody := etcd.Remote{Endpoints: []string{"https://127.0.0.1:1"}}
	at := remoteAt(t, host, etcd.Remote{})
	with := func(change func(*etcd.Remote)) etcd.Remote {
		c := at
		change(&c)
		return c
	}
	const taken = "/skewsim-00000000000000aa"
	put(t, others, taken+"/x", "1")
	for name, c := range map[string]struct {
		at    etcd.Remote
		words string
	}{
		"nobody":         {nobody, "etcd at https://127.0.0.1:1: .*connection refused.*; nothing listens there: is it running, and is that its client port\\?"},
		"no endpoint":    {etcd.Remote{}, "etcd: no endpoint named; want URLs such as https://127.0.0.1:2379"},
		"a password":     {with(func(c *etcd.Remote) { c.Endpoints = []string{"https://me:s3cret@h:2379"} }), `etcd endpoint 1 of 1 names a user: skewsim sends no user and password to etcd; use a client certificate.*`},
		"no URL":         {with(func(c *etcd.Remote) { c.Endpoints = []string{"127.0.0.1:2379"} }), `etcd endpoint "127.0.0.1:2379": want a URL such as https://127.0.0.1:2379`},
		"mixed":          {with(func(c *etcd.Remote) { c.Endpoints = []string{"https://h:1", "http://h:1"} }), `etcd endpoint "http://h:1": some are https and some http.*`},
		"no authority":   {with(func(c *etcd.Remote) { c.CAFile = "" }), ".*unknown authority.*; name its authority's certificate with --etcd-cafile"},
		"no certificate": {with(func(c *etcd.Remote) { c.CertFile, c.KeyFile = "", "" }), ".*certificate required.*; it asks for a client certificate: name one with --etcd-certfile and --etcd-keyfile"},
		"half":           {with(func(c *etcd.Remote) { c.KeyFile = "" }), "etcd: a client certificate needs its key.*"},
		"no such file":   {with(func(c *etcd.Remote) { c.CAFile = "/nonexistent" }), "etcd: certificates: .*no such file.*"},
		"http":           {with(func(c *etcd.Remote) { c.Endpoints = []string{"http" + strings.TrimPrefix(at.Endpoints[0], "https")} }), `etcd endpoint ".*": certificates need https: use https, or omit them`},
		"http to TLS": {with(func(c *etcd.Remote) {
			c.Endpoints, c.CAFile, c.CertFile, c.KeyFile = []string{"http" + strings.TrimPrefix(at.Endpoints[0], "https")}, "", "", ""
		}), ".*; is it an etcd\\?.*"},
		"a prefix":  {with(func(c *etcd.Remote) { c.Prefix = "/registry" }), `prefix "/registry": want /skewsim- and 16 hexadecimal digits`},
		"not empty": {with(func(c *etcd.Remote) { c.Prefix = taken }), ".*keys that begin with " + taken + ": there are 1 already.*"},
	} {
		t.Run(name, func(t *testing.T) {
			before := held(t, others)
			c.at.Dir = filepath.Join(t.TempDir(), "store")
			s, err := etcd.Connect(t.Context(), c.at)
			if err == nil {
				assert.NoError(t, s.Close())
			}
			require.Error(t, err)
			assert.Regexp(t, "(?s)^store: "+c.words+"$", err.Error())
			assert.Equal(t, before, held(t, others), "it left something")
			assert.Empty(t, leasesOf(t, others), "it left something")
		})
	}
}

// TestUserNeedsNoMore: with authentication on, a user who may read and write the simulator's
// keys is enough, and errors name the missing permission.
func TestUserNeedsNoMore(t *testing.T) {
	withUser := func(t *testing.T, begin, end string) etcd.Remote {
		host, others := start(t)
		ctx := t.Context()
		put(t, others, "/registry/a", "another's")
		for _, user := range []string{"root", certified} {
			_, err := others.UserAddWithOptions(ctx, user, "", &clientv3.UserAddOptions{NoPassword: true})
			require.NoError(t, err)
			_, err = others.RoleAdd(ctx, user)
			require.NoError(t, err)
			_, err = others.UserGrantRole(ctx, user, user)
			require.NoError(t, err)
		}
		_, err := others.RoleGrantPermission(ctx, certified, begin, end, clientv3.PermissionType(clientv3.PermReadWrite))
		require.NoError(t, err)
		_, err = others.AuthEnable(ctx)
		require.NoError(t, err)
		return remoteAt(t, host, etcd.Remote{})
	}
	t.Run("and no less", func(t *testing.T) {
		at := withUser(t, "/skewsim-0", "/skewsim-9")
		const words = "permission denied; let the user read and write keys from /skewsim- to /skewsim. (etcdctl role grant-permission ROLE readwrite /skewsim- /skewsim.)"
		_, err := etcd.Connect(t.Context(), at)
		assert.ErrorContains(t, err, words)
		assert.ErrorContains(t, etcd.Check(t.Context(), at), words)
	})
	t.Run("that much", func(t *testing.T) {
		at := withUser(t, "/skewsim-", "/skewsim.")
		require.NoError(t, etcd.Check(t.Context(), at))
		s, err := etcd.Connect(t.Context(), at)
		require.NoError(t, err)
		w, j := watch(t, s)
		_, c := openGate(t, s)
		put(t, c, "/registry/a", "1")
		settle(t, w)
		assert.Len(t, j.all(), 1)
		assert.NoError(t, s.Close())
	})
}

// certified is the common name of a store's client certificate.
const certified = "client"

// TestCheckChangesNothing: Check leaves nothing behind.
func TestCheckChangesNothing(t *testing.T) {
	host, others := start(t)
	before := held(t, others)
	require.NoError(t, etcd.Check(t.Context(), remoteAt(t, host, etcd.Remote{})))
	assert.Equal(t, before, held(t, others))
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	assert.Error(t, etcd.Check(ctx, remoteAt(t, host, etcd.Remote{})))
}
