package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// TestNightlyAAOnOthers plays the scenarios of kube-apiserver, of custom resources and of
// modules with one release, old and new: nothing changes, so nothing may be found. The same
// scenarios give their findings in TestKubernetesCatalogue, TestNightlyCatalogue and
// TestNightlyChains, so that an A/A run is not silent for being empty.
func TestNightlyAAOnOthers(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	all := tiers.Plays(t, tiers.Nightly)
	for role, names := range map[term.Role][]string{term.Old: all.Old, term.New: all.New} {
		for _, e := range catalogued(t, names) {
			if e.Scenario.Releases.Of == onFrobber || !hasAA(e, role) {
				continue
			}
			t.Run(e.Name+" "+string(role), func(t *testing.T) {
				args := []string{"run", e.Path(), "--aa", string(role)}
				if e.Scenario.Releases.Of == "kube-apiserver" {
					builtOf(t, e)
				}
				out := filepath.Join(t.TempDir(), "out")
				newReal(t).run(append(args, "--out", out)...).want(t, ExitExpected)
				wantSilence(t, resultOf(t, out))
			})
		}
	}
}

// hasAA reports whether a scenario can be executed as an A/A run of this release. A chain
// cannot; the old release's run may leave nothing to play; the new release refuses what
// ratchets are about; and one release alone serves
// the kind of storage-undecodable; and the bugs of success-policy-panic and version-frozen
// are the new release's alone to show.
func hasAA(e load.Entry, role term.Role) bool {
	if e.Scenario.Releases.Of == onFrobber {
		return len(e.Scenario.Releases.Through) == 0
	}
	if len(e.Scenario.Releases.Through) > 0 || e.Name == "storage-undecodable" || role == term.New && slices.Contains([]string{"success-policy-panic", "version-frozen"}, e.Name) || role == term.New && strings.HasPrefix(e.Name, "ratchet-") {
		return false
	}
	_, err := e.Scenario.AARun(role)
	return err == nil
}

// wantSilence holds that the run looked, at one release alone, and found nothing.
func wantSilence(t *testing.T, res result.Result) {
	t.Helper()
	if len(res.Findings) > 0 {
		t.Errorf("%d findings, the first: %s", len(res.Findings), res.Findings[0].Message)
	}
	if len(res.Releases) != 2 || res.Releases[0] != res.Releases[1] {
		t.Errorf("releases %v: want the same twice", res.Releases)
	}
	if len(res.Checks) == 0 {
		t.Error("no check was made")
	}
	for _, c := range res.Checks {
		if c.Verdict != term.NotApplicable && (c.Judged == 0 || c.Verdict != term.Pass) {
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
