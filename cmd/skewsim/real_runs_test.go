package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

// catalogued are the catalogue's scenarios of these names.
func catalogued(t *testing.T, names []string) []load.Entry {
	t.Helper()
	entries, err := load.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(entries, func(e load.Entry) bool { return !slices.Contains(names, e.Path()) })
}

// kubernetesOf are those of them that are played on kube-apiservers.
func kubernetesOf(t *testing.T, names []string) []load.Entry {
	t.Helper()
	return slices.DeleteFunc(catalogued(t, names), func(e load.Entry) bool { return e.Scenario.Releases.Of != "kube-apiserver" })
}

// TestKubernetesCatalogue plays the scenarios that the newest available pair can show; those
// with equal servers share a run. Each must find exactly what it expects.
func TestKubernetesCatalogue(t *testing.T) {
	r := newReal(t)
	playCatalogue(t, r, pairUnderTest(t), kubernetesOf(t, tiers.Plays(t, tiers.Kubernetes).Scenarios))
}

// TestNightlyCatalogue does so with every pair of the nightly that is available.
func TestNightlyCatalogue(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	all := tiers.Plays(t, tiers.Nightly)
	for _, pair := range all.Pairs {
		t.Run(pair, func(t *testing.T) {
			r := available(t, pair)
			playCatalogue(t, r, pair, kubernetesOf(t, all.Scenarios))
		})
	}
}

// available makes the builds of a pair, and skips the test where the module proxy withholds
// one of them.
func available(t *testing.T, pair string) real {
	t.Helper()
	old, new, err := servers.ParsePair(pair)
	if err != nil {
		t.Fatal(err)
	}
	buildAll(t, old, new)
	return newReal(t)
}

// builtOf makes the builds of a scenario's own releases; see available.
func builtOf(t *testing.T, e load.Entry) {
	t.Helper()
	buildAll(t, ownReleases(t, e.Scenario)...)
}

// buildAll makes builds; the test's name says of which tier it is.
func buildAll(t *testing.T, all ...servers.Reference) {
	t.Helper()
	tiers.NeedAny(t)
	cache, err := build.OpenCache("")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range all {
		_, err := kubeapiserver.PreferOffered(t.Context(), cache, ref.Version, nil)
		neighbours.NotPlayed(t, err)
	}
}

// playCatalogue plays the scenarios that a pair can show: on their own releases where the
// pair has these, else on the pair.
func playCatalogue(t *testing.T, r real, pair string, all []load.Entry) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	shown := shownBy(t, pair, all)
	wantSome(t, slices.Concat(slices.Collect(maps.Values(shown))...))
	for on, entries := range shown {
		r.t = t // subtests had theirs
		args := []string{"run", "--out", out}
		if on != "" {
			args = append(args, "--pair", on)
		}
		for _, e := range entries {
			args = append(args, e.Path())
		}
		o := r.run(args...)
		o.want(t, ExitExpected)
		wantNoServers(t, out)
		for i, e := range entries {
			t.Run(e.Name, func(t *testing.T) {
				if r.t = t; len(e.Scenario.Releases.Through) > 0 {
					return
				}
				dir := filepath.Join(out, e.Name)
				if res := resultOf(t, dir); res.Verdict != term.Pass {
					t.Errorf("%s: %s", res.Verdict, res.Reason)
				}
				wantContents(t, dir)
				if i == 0 { // recorded histories are judged anew in the unit tests
					wantRejudged(t, r, dir)
				}
			})
		}
	}
}

// shownBy are the scenarios that a pair can show, by the pair that they are played on: "",
// their own, if their releases are of the pair's minors; else the pair, if they apply to it.
func shownBy(t *testing.T, pair string, all []load.Entry) map[string][]load.Entry {
	t.Helper()
	old, new, err := servers.ParsePair(pair)
	if err != nil {
		t.Fatal(err)
	}
	minors := []string{semver.MajorMinor(old.Version), semver.MajorMinor(new.Version)}
	shown := map[string][]load.Entry{}
	for _, e := range all {
		other := func(ref servers.Reference) bool { return !slices.Contains(minors, semver.MajorMinor(ref.Version)) }
		if !slices.ContainsFunc(ownReleases(t, e.Scenario), other) {
			shown[""] = append(shown[""], e)
		} else if appliesToPair(t, e.Scenario, pair) {
			shown[pair] = append(shown[pair], e)
		}
	}
	return shown
}

// TestNightlyChains plays the scenarios over more releases than two neighbours.
func TestNightlyChains(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	all := tiers.Plays(t, tiers.Nightly)
	for _, e := range kubernetesOf(t, all.Scenarios) {
		onNoPair := !slices.ContainsFunc(all.Pairs, func(pair string) bool {
			return len(shownBy(t, pair, []load.Entry{e})) > 0
		})
		if !onNoPair {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			builtOf(t, e)
			out := filepath.Join(t.TempDir(), "out")
			newReal(t).run("run", e.Path(), "--out", out).want(t, ExitExpected)
			wantNoServers(t, out)
		})
	}
}

func ownReleases(t *testing.T, s *scenarios.Scenario) []servers.Reference {
	t.Helper()
	if len(s.Releases.Through) > 0 {
		refs, err := servers.ParseThrough(s.Releases.Through.String())
		if err != nil {
			t.Fatal(err)
		}
		return refs
	}
	old, new, err := servers.ParsePair(s.Releases.Pair)
	if err != nil {
		t.Fatal(err)
	}
	return []servers.Reference{old, new}
}

// appliesToPair reports whether a scenario of two neighbours can be played on others.
func appliesToPair(t *testing.T, s *scenarios.Scenario, pair string) bool {
	t.Helper()
	if len(s.Releases.Through) > 0 || pairing.OwnDistance(s) != 1 {
		return false
	}
	_, _, _, err := engine.Request{Scenario: s, Pair: engine.PairNames{Pair: pair}}.Releases()
	return err == nil
}

// wantContents holds the contract of a run directory.
func wantContents(t *testing.T, out string) {
	t.Helper()
	for _, name := range []string{"report.html", "result.json", "ledger.json", "history.jsonl.zst", "plan.txt", "junit.xml", "report.md"} {
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if info.Mode().Perm() != 0o600 || info.Size() == 0 {
			t.Errorf("%s: mode %o and %d bytes, want 600 and some", name, info.Mode().Perm(), info.Size())
		}
	}
	for _, gone := range []string{"secrets", "stores"} {
		if _, err := os.Stat(filepath.Join(out, gone)); err == nil {
			t.Errorf("%s: still there after the run", gone)
		}
	}
	raw, err := os.ReadFile(filepath.Join(out, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var res result.Result
	if err := json.Unmarshal(raw, &res); err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Checks {
		if c.Verdict != term.NotApplicable && (c.Judged == 0 || c.Verdict != term.Pass) {
			t.Errorf("check %s: %s, judged %d", c.Name, c.Verdict, c.Judged)
		}
	}
}

// wantRejudged copies the run directory elsewhere, judges and reports it there
// without a cache and without a module proxy, and wants the same bytes.
func wantRejudged(t *testing.T, r real, out string) {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(elsewhere, os.DirFS(out)); err != nil {
		t.Fatal(err)
	}
	derived := []string{"result.json", "ledger.json", "report.html", "report.md", "junit.xml"}
	for _, name := range derived {
		if err := os.Remove(filepath.Join(elsewhere, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SKEWSIM_CACHE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("GOPROXY", "off")
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	r.run("judge", elsewhere).want(t, ExitExpected, "PASS")
	r.run("report", elsewhere).want(t, ExitExpected, "report.html")
	for _, name := range derived {
		was, errWas := os.ReadFile(filepath.Join(out, name))
		is, errIs := os.ReadFile(filepath.Join(elsewhere, name))
		if errWas != nil || errIs != nil || !bytes.Equal(was, is) {
			t.Errorf("%s: differs after judging a copy (%v, %v)", name, errWas, errIs)
		}
	}
}

// TestNightlyEveryVerb plays each verb that a scenario can name.
func TestNightlyEveryVerb(t *testing.T) {
	tiers.NeedFirst(t)
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	r.run("run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", out, "--fsync", "--keep-store").want(t, ExitExpected,
		"delete config-bystander", "list config by dynamic", "get config-bystander", "no finding, and none was expected")
	if _, err := os.Stat(filepath.Join(out, "stores")); err != nil {
		t.Errorf("--keep-store: %v", err)
	}
}
