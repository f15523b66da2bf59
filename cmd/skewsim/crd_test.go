package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/neighbours"
)

func TestKubernetesCustomResources(t *testing.T) { playCustomResources(t, tiers.Kubernetes) }
func TestNightlyCustomResources(t *testing.T)    { playCustomResources(t, tiers.Nightly) }

// playCustomResources plays the scenarios of custom resources: each finds exactly what it
// expects. One that names its kube-apiserver is played apart, since that may be withheld.
func playCustomResources(t *testing.T, tier tiers.Tier) {
	r := newReal(t)
	var together []load.Entry
	all := crdOf(t, tiers.Plays(t, tier).Scenarios)
	wantSome(t, all)
	for _, e := range all {
		if e.Scenario.Releases.Server == "" {
			together = append(together, e)
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			server, err := servers.ParseReference(e.Scenario.Releases.Server)
			if err != nil {
				t.Fatal(err)
			}
			buildAll(t, server)
			playTogether(t, real{t, r.bin}, e)
		})
	}
	if len(together) > 0 {
		playTogether(t, r, together...)
	}
}

// playTogether plays scenarios in one command, and wants each to pass.
func playTogether(t *testing.T, r real, all ...load.Entry) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--out", filepath.Join(out, all[0].Name)}
	if len(all) > 1 {
		args[2] = out
	}
	for _, e := range all {
		args = append(args, e.Path())
	}
	r.run(args...).want(t, ExitExpected)
	wantNoServers(t, out)
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			if res := resultOf(t, filepath.Join(out, e.Name)); res.Verdict != term.Pass {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			wantContents(t, filepath.Join(out, e.Name))
		})
	}
}

// crdOf are the scenarios of custom resources among these names.
func crdOf(t *testing.T, names []string) []load.Entry {
	t.Helper()
	return slices.DeleteFunc(catalogued(t, names), func(e load.Entry) bool { return e.Scenario.Releases.Of != "crd" })
}

func TestKubernetesCustomResourceMutants(t *testing.T) {
	playCustomResourceMutants(t, tiers.Kubernetes)
}
func TestNightlyCustomResourceMutants(t *testing.T) { playCustomResourceMutants(t, tiers.Nightly) }

// playCustomResourceMutants plays the mutants of custom resources, such as a conversion
// webhook that loses a field: each must fail its run, by its check.
func playCustomResourceMutants(t *testing.T, tier tiers.Tier) {
	newReal(t)
	all := slices.DeleteFunc(tiers.Plays(t, tier).Mutants, func(name string) bool { return !strings.HasPrefix(name, "crd/") })
	wantSome(t, all)
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			code, res := playScenario(t, name)
			if code != ExitDiffers || res.Mutant == nil || !res.Mutant.Caught {
				t.Errorf("exit code %d, %s: %s; mutant: %+v", code, res.Verdict, res.Reason, res.Mutant)
			}
		})
	}
}

// TestKubernetesEnvtest: with nothing in the cache, definitions are played on the kube-apiserver that
// is in envtest's directory, and nothing is built.
func TestKubernetesEnvtest(t *testing.T) {
	r := newReal(t)
	_, server := neighbours.Pair(t)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(server.Path, filepath.Join(dir, "kube-apiserver")))
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	out := filepath.Join(t.TempDir(), "out")
	r.run("run", "crd-added-field", "--quiet", "--out", out).want(t, ExitExpected, filepath.Join(dir, "kube-apiserver"), server.Version)
	for _, b := range resultOf(t, out).Builds {
		assert.Equal(t, "path:"+filepath.Join(dir, "kube-apiserver"), b.Server)
	}
	assert.Empty(t, strings.TrimSpace(r.run("builds", "list", "-o", "name").stdout))
}
