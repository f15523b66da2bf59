package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// TestNightlyAAOnKubernetes plays the scenarios of kube-apiserver with one release at both
// ends: nothing changes, so nothing may be found. The same scenarios give their findings in
// TestKubernetesCatalogue, so that an A/A run is not silent for being empty.
func TestNightlyAAOnKubernetes(t *testing.T) {
	r, all := newReal(t), tiers.Plays(t, tiers.Nightly)
	for role, names := range map[term.Role][]string{term.Old: all.Old, term.New: all.New} {
		for pair, entries := range shownBy(t, pairUnderTest(t), kubernetesOf(t, names)) {
			r.t = t // subtests had theirs
			out := filepath.Join(t.TempDir(), string(role))
			entries = slices.DeleteFunc(entries, func(e scenarios.Entry) bool { return !hasAA(e, role) })
			args := []string{"run", "--placebo", string(role), "--out", out}
			if pair != "" {
				args = append(args, "--pair", pair)
			}
			for _, e := range entries {
				args = append(args, e.Path())
			}
			r.run(args...).want(t, exitExpected)
			for _, e := range entries {
				t.Run(e.Name+" "+string(role), func(t *testing.T) {
					wantSilence(t, resultOf(t, filepath.Join(out, e.Name+"-placebo-"+string(role))))
				})
			}
		}
	}
}

// hasAA reports whether a scenario can be played with this release at both ends. A chain has
// no ends; the old release's run may leave nothing to play; the new release refuses what
// ratchets are about; and one release alone serves
// the kind of storage-undecodable.
func hasAA(e scenarios.Entry, role term.Role) bool {
	if len(e.Scenario.Releases.Through) > 0 || e.Name == "storage-undecodable" || role == term.New && strings.HasPrefix(e.Name, "ratchet-") {
		return false
	}
	_, err := e.Scenario.Placebo(role)
	return err == nil
}

// wantSilence holds that the run looked, at one release alone, and found nothing.
func wantSilence(t *testing.T, res result.Result) {
	t.Helper()
	if len(res.Findings) > 0 {
		t.Errorf("%d findings, the first: %s", len(res.Findings), res.Findings[0].Message)
	}
	if len(res.Releases) != 2 || res.Releases[0] != res.Releases[1] {
		t.Errorf("releases %v: want one at both ends", res.Releases)
	}
	if len(res.Checks) == 0 {
		t.Error("no check was made")
	}
	for _, c := range res.Checks {
		if c.Judged == 0 || c.Verdict != term.Pass {
			t.Errorf("check %s: %s, judged %d", c.Name, c.Verdict, c.Judged)
		}
	}
}

func resultOf(t *testing.T, out string) result.Result {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(out, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var res result.Result
	if err := json.Unmarshal(raw, &res); err != nil {
		t.Fatal(err)
	}
	return res
}
