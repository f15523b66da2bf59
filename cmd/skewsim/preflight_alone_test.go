package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
)

// TestKubernetesPreflightAlone: a preflight needs nothing but loopback. In a network namespace that has no route to
// anywhere else, it is played to its end.
func TestKubernetesPreflightAlone(t *testing.T) {
	old, new := neighbours.Pair(t)
	const alone = `ip link set lo up && ! ip route get 192.0.2.1 2>/dev/null && exec "$0" "$@"`
	enter := []string{"--net", "--map-root-user", "sh", "-c", alone}
	if out, err := exec.Command("unshare", append(enter, "true")...).CombinedOutput(); err != nil {
		t.Skipf("no namespace of its own: %v: %s", err, out)
	}
	r := newReal(t)
	file, out := filepath.Join(t.TempDir(), "snapshot.db"), filepath.Join(t.TempDir(), "out")
	cleanSnapshot(t, old, preflighttest.Filling{Objects: 50, Seed: 1}, file)
	c := exec.Command("unshare", append(enter, r.bin, "preflight", file, "--from", old.Reference, "--to", new.Reference, "--out", out)...)
	said, err := c.CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.Equal(t, ExitExpected, c.ProcessState.ExitCode())
	require.Contains(t, string(said), "No finding in")
}
