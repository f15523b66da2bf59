package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/snapshot"
)

// TestStated: a release that is older than what the snapshot says of itself does not fit; the same minor
// release, a newer one, and one of a snapshot that says nothing do.
func TestStated(t *testing.T) {
	for name, c := range map[string]struct {
		from, guess, want string
		refused           bool
	}{
		"nothing said":    {"", "", "", false},
		"guessed":         {"", "v1.36.2", "v1.36", false},
		"given":           {"v1.36", "", "v1.36", false},
		"same minor":      {"v1.36.1", "v1.36.9", "v1.36.1", false},
		"older than that": {"v1.36", "v1.37.2", "", true},
		"newer kubelets":  {"v1.37", "v1.36.2", "v1.37", false},
		"a build":         {"kube-apiserver@v1.35.4", "v1.36.2", "", true},
		"a checkout":      {"source:../kubernetes", "v1.36.2", "source:../kubernetes", false},
	} {
		release, _, err := sourceFlags{from: c.from}.stated(snapshot.Guess{Release: c.guess, Source: "a test"})
		assert.Equal(t, c.refused, fault.Is(err, fault.User), "%s: %v", name, err)
		assert.Equal(t, c.want, release, name)
	}
}

// TestSnapshotIsRemoved: the copy of a snapshot is removed when the flags do not fit it, and when what follows fails;
// until then it is there.
func TestSnapshotIsRemoved(t *testing.T) {
	file, raw := taken(t, "/registry")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	left := func() (names []string) {
		all, err := os.ReadDir(temporary)
		require.NoError(t, err)
		for _, at := range all {
			names = append(names, at.Name())
		}
		return names
	}
	for name, f := range map[string]sourceFlags{
		"prefix":    {prefix: "/nowhere", from: "v1.36.3"},
		"release":   {from: "banana"},
		"far":       {from: "v9"},
		"unstated":  {},
		"keys":      {from: "v1.36.3", encryption: filepath.Join(temporary, "missing")},
		"truncated": {from: "v1.36.3", sources: []string{truncated(t, raw)}},
	} {
		if f.sources == nil {
			f.sources = []string{file}
		}
		require.Error(t, options{sourceFlags: f, to: "v1.37.2"}.play(t.Context(), newApp()), name)
		assert.Empty(t, left(), name)
	}
	_, closed, err := sourceFlags{sources: []string{file}, from: "v1.36.3"}.open(t.Context(), newApp())
	require.NoError(t, err)
	assert.Len(t, left(), 1)
	closed()
	assert.Empty(t, left())
}

// taken takes a snapshot of a store with an object below each of some prefixes.
func taken(t *testing.T, prefixes ...string) (file string, raw []byte) {
	t.Helper()
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer store.Close()
	for _, prefix := range prefixes {
		require.NoError(t, store.Put(t.Context(), prefix+"/configmaps/a/b", []byte(`{"apiVersion":"v1","kind":"ConfigMap"}`)))
	}
	client, err := store.Client()
	require.NoError(t, err)
	defer client.Close()
	content, err := client.Snapshot(t.Context())
	require.NoError(t, err)
	raw, err = io.ReadAll(content)
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "snapshot.db")
	require.NoError(t, os.WriteFile(file, raw, 0o600))
	return file, raw
}

// TestChoose: the prefix is the one that the user names, or else that of the flags of the user's servers; of
// OpenShift's two, these name one.
func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		stored        []string
		prefix, flags string
		want          []string // nil: refused
	}{
		"default":           {[]string{"/registry"}, "", "", []string{"/registry"}},
		"no flag":           {[]string{"/registry"}, "", "--feature-gates=A=true", []string{"/registry"}},
		"of the servers":    {[]string{"/prod"}, "", "--etcd-prefix=/prod", []string{"/prod"}},
		"of two":            {[]string{"/registry", "/prod"}, "", "--etcd-prefix=prod/", []string{"/prod"}},
		"named":             {[]string{"/registry", "/prod"}, "/registry", "--etcd-prefix=/prod", []string{"/registry"}},
		"OpenShift":         {[]string{"/kubernetes.io", "/openshift.io"}, "", "--etcd-prefix=kubernetes.io", []string{"/kubernetes.io", "/openshift.io"}},
		"of no key":         {[]string{"/registry"}, "", "--etcd-prefix=/prod", nil},
		"unknown, no flags": {[]string{"/prod"}, "", "", nil},
	} {
		f := sourceFlags{prefix: c.prefix}
		if c.flags != "" {
			f.serverFlags = filepath.Join(t.TempDir(), "flags")
			require.NoError(t, os.WriteFile(f.serverFlags, []byte(c.flags+"\n"), 0o600))
			o := options{sourceFlags: f}
			require.NoError(t, o.readFlags(), name)
			f = o.sourceFlags
		}
		file, _ := taken(t, c.stored...)
		s, err := snapshot.Open(t.Context(), file, t.TempDir())
		require.NoError(t, err)
		defer s.Close()
		err = f.choose(s)
		assert.Equal(t, c.want == nil, fault.Is(err, fault.User), "%s: %v", name, err)
		if c.want != nil {
			assert.Equal(t, c.want, s.Prefixes(), name)
		}
	}
}

func truncated(t *testing.T, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "truncated.db")
	require.NoError(t, os.WriteFile(name, content[:len(content)/2], 0o600))
	return name
}
