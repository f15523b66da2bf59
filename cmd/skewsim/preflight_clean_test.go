package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
)

// adjacent are pairs of neighbouring releases.
func adjacent() []string {
	return []string{
		"kube-apiserver@v1.31.0..v1.32.13", "kube-apiserver@v1.32.13..v1.33.13", "kube-apiserver@v1.33.13..v1.34.4",
		"kube-apiserver@v1.34.4..v1.35.4", "kube-apiserver@v1.35.4..v1.36.3", "kube-apiserver@v1.36.3..v1.37.2",
	}
}

// TestNightlyPreflightClean: in a store of clean objects, as a server of the older release has made them,
// no pair of neighbours has a finding, and nothing is broken already. TestKubernetesPreflight has the
// findings in such a store with others put beside.
func TestNightlyPreflightClean(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	const objects, shapes = 2000, 300
	for _, pair := range tiers.Shard(t, adjacent()) {
		t.Run(pair, func(t *testing.T) {
			r := available(t, pair)
			ref, _, err := servers.ParsePair(pair)
			require.NoError(t, err)
			from, to, _ := strings.Cut(strings.TrimPrefix(pair, "kube-apiserver@"), "..")
			a := newApp()
			old, err := a.Builder().Build(t.Context(), ref)
			require.NoError(t, err)
			s, filled := filledStore(t, t.Context(), a, old, preflighttest.Filling{Objects: objects, Seed: 1})
			assert.GreaterOrEqual(t, filled.Shapes, shapes)
			file, out := filepath.Join(t.TempDir(), "snapshot.db"), filepath.Join(t.TempDir(), "out")
			saveSnapshot(t, t.Context(), s.Etcd, file)
			require.NoError(t, s.Close())
			r.t = t
			r.run("preflight", file, "--from", from, "--to", to, "--out", out).want(t, ExitExpected, "No finding in")
			for _, h := range readPreflight(t, out).Hops {
				for _, f := range append(h.Findings, h.Baseline...) {
					t.Errorf("a false alarm: %+v", f)
				}
			}
		})
	}
}

// TestKubernetesPreflightKilled: a preflight that is killed while servers of its copy run leaves no server
// behind, nothing that others can read, and the source as it was.
func TestKubernetesPreflightKilled(t *testing.T) {
	old, new := neighbours.Pair(t)
	r := newReal(t)
	dir := t.TempDir()
	file, temporary := filepath.Join(dir, "snapshot.db"), filepath.Join(dir, "tmp")
	require.NoError(t, os.Mkdir(temporary, 0o755))
	cleanSnapshot(t, old, preflighttest.Filling{Objects: 50, Seed: 1}, file)
	before, err := snapshot.DigestOf(t.Context(), file)
	require.NoError(t, err)

	c := exec.Command(r.bin, "preflight", file, "--from", old.Reference, "--to", new.Reference, "--out", filepath.Join(dir, "out"))
	c.Env = append(os.Environ(), "TMPDIR="+temporary)
	said, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	killed := false
	for buffer := make([]byte, 4096); ; {
		n, err := said.Read(buffer)
		if !killed && strings.Contains(string(buffer[:n]), "is ready after") {
			assert.NotEmpty(t, runningIn(t, temporary), "servers run when it is killed")
			require.NoError(t, c.Process.Kill())
			killed = true
		}
		if err != nil {
			break
		}
	}
	require.Error(t, c.Wait())
	require.True(t, killed)
	assert.Eventually(t, func() bool { return len(runningIn(t, temporary)) == 0 }, 10*time.Second, 100*time.Millisecond, "servers outlive the simulator")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.NotEmpty(t, left, "what SIGKILL leaves")
	for _, entry := range left {
		info, err := entry.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s can be read by others", entry.Name())
	}
	after, err := snapshot.DigestOf(t.Context(), file)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}

// runningIn returns the processes whose command line names a directory, without skewsim itself.
func runningIn(t *testing.T, dir string) (all []string) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), dir) && !strings.Contains(string(text), "preflight\x00") {
			all = append(all, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return all
}
