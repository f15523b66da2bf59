package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// TestPlacebosOnRealServers plays the scenarios of kube-apiserver with one release at
// both ends: nothing changes, so nothing may be found. Each is played with its old
// release or with its new one, in turn, since both would take as long again. The same
// scenarios give their findings in TestCatalogueOnRealServers, so that a placebo is not
// silent for being empty.
func TestPlacebosOnRealServers(t *testing.T) {
	r := newReal(t)
	for pair, all := range playable(t) {
		r.t = t // subtests had theirs
		for role, entries := range inTurns(all) {
			out := filepath.Join(t.TempDir(), string(role))
			args := []string{"run", "--placebo", string(role), "--out", out}
			if pair != "" {
				args = append(args, "--pair", pair)
			}
			for _, e := range entries {
				args = append(args, e.Path())
			}
			r.run(args...).want(t, exitExpected, fmt.Sprintf(": %d pass", len(entries)))
			for _, e := range entries {
				t.Run(e.Name+" "+string(role), func(t *testing.T) {
					wantSilence(t, resultOf(t, filepath.Join(out, e.Name+"-placebo-"+string(role))))
				})
			}
		}
	}
}

// inTurns has one scenario played with its old release, the next with its new one.
func inTurns(all []scenarios.Entry) map[term.Role][]scenarios.Entry {
	turns := map[term.Role][]scenarios.Entry{}
	for i, e := range all {
		role := []term.Role{term.Old, term.New}[i%2]
		if _, err := e.Scenario.Placebo(role); err != nil {
			role = term.New // the old release's leaves out whatever may be the change
		}
		if strings.HasPrefix(e.Name, "ratchet-") {
			role = term.Old // the new one refuses what these are about
		}
		// A chain has no ends to be made one, and each of these kinds one release alone serves.
		if len(e.Scenario.Releases.Through) == 0 && e.Name != "storage-undecodable" {
			turns[role] = append(turns[role], e)
		}
	}
	return turns
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
