package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestCheckShare: a directory with foreign files is refused; a new, an empty one, and one of an earlier preflight are
// not.
func TestCheckShare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	require.NoError(t, checkShare(dir))
	require.NoError(t, checkShare(dir), "it is empty")
	require.NoError(t, os.WriteFile(filepath.Join(dir, reports.PreflightPage), nil, 0o600))
	require.NoError(t, checkShare(dir), "of an earlier preflight")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))
	assert.True(t, fault.Is(checkShare(dir), fault.User))
}

// TestCheck: a word that names no release is refused with the flag, as are a SOURCE that does not exist, and flags for
// another kind of source.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) []string { return []string{filepath.Join(dir, name)} }
	for _, name := range []string{"a", "a.yaml"} {
		require.NoError(t, os.WriteFile(at(name)[0], nil, 0o600))
	}
	for name, c := range map[string]struct {
		f       sourceFlags
		refused bool
	}{
		"missing":            {sourceFlags{sources: at("missing")}, true},
		"prefix":             {sourceFlags{sources: at("a"), prefix: "/a"}, false},
		"prefix, manifests":  {sourceFlags{sources: at("a.yaml"), prefix: "/a"}, true},
		"prefix, folder":     {sourceFlags{sources: []string{dir}, prefix: "/a"}, true},
		"keys":               {sourceFlags{sources: at("a"), encryption: "k"}, false},
		"keys, cluster":      {sourceFlags{encryption: "k"}, true},
		"keys, two":          {sourceFlags{sources: append(at("a"), at("a.yaml")...), encryption: "k"}, true},
		"standard input":     {sourceFlags{sources: []string{"-"}}, false},
		"keys, input":        {sourceFlags{sources: []string{"-"}, encryption: "k"}, true},
		"Secrets":            {sourceFlags{cluster: cluster.Options{Secrets: true}}, false},
		"Secrets and SOURCE": {sourceFlags{sources: at("a"), cluster: cluster.Options{Secrets: true}}, true},
		"release":            {sourceFlags{from: "v1.36", sources: at("a")}, false},
		"no release":         {sourceFlags{from: "banana", sources: at("a")}, true},
		"cluster":            {sourceFlags{cluster: cluster.Options{Kubeconfig: "k"}}, false},
		"cluster and SOURCE": {sourceFlags{cluster: cluster.Options{Kubeconfig: "k"}, sources: at("a")}, true},
		"save and SOURCE":    {sourceFlags{save: "s", sources: at("a")}, true},
	} {
		err := (&options{sourceFlags: c.f, failOn: "any", dir: filepath.Join(t.TempDir(), "out")}).check()
		assert.Equal(t, c.refused, fault.Is(err, fault.User), "%s: %v", name, err)
	}
	err := (&options{to: "banana", failOn: "any", dir: filepath.Join(t.TempDir(), "out")}).check()
	assert.ErrorContains(t, err, "to banana")
}

// TestIsBack: only an older minor release is one to go back to; a build that names no version may be.
func TestIsBack(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{{"v1.37.2", "v1.36", true}, {"v1.36.3", "v1.37.2", false}, {"v1.36.3", "v1.36.1", false}, {"v1.37", "source:../kubernetes", true}} {
		assert.Equal(t, c.want, isBack(c.from, c.to), c)
	}
}

// TestUnread: a cluster that cannot be reached is a source that cannot be read; an interrupted preflight is not the
// user's error, nor is any other.
func TestUnread(t *testing.T) {
	refused := fmt.Errorf("cluster: %w", &net.OpError{Op: "dial", Err: errors.New("connection refused")})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.True(t, fault.Is(options{}.unread(t.Context(), refused), fault.User))
	assert.False(t, fault.Is(options{}.unread(ended, refused), fault.User))
	assert.False(t, fault.Is(options{}.unread(t.Context(), errors.New("disk")), fault.User))
}

// TestFleetWithABrokenMember: a directory that has no preflight is a row that says so, beside those that have one, and
// is the user's mistake; of broken directories alone there is no page.
func TestFleetWithABrokenMember(t *testing.T) {
	good, broken := t.TempDir(), t.TempDir()
	result := preflight.Result{SchemaVersion: preflight.SchemaVersion, Hops: []preflight.Hop{{Up: preflight.Ready, Back: preflight.Ready, Kinds: []preflight.Kind{{Kind: "A", Objects: 1}}, Phases: []preflight.Phase{{Name: preflight.PhaseAlone}, {Name: preflight.PhaseWritten}}}}}
	text, err := json.Marshal(result)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(good, "preflight.json"), text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "preflight.json"), []byte("{"), 0o600))
	for name, c := range map[string]struct {
		dirs         []string
		page, isUser bool
	}{"good": {[]string{good}, true, false}, "one broken": {[]string{good, broken, good}, true, true}, "broken": {[]string{broken}, false, true}} {
		f := options{sourceFlags: sourceFlags{sources: c.dirs}, fleet: true, failOn: "any", dir: filepath.Join(t.TempDir(), "fleet")}
		a := newApp()
		a.Out = io.Discard
		err := runFleet(a, f)
		assert.Equal(t, c.isUser, fault.Is(err, fault.User), "%s: %v", name, err)
		page, err := os.ReadFile(filepath.Join(f.dir, reports.PreflightFleetPage))
		assert.Equal(t, c.page, err == nil, name)
		assert.Equal(t, c.page && c.isUser, strings.Contains(string(page), "is not the preflight.json of a preflight"), name)
	}
}
