package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// onKubernetes are the scenarios of the catalogue that are played on
// kube-apiservers.
func onKubernetes(t *testing.T) []scenarios.Entry {
	t.Helper()
	entries, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(entries, func(e scenarios.Entry) bool { return e.Scenario.Releases.Of != "kube-apiserver" })
}

// TestCatalogueOnRealServers plays every such scenario on its own pair, or chain, as
// far as these releases are built, or on the newest pair of neighbours that it applies
// to; those with equal servers on one journey: each must find exactly what it expects.
func TestCatalogueOnRealServers(t *testing.T) {
	r, out, played := newReal(t), filepath.Join(t.TempDir(), "out"), map[string]bool{}
	for pair, all := range playable(t) {
		r.t = t // subtests had theirs
		args := []string{"run", "--out", out}
		if pair != "" {
			args = append(args, "--pair", pair)
		}
		for _, e := range all {
			args = append(args, e.Path())
		}
		r.run(args...).want(t, exitExpected, fmt.Sprintf(": %d pass", len(all)))
		wantNoServers(t, out)
		for _, e := range all {
			t.Run(e.Name, func(t *testing.T) {
				if r.t = t; len(e.Scenario.Releases.Through) > 0 {
					return
				}
				wantContents(t, filepath.Join(out, e.Name))
				wantRejudged(t, r, filepath.Join(out, e.Name))
				played[strings.Join(resultOf(t, filepath.Join(out, e.Name)).Releases, "..")] = true
			})
		}
	}
	for _, pair := range neighbouring(t) {
		_, versions, _ := strings.Cut(pair, "@")
		if !played[versions] {
			t.Errorf("no scenario is played on %s, but on %v", versions, slices.Sorted(maps.Keys(played)))
		}
	}
}

// TestChainOnRealServers plays a chain on the neighbours that there are, where its own
// releases are not: then the catalogue's test does not play it.
func TestChainOnRealServers(t *testing.T) {
	const name = "several-hops"
	r, out := newReal(t), filepath.Join(t.TempDir(), "out")
	if slices.ContainsFunc(playable(t)[""], func(e scenarios.Entry) bool { return e.Name == name }) {
		t.Log("the catalogue's test plays it on its own releases")
		return
	}
	var refs []string
	for _, b := range neighbours.All(t) {
		refs = append(refs, b.Reference)
	}
	r.run("run", name, "--through", strings.Join(refs, ","), "--out", out).want(t, exitExpected, "PASS  "+name+", "+refs[0])
	wantNoServers(t, out)
}

// TestPlayable tells which scenarios are played here, on which releases, and which are
// not: make test shows it before all others. Not one of those that apply to a pair that
// can be had is left out.
func TestPlayable(t *testing.T) {
	played := map[string]bool{}
	for pair, all := range playable(t) {
		var names []string
		for _, e := range all {
			names, played[e.Name] = append(names, e.Name), true
		}
		t.Logf("on %s: %s", cmp.Or(pair, "their own pairs"), strings.Join(names, ", "))
	}
	pairs := neighbouring(t)
	for _, e := range onKubernetes(t) {
		for _, pair := range pairs {
			if appliesToPair(t, e.Scenario, pair) && !played[e.Name] {
				t.Errorf("%s applies to %s, and is not played", e.Name, pair)
			}
		}
	}
}

// neighbouring are the pairs of releases that are always played, the newest first.
func neighbouring(t *testing.T) (pairs []string) {
	all := neighbours.All(t)
	for i := len(all) - 1; i > 0; i-- {
		pairs = append(pairs, pairOf(all[i-1], all[i]))
	}
	return pairs
}

// playable are the scenarios of kube-apiserver by the pair that they are played on: "",
// their own, where its releases are built, or other patches of their minors; else the
// newest neighbours that they apply to. Others are not played, which is told: to build
// their releases takes minutes each, or they cannot be had.
func playable(t *testing.T) map[string][]scenarios.Entry {
	t.Helper()
	all, pairs := map[string][]scenarios.Entry{}, neighbouring(t)
	for _, e := range onKubernetes(t) {
		missing := unbuilt(t, e.Scenario)
		if missing == "" {
			all[""] = append(all[""], e)
			continue
		}
		i := slices.IndexFunc(pairs, func(pair string) bool { return appliesToPair(t, e.Scenario, pair) })
		if i < 0 {
			t.Logf("NOT PLAYED: %s: no patch of %s is built here, and it applies to no pair that is", e.Name, missing)
			continue
		}
		all[pairs[i]] = append(all[pairs[i]], e)
	}
	return all
}

// unbuilt is a release of the scenario's own pair, or chain, that no patch is built of.
func unbuilt(t *testing.T, s *scenarios.Scenario) string {
	t.Helper()
	built, err := cached()
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range ownReleases(t, s) {
		if !slices.ContainsFunc(built, func(b gobuild.Built) bool {
			released := semver.Prerelease(b.Version) == "" // or it is an author's checkout, which stands in for none
			return released && b.Name == ref.Component && semver.MajorMinor(b.Version) == semver.MajorMinor(ref.Version)
		}) {
			return ref.String()
		}
	}
	return ""
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

// appliesToPair tells whether a scenario of two neighbours can be played on others.
func appliesToPair(t *testing.T, s *scenarios.Scenario, pair string) bool {
	t.Helper()
	if len(s.Releases.Through) > 0 || matrix.OwnDistance(s) != 1 {
		return false
	}
	_, _, _, err := (&pairFlags{pair: pair}).pairOf(s)
	return err == nil
}

// wantContents holds the contract of a run directory.
func wantContents(t *testing.T, out string) {
	t.Helper()
	for _, name := range []string{"report.html", "result.json", "ledger.json", "history.jsonl", "plan.txt", "junit.xml", "report.md"} {
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
		if c.Judged == 0 || c.Verdict != term.Pass {
			t.Errorf("check %s: %s, judged %d", c.Name, c.Verdict, c.Judged)
		}
	}
}

// wantRejudged copies the run directory elsewhere, judges and reports it there
// with no cache and no network proxy in sight, and wants the same bytes.
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
	r.run("judge", elsewhere).want(t, exitExpected, "PASS")
	r.run("report", elsewhere).want(t, exitExpected, "report.html")
	for _, name := range derived {
		was, errWas := os.ReadFile(filepath.Join(out, name))
		is, errIs := os.ReadFile(filepath.Join(elsewhere, name))
		if errWas != nil || errIs != nil || !bytes.Equal(was, is) {
			t.Errorf("%s: differs after judging a copy (%v, %v)", name, errWas, errIs)
		}
	}
}

// TestEveryVerbOnRealServers plays each verb that a scenario can name.
func TestEveryVerbOnRealServers(t *testing.T) {
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	r.run("run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", out, "--fsync", "--keep-store").want(t, exitExpected,
		"delete config-bystander", "list config by dynamic", "get config-bystander", "no finding, and none was expected")
	if _, err := os.Stat(filepath.Join(out, "stores")); err != nil {
		t.Errorf("--keep-store: %v", err)
	}
}

// TestRunsThatCannotGoOn holds what is said of objects, kinds and gates that
// the servers do not take, with the exit code; nothing is left running.
func TestRunsThatCannotGoOn(t *testing.T) {
	r := newReal(t)
	for name, c := range map[string]struct {
		code  int
		texts []string
	}{
		"refused":  {exitUsage, []string{"refused-pod.yaml:3: spec.containers: Required value", "refused.yaml:6: refused-pod.yaml: OLD and NEW both refuse it", "respond: {code: 422}"}},
		"stray":    {exitUsage, []string{`stray-pod.yaml:6: spec.containers[0].imag: neither OLD nor NEW has such a field of Pod: did you mean "image"?`, `stray.yaml:7: .spec.activDeadlineSeconds: `}},
		"unserved": {exitUsage, []string{`unserved-thing.yaml:2: kind "Thing" of apiVersion "example.dev/v1" is served by neither OLD nor NEW`}},
		"gate":     {exitUsage, []string{"new.featureGates.NoSuchGate: NEW has no such gate", "unrecognized feature gate: NoSuchGate"}},
	} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			out := filepath.Join(t.TempDir(), "out")
			old, new := neighbours.Pair(t)
			for i, text := range c.texts {
				c.texts[i] = strings.NewReplacer("OLD", old.Version, "NEW", new.Version).Replace(text)
			}
			r.run("run", "testdata/real/"+name+".yaml", "--pair", pairOf(old, new), "--out", out).want(t, c.code, c.texts...)
			wantNoServers(t, out)
			r.run("judge", out).want(t, exitUnjudged, "UNKNOWN")
			r.run("report", out).want(t, exitExpected)
		})
	}
}

// TestEndsInTheMiddle ends runs at many steps, by Ctrl-C, by SIGKILL and by the
// death of a server. Nothing may be left running, and what was seen can be
// judged and reported.
func TestEndsInTheMiddle(t *testing.T) {
	r := newReal(t)
	for name, c := range map[string]struct {
		at    string
		act   func(*testing.T, string) func(*os.Process)
		code  int
		texts []string
	}{
		"ctrl-c at the first stage":    {"old: a=old b=old", interrupt, exitUnjudged, []string{"UNKNOWN", "the run was interrupted"}},
		"ctrl-c at a start":            {"create the namespace", interrupt, exitUnjudged, []string{"UNKNOWN", "the run was interrupted"}},
		"ctrl-c while servers warm up": {"upgrading 1/2: a=new b=old", interrupt, exitUnjudged, []string{"UNKNOWN", "the run was interrupted"}},
		"ctrl-c at an operation":       {"put config-bystander", interrupt, exitUnjudged, []string{"UNKNOWN", "the run was interrupted"}},
		"ctrl-c in a rollback":         {"rolling-back 1/2", interrupt, exitUnjudged, []string{"UNKNOWN", "the run was interrupted"}},
		"a server dies":                {"upgrading 1/2: a=new b=old", killServer, exitUnjudged, []string{"UNKNOWN", "was killed by signal 9", "its last lines"}},
		"skewsim is killed":            {"new: a=new b=new", killed, -1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			out := filepath.Join(t.TempDir(), "out")
			r.until(c.at, c.act(t, out), "run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", out).want(t, c.code, c.texts...)
			wantNoServers(t, out)
			r.run("judge", out).want(t, exitUnjudged, "UNKNOWN")
			r.run("report", out).want(t, exitExpected)
		})
	}
}

func interrupt(*testing.T, string) func(*os.Process) { return kill(syscall.SIGINT) }
func killed(*testing.T, string) func(*os.Process)    { return kill(syscall.SIGKILL) }

func killServer(t *testing.T, out string) func(*os.Process) {
	return func(*os.Process) {
		pids := serversOf(t, out)
		if len(pids) == 0 {
			t.Fatal("no server runs")
		}
		_ = syscall.Kill(pids[0], syscall.SIGKILL)
	}
}

// TestOneRunPerDirectory refuses a second run into a directory in use, and a
// directory that holds something else.
func TestOneRunPerDirectory(t *testing.T) {
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	second := outcome{}
	r.until("old: a=old b=old", func(p *os.Process) {
		second = r.run("run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", out)
		_ = p.Signal(syscall.SIGINT)
	}, "run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", out)
	second.want(t, exitUnjudged, "another run is writing there")
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.txt"), []byte(strings.Repeat("x", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	r.run("run", "testdata/real/small.yaml", "--pair", pairUnderTest(t), "--out", other).want(t, exitUsage, "it holds files, and no run of skewsim")
	if _, err := os.Stat(filepath.Join(other, "thesis.txt")); err != nil {
		t.Error(err)
	}
}
