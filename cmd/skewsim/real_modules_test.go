package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// modulesOf are the scenarios among these names that are played on API servers of modules.
func modulesOf(t *testing.T, names []string) (paths []string) {
	t.Helper()
	for _, e := range catalogued(t, names) {
		if e.Scenario.Releases.OfModules() {
			paths = append(paths, e.Path())
		}
	}
	wantSome(t, paths)
	return paths
}

func TestKubernetesModules(t *testing.T) { playModules(t, tiers.Kubernetes) }
func TestNightlyModules(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	playModules(t, tiers.Kubernetes)
}

// playModules plays the sample API server's releases, each replica behind a
// kube-apiserver of its own: each scenario finds exactly what it expects, and nothing of
// either server is left.
func playModules(t *testing.T, tier tiers.Tier) {
	r, out, names := newReal(t), filepath.Join(t.TempDir(), "out"), modulesOf(t, tiers.Plays(t, tier).Scenarios)
	r.run(append([]string{"run", "--out", out}, names...)...).want(t, ExitExpected)
	wantNoServers(t, out)
	for _, name := range names {
		dir := filepath.Join(out, filepath.Base(name))
		wantContents(t, dir)
		wantRejudged(t, r, dir)
		played := resultOf(t, dir)
		assert.Equal(t, []string{"v0.35.4", "v0.37.0"}, played.Releases)
		for _, b := range played.Builds {
			require.NotNil(t, b.Adapter)
			assert.Empty(t, b.Adapter.File, "the scenario names it")
			assert.Regexp(t, "^[0-9a-f]{64}$", b.Adapter.Digest)
			assert.Regexp(t, `^kube-apiserver@v1\.`, b.Adapter.Behind.Reference)
			assert.NotEmpty(t, b.Adapter.Behind.Digest)
		}
		for _, log := range []string{"a-1.log", "a-1-kube-apiserver.log"} {
			assert.FileExists(t, filepath.Join(dir, "logs", log))
		}
	}
}

// TestNightlyModulesRefused: a version that is not available, a package that is not a program,
// and an unknown flag: each error says what to do.
func TestNightlyModulesRefused(t *testing.T) {
	tiers.NeedFirst(t)
	r, dir := newReal(t), t.TempDir()
	adapter := func(text string) string {
		file := filepath.Join(dir, strings.TrimSuffix(strings.Fields(text)[0], ":")+".yaml")
		require.NoError(t, os.WriteFile(file, []byte("component: sample-apiserver\n"+text), 0o600))
		return file
	}
	out := filepath.Join(dir, "out")
	run := func(args ...string) outcome {
		return r.run(append([]string{"run", "flunder", "--out", out}, args...)...)
	}
	run("--new", "module:k8s.io/sample-apiserver@v0.99.99").want(t, ExitUsage, "v0.99.99: cannot be fetched: ", "; it has v0.")
	run("--adapter", adapter("package: pkg/apiserver # library")).want(t, ExitUsage, `package "pkg/apiserver": its package apiserver is not a program; name another in package of the adapter's file: .`)
	run("--adapter", adapter("flags: [--fins=2] # fish")).want(t, ExitUsage, "it reports:\n  Error: unknown flag: --fins",
		"v0.37.0 has no flag --fins, which its adapter sets: correct it there")
	wantNoServers(t, out)
}

// TestNightlyModulesAsked: fuzz and lint ask servers that have no --runtime-config. Fuzz finds what
// aggregated/flunder-reference plays. The APIs that the kube-apiserver itself serves are not among them.
func TestNightlyModulesAsked(t *testing.T) {
	tiers.NeedFirst(t)
	r, dir := newReal(t), t.TempDir()
	const old, new = "module:k8s.io/sample-apiserver@v0.35.4", "module:k8s.io/sample-apiserver@v0.37.0"
	r.run("fuzz", old+"..v0.37.0", "--kind", "Flunder", "--count", "10", "--out", dir).want(t, ExitDiffers,
		"starting v0.35.4 and v0.37.0 on one store", "10 of 10 objects accepted", ".spec.referenceType")
	r.run("lint", new, "--since", old).want(t, ExitDiffers, "ListMeta.shardInfo: unmarked: new since "+old, "(v0.37.0): 108 fields, 0 of them with a lifecycle, 0 excused: 1 finding")
	r.run("lint", new, "--since", new).want(t, ExitExpected, ": 0 findings")
	wantNoServers(t, dir)
}
