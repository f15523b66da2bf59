package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// shared is an etcd that holds the data of others before the run.
type shared struct {
	t      *testing.T
	client *clientv3.Client
	flags  []string
	before map[string]string
	first  int64
}

func newShared(t *testing.T) *shared {
	t.Helper()
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	c, err := s.Client()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	at := s.Store()
	h := &shared{t: t, client: c, flags: []string{
		"--etcd", at.Endpoint, "--etcd-cafile", at.CAFile, "--etcd-certfile", at.CertFile, "--etcd-keyfile", at.KeyFile,
	}}
	for i := range 50 {
		r, err := c.Put(t.Context(), fmt.Sprintf("/registry/frobbing.example.com/frobbers/skewsim-add-field/%d", i%20), fmt.Sprintf("k8s\x00another's %d", i))
		require.NoError(t, err)
		if i == 0 {
			h.first = r.Header.Revision
		}
	}
	h.before = h.holds()
	return h
}

// holds is all that the etcd holds, with its revisions.
func (h *shared) holds() map[string]string {
	r, err := h.client.Get(h.t.Context(), "\x00", clientv3.WithFromKey())
	require.NoError(h.t, err)
	all := map[string]string{}
	for _, kv := range r.Kvs {
		all[string(kv.Key)] = fmt.Sprint(string(kv.Value), kv.CreateRevision, kv.ModRevision, kv.Version, kv.Lease)
	}
	return all
}

// wantUntouched: nothing is left of any run, and what others hold is as it was, with its
// past.
func (h *shared) wantUntouched() {
	h.t.Helper()
	assert.Equal(h.t, h.before, h.holds())
	leases, err := h.client.Leases(h.t.Context())
	require.NoError(h.t, err)
	assert.Empty(h.t, leases.Leases)
	_, err = h.client.Get(h.t.Context(), "\x00", clientv3.WithFromKey(), clientv3.WithRev(h.first))
	assert.NoError(h.t, err, "the past has been compacted")
}

// TestFrobberRunOnAnEtcd: a run on an etcd that is there already finds what it finds on one of
// its own, and leaves it as it was, however the run ends.
func TestFrobberRunOnAnEtcd(t *testing.T) {
	r, h := tool(t), newShared(t)
	findings := func(out string) string {
		text, err := json.MarshalIndent(resultOf(t, out).Findings, "", " ")
		require.NoError(t, err)
		return string(text)
	}
	play := func(t *testing.T, code int, args ...string) string {
		t.Helper()
		r.t, h.t = t, t
		out := filepath.Join(t.TempDir(), "out")
		r.run(append(args, "--out", out)...).want(t, code)
		wantNoServers(t, out)
		return out
	}
	t.Run("as on one of its own", func(t *testing.T) {
		small := lean(t, t.TempDir(), "small", "")
		own := play(t, ExitExpected, "run", small, "-q")
		theirs := play(t, ExitExpected, append([]string{"run", small, "-q"}, h.flags...)...)
		assert.NotEqual(t, "[]", findings(own))
		assert.Equal(t, findings(own), findings(theirs))
		h.wantUntouched()
		assert.Equal(t, &term.Store{Kind: term.StoreEmbedded, Version: etcd.EmbeddedVersion()}, resultOf(t, own).Store)
		told := resultOf(t, theirs)
		assert.Equal(t, toldBy(h.flags), told.Store)
		assert.Contains(t, told.Notes, fmt.Sprintf("the store was an existing etcd: %s, at %s", told.Store.Version, told.Store.Endpoints[0]))
		wantRejudged(t, r, theirs)
		report, err := os.ReadFile(filepath.Join(theirs, "report.md"))
		require.NoError(t, err)
		assert.Contains(t, string(report), " "+strings.Join(h.flags, " ")+" ", "the command that plays it again")
	})
	t.Run("encrypted", func(t *testing.T) { // values are bound to their keys
		play(t, ExitExpected, append([]string{"run", lean(t, t.TempDir(), "bound", encrypted), "-q"}, h.flags...)...)
		h.wantUntouched()
	})
	t.Run("several at once", func(t *testing.T) {
		dir := t.TempDir()
		files := []string{lean(t, dir, "a", ""), lean(t, dir, "b", ""), lean(t, dir, "c", "replicas: 1\n")} // on two journeys
		play(t, ExitExpected, append(append([]string{"run", "-q"}, files...), h.flags...)...)
		h.wantUntouched()
	})
	t.Run("a chain", func(t *testing.T) {
		play(t, ExitExpected, append([]string{"run", "train", "--through", "frobber@1.0..1.2", "-q"}, h.flags...)...)
		h.wantUntouched()
	})
	t.Run("fuzz", func(t *testing.T) {
		play(t, ExitExpected, append([]string{"fuzz", "frobber@1.2..1.3", "--count", "10"}, h.flags...)...)
		h.wantUntouched()
	})
}

// toldBy is what a result says of the embedded etcd that the flags name.
func toldBy(flags []string) *term.Store {
	s := &term.Store{Kind: term.StoreExisting, Version: etcd.EmbeddedVersion()}
	for i := 0; i < len(flags); i += 2 {
		switch value := flags[i+1]; flags[i] {
		case "--etcd":
			s.Endpoints = []string{value}
		case "--etcd-cafile":
			s.CAFile = value
		case "--etcd-certfile":
			s.CertFile = value
		case "--etcd-keyfile":
			s.KeyFile = value
		}
	}
	return s
}

// TestToldStore: an error names an etcd that does not answer as the user named it,
// without user and password.
func TestToldStore(t *testing.T) {
	a := &App{Err: t.Output()}
	assert.Equal(t, &term.Store{Kind: term.StoreExisting, Endpoints: []string{"https://127.0.0.1:1"}},
		engine.RecordedStore(t.Context(), engine.Store{Etcd: []string{"https://me:secret@127.0.0.1:1"}}, a.Builds()))
	odd := engine.RecordedStore(t.Context(), engine.Store{Etcd: []string{"https://me:se%cret@h:1", "https://127.0.0.1:1"}}, a.Builds())
	assert.Equal(t, []string{"", "https://127.0.0.1:1"}, odd.Endpoints)
}

// TestFrobberEndsOnAnEtcd: however a run on an etcd that is there already ends, it is left as it
// was: by the run itself, or by the next one where that was killed.
func TestFrobberEndsOnAnEtcd(t *testing.T) {
	r, h := tool(t), newShared(t)
	small := lean(t, t.TempDir(), "small", "")
	t.Run("interrupted", func(t *testing.T) {
		r.t, h.t = t, t
		out := filepath.Join(t.TempDir(), "out")
		r.until("upgrading 1/2: a=new b=old", kill(syscall.SIGINT), append([]string{"run", small, "--out", out}, h.flags...)...).
			want(t, ExitUnjudged, "the run was interrupted")
		h.wantUntouched()
	})
	t.Run("killed, and swept by the next", func(t *testing.T) {
		r.t, h.t = t, t
		out := filepath.Join(t.TempDir(), "out")
		r.until("upgrading 1/2: a=new b=old", kill(syscall.SIGKILL), append([]string{"run", small, "--out", out}, h.flags...)...).want(t, -1)
		wantNoServers(t, out)
		left := h.holds()
		assert.Greater(t, len(left), len(h.before)+3)
		leases, err := h.client.Leases(t.Context())
		require.NoError(t, err)
		for _, l := range leases.Leases { // they end by themselves, in a minute and in an hour
			_, err := h.client.Revoke(t.Context(), l.ID)
			require.NoError(t, err)
		}
		r.run(append([]string{"run", small, "-q", "--out", out}, h.flags...)...).
			want(t, ExitExpected, "from the etcd: a killed run had left it there")
		h.wantUntouched()
	})
	t.Run("kept", func(t *testing.T) {
		r.t, h.t = t, t
		o := r.run(append([]string{"run", small, "-q", "--keep-store", "--out", filepath.Join(t.TempDir(), "out")}, h.flags...)...)
		o.want(t, ExitExpected, "the run's keys stay in the etcd, under /skewsim-")
		_, after, _ := strings.Cut(o.stderr, "under ")
		prefix := strings.Fields(after)[0]
		left := h.holds()
		maps.DeleteFunc(left, func(key, _ string) bool { return !strings.HasPrefix(key, prefix+"/registry/") })
		assert.NotEmpty(t, left)
	})
}

// encrypted has a scenario's servers encrypt with what holds a value's key against it.
const encrypted = `old: {encryption: {resources: [frobbers.frobbing.example.com], provider: aesgcm, key: k1}}
new: {encryption: {resources: [frobbers.frobbing.example.com], provider: aesgcm, key: k1}}
`

// TestStoreOpensAgain: a store that could not be opened leaves nothing, so that another
// attempt says what is wrong with itself; one that is open is left alone.
func TestStoreOpensAgain(t *testing.T) {
	dir := &rundir.Dir{Path: t.TempDir()}
	require.NoError(t, os.MkdirAll(dir.File("logs"), 0o700))
	all := engine.Stores{Dir: dir, Builds: (&App{Err: t.Output()}).Builds()}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := all.Open(ended, "trial-new")
	require.Error(t, err)
	assert.NoDirExists(t, dir.File("stores/trial-new"))
	first, err := all.Open(t.Context(), "trial-new")
	require.NoError(t, err)
	_, err = all.Open(t.Context(), "trial-new")
	assert.ErrorIs(t, err, fs.ErrExist)
	assert.FileExists(t, dir.File("stores/trial-new/data/member/snap/db"))
	assert.NoError(t, first.Close())
}
