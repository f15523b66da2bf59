package preflights

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/objects/cluster"
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

// TestCheck: a word that names no release is refused with the flag, and a SOURCE beside the flags of a cluster.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		f       sourceFlags
		refused bool
	}{
		"release":            {sourceFlags{from: "v1.36", sources: []string{"a"}}, false},
		"no release":         {sourceFlags{from: "banana", sources: []string{"a"}}, true},
		"cluster":            {sourceFlags{cluster: cluster.Options{Kubeconfig: "k"}}, false},
		"cluster and SOURCE": {sourceFlags{cluster: cluster.Options{Kubeconfig: "k"}, sources: []string{"a"}}, true},
		"save and SOURCE":    {sourceFlags{save: "s", sources: []string{"a"}}, true},
	} {
		err := (&options{sourceFlags: c.f, failOn: "any", dir: filepath.Join(t.TempDir(), "out")}).check()
		assert.Equal(t, c.refused, fault.Is(err, fault.User), "%s: %v", name, err)
	}
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
