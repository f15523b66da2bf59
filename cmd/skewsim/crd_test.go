package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/term"
)

// TestKubernetesCustomResources plays every scenario of custom resources: each finds
// exactly what it expects.
func TestKubernetesCustomResources(t *testing.T) {
	r, out := newReal(t), filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--out", out}
	var names []string
	for _, name := range tiers.Plays(t, tiers.Kubernetes).Scenarios {
		if s, err := scenarios.Find(name); err == nil && s.Releases.Of == "crd" {
			args, names = append(args, name), append(names, s.Name)
		}
	}
	if len(names) == 0 {
		t.Fatal("the catalogue has no scenario of custom resources")
	}
	r.run(args...).want(t, exitExpected)
	wantNoServers(t, out)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if res := resultOf(t, filepath.Join(out, name)); res.Verdict != term.Pass {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			wantContents(t, filepath.Join(out, name))
		})
	}
}

// TestKubernetesCustomResourceMutants plays the mutants of custom resources, such as a
// conversion webhook that loses a field: each must fail its run, by its check.
func TestKubernetesCustomResourceMutants(t *testing.T) {
	newReal(t)
	for _, name := range tiers.Plays(t, tiers.Kubernetes).Mutants {
		if !strings.HasPrefix(name, "crd/") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			code, res := play(t, name)
			if code != exitDiffers || res.Twin == nil || !res.Twin.Caught {
				t.Errorf("exit code %d, %s: %s; mutant: %+v", code, res.Verdict, res.Reason, res.Twin)
			}
		})
	}
}
