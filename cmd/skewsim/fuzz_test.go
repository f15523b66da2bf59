package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/fuzz"
)

// playFuzz runs skewsim fuzz in this process, and returns its result.
func playFuzz(t *testing.T, args ...string) (code int, r fuzz.Result, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	var said bytes.Buffer
	a := &App{Out: &said, Err: &said}
	code = execute(t.Context(), a, append([]string{"fuzz", "--out", dir}, args...))
	raw, err := os.ReadFile(filepath.Join(dir, "fuzz.json"))
	if err != nil {
		t.Fatalf("%s: left no result: %v\n%s", args, err, tail(said.String()))
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	wantNoServers(t, dir)
	if t.Failed() || code == ExitUnjudged {
		t.Log(said.String())
	}
	return code, r, dir
}

// inProtobuf has the servers of both releases store objects so.
var inProtobuf = []string{
	"--old-flags", "--storage-media-type=application/vnd.kubernetes.protobuf",
	"--new-flags", "--storage-media-type=application/vnd.kubernetes.protobuf",
}

// TestSmokeFuzz: a right pair finds nothing, and a mutant is found at its place.
func TestSmokeFuzz(t *testing.T) {
	withFrobber(t)
	t.Run("right", func(t *testing.T) {
		t.Parallel()
		r := fuzzRight(t, "frobber@1.20..1.21", "--count", "12", "--seed", "7")
		if len(r.Laps) != 2 || r.Laps[1].Kinds[0].Accepted < 8 {
			t.Errorf("laps: %+v", r.Laps)
		}
	})
	t.Run("mutant", func(t *testing.T) {
		t.Parallel()
		code, r, _ := playFuzz(t, "frobber@1.2..1.3+swaps", "--count", "12", "--seed", "7")
		if found := findingOf(r, term.CheckRule4, term.Changed, ".spec.height"); code != ExitDiffers || found == nil {
			t.Errorf("exit code %d, %s: %s: %+v", code, r.Verdict, r.Reason, r.Violations())
		}
	})
}

// TestFrobberFuzzRightPairs: on right releases every object comes back, through each
// version of both, with the features off and on.
func TestFrobberFuzzRightPairs(t *testing.T) {
	withFrobber(t)
	for name, c := range map[string]struct {
		pair  string
		laps  []string
		flags []string
	}{
		"a gated alpha":                {"frobber@1.2..1.3", []string{"off", "on"}, nil},
		"a gated alpha goes":           {"frobber@1.20..1.21", []string{"off", "on"}, nil},
		"and another comes, protobuf":  {"frobber@1.20..1.22", []string{"off", "on"}, inProtobuf},
		"an alpha that is checked yet": {"frobber@1.25..1.26", []string{"as they are"}, nil},
		"an alpha version":             {"frobber@1.27..1.28", []string{"as they are"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := fuzzRight(t, c.pair, append([]string{"--count", "21", "--seed", "7"}, c.flags...)...)
			var had []string
			for _, lap := range r.Laps {
				had = append(had, lap.Features)
				if k := lap.Kinds[0]; k.Objects != 21 || k.Accepted < 18 || k.Requests < 300 {
					t.Errorf("features %s: %+v", lap.Features, k)
				}
			}
			if fmt.Sprint(had) != fmt.Sprint(c.laps) {
				t.Errorf("laps %v, want %v", had, c.laps)
			}
		})
	}
}

// fuzzRight fuzzes a pair of which nothing may be found.
func fuzzRight(t *testing.T, pair string, args ...string) fuzz.Result {
	t.Helper()
	code, r, _ := playFuzz(t, append([]string{pair}, args...)...)
	if code != ExitExpected || r.Verdict != term.Pass || len(r.Violations()) > 0 {
		t.Errorf("exit code %d, %s: %s", code, r.Verdict, r.Reason)
		for _, f := range r.Violations() {
			t.Errorf("%s: %s\n%s --only %d", f.Check, f.Message, r.Replay, f.First)
		}
	}
	return r
}

// TestNightlyFuzzEveryPair fuzzes the whole train: a right release that breaks a rule is a
// mistake of the train's.
func TestNightlyFuzzEveryPair(t *testing.T) {
	withFrobber(t)
	right := slices.DeleteFunc(frobberReleases(t), func(name string) bool { return !releaseName.MatchString(name) })
	if len(right) < 2 {
		t.Fatalf("releases: %v", right)
	}
	var pairs []string
	for i, newer := range right[1:] {
		pairs = append(pairs, fmt.Sprintf("frobber@%s..%s", right[i], newer))
	}
	for _, pair := range tiers.Shard(t, pairs) {
		for encoding, flags := range map[string][]string{"JSON": nil, "protobuf": inProtobuf} {
			t.Run(pair+" "+encoding, func(t *testing.T) {
				fuzzRight(t, pair, append([]string{"--count", "60", "--seed", "7"}, flags...)...)
			})
		}
	}
}

// TestMakeFuzz: what is skipped unless it is asked for has a target that asks.
func TestMakeFuzz(t *testing.T) {
	for target, asks := range map[string]bool{"fuzz": true, "repeat": false} {
		out, err := exec.Command("make", "-n", "-C", "../..", target).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if regexp.MustCompile(`SKEWSIM_TIER=nightly .*-run '\^TestNightlyFuzz'`).Match(out) != asks {
			t.Errorf("make %s: %s", target, out)
		}
	}
}

// releaseName is the name of a right release of the train.
var releaseName = regexp.MustCompile(`^1\.[0-9]+$`)

// TestFrobberFuzzMutants: a mistake is found, by the check and at the place that it is made,
// and the one object that it was found with shows it again.
func TestFrobberFuzzMutants(t *testing.T) {
	withFrobber(t)
	for pair, want := range map[string]struct {
		check term.CheckName
		state term.Outcome
		path  string
		seed  string
		flags []string
	}{
		"frobber@1.2..1.3+forgets":    {term.CheckRule4, term.Changed, ".spec.width", "7", nil},
		"frobber@1.2..1.3+swaps":      {term.CheckRule4, term.Changed, ".spec.height", "7", nil},
		"frobber@1.27..1.28+unparked": {term.CheckRule4, term.Dropped, ".spec.tilt", "7", nil},
		"frobber@1.16..1.17+new-only": {term.CheckRule1, term.Refused, "", "7", nil},
		"frobber@1.13..1.14+removed":  {term.CheckNothingLost, term.Hidden, ".spec.power.manual.hands", "0", nil},
		"frobber@1.5..1.6+replaces":   {term.CheckNothingLost, term.Hidden, ".spec.param", "7", nil},
		"frobber@1.20..1.22+retag":    {term.CheckNothingLost, term.Changed, ".spec.shine", "0", inProtobuf},
		"frobber@1.20..1.22+wire":     {term.CheckEverythingDecodes, term.Undecodable, "", "0", inProtobuf},
	} {
		t.Run(pair, func(t *testing.T) {
			code, r, dir := playFuzz(t, append([]string{pair, "--count", "45", "--seed", want.seed}, want.flags...)...)
			if code != ExitDiffers || r.Verdict != term.Fail {
				t.Errorf("exit code %d, %s: %s", code, r.Verdict, r.Reason)
			}
			found := findingOf(r, want.check, want.state, want.path)
			if found == nil {
				t.Fatalf("no %s, %s at %q: %+v", want.check, want.state, want.path, r.Violations())
			}
			raw, err := os.ReadFile(filepath.Join(dir, found.File))
			if err != nil || !strings.Contains(string(raw), "apiVersion: frobbing.example.com/") {
				t.Errorf("%s: %v: %s", found.File, err, raw)
			}
			code, again, _ := playFuzz(t, append([]string{pair, "--seed", want.seed, "--only", fmt.Sprint(found.First)}, want.flags...)...)
			same := findingOf(again, want.check, want.state, want.path)
			if code != ExitDiffers || same == nil {
				t.Fatalf("object %d alone: exit code %d: %+v", found.First, code, again.Violations())
			}
			if same.Message != found.Message || fmt.Sprint(same.Object) != fmt.Sprint(found.Object) {
				t.Errorf("object %d alone:\n%s\n%v\nand among others:\n%s\n%v", found.First, same.Message, same.Object, found.Message, found.Object)
			}
		})
	}
}

// TestFrobberFuzzFeatures: a gate that neither release has is no gate to switch; one that it
// has is.
func TestFrobberFuzzFeatures(t *testing.T) {
	withFrobber(t)
	for gate, want := range map[string]int{"Frobber2B": ExitUsage, "Frobber2D": ExitExpected} {
		code, r, _ := playFuzz(t, "frobber@1.2..1.3", "--count", "6", "--features", gate)
		if code != want || (len(r.Laps) == 2) != (want == ExitExpected) {
			t.Errorf("--features %s: exit code %d, %s: %s, %d laps", gate, code, r.Verdict, r.Reason, len(r.Laps))
		}
	}
}

// TestFrobberFuzzCount: so few objects that some place gets none are refused; with one more, or
// one object alone, all is well.
func TestFrobberFuzzCount(t *testing.T) {
	withFrobber(t)
	for args, want := range map[string]int{"--count 4": ExitUsage, "--count 5": ExitExpected, "--count 1 --only 4": ExitExpected} {
		code, r, _ := playFuzz(t, append([]string{"frobber@1.2..1.3"}, strings.Fields(args)...)...)
		if code != want || strings.Contains(r.Ended, "count 4: too few for each kind to be created in every version through both releases: make 5 or more") != (want == ExitUsage) {
			t.Errorf("%s: exit code %d, %s: %s", args, code, r.Verdict, r.Reason)
		}
	}
}

func findingOf(r fuzz.Result, check term.CheckName, state term.Outcome, path string) *fuzz.Finding {
	for i, f := range r.Findings {
		if f.Class == term.Violation && f.Check == check && f.Outcome == state && f.Path == path {
			return &r.Findings[i]
		}
	}
	return nil
}

// TestFuzzAgain: the line that plays an object again is the same each time, and a
// shell reads of it what was given.
func TestFuzzAgain(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  string
	}{
		{nil, "--seed 0"},
		{[]string{"--seed", "7", "--kind", "A,B.c", "--features", "G"}, "--features G --seed 7"},
		{[]string{"--old-feature-gates", "C=true,A=false,D=true,B=true"}, "--old-feature-gates A=false,B=true,C=true,D=true --seed 0"},
		{[]string{"--runtime-config", "api/all=false"}, "--runtime-config api/all=false --seed 0"},
		{[]string{"--old-flags", "--v=2", "--old-flags", "--a=b,c d"}, "--old-flags --v=2 --old-flags '--a=b,c d' --seed 0"},
		{[]string{"--new-emulated-version", "old", "--new-runtime-config", "b=true,a=false"}, "--new-emulated-version old --new-runtime-config a=false,b=true --seed 0"},
		{[]string{"--etcd", "https://a:1,https://b:1", "--etcd-cafile", "ca 1.crt"}, "--etcd https://a:1,https://b:1 --etcd-cafile 'ca 1.crt' --seed 0"},
		{[]string{"--store", "image:etcd:3.6"}, "--seed 0 --store image:etcd:3.6"},
		{[]string{"--features", ""}, "--features '' --seed 0"},
		{[]string{"--features", "A;b 'c'"}, `--features 'A;b '\''c'\''' --seed 0`},
	} {
		for range 20 {
			command := newFuzz(&App{})
			if err := command.ParseFlags(c.given); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimPrefix(repeatFuzz(command, nil), "fuzz "); got != c.want {
				t.Fatalf("%q: %s, want %s", c.given, got, c.want)
			}
		}
	}
}

// TestFuzzWords: errors in the arguments are reported before a server starts.
func TestFuzzWords(t *testing.T) {
	for args, want := range map[string]string{
		"":                           "one pair of builds",
		"frobber@1.2":                "want OLD..NEW",
		"frobber@1.3..1.2":           "swap them",
		"frobber@1.2..1.3 --count 0": "must be 1 or more",
		"frobber@1.2..1.3 --only -1": "numbered from 0",
		"frobber@1.2..1.3 --new-feature-gates A=x":              "neither true nor false",
		"frobber@1.2..1.3 --new-gate-stage alpha":               "--new-gate-stage: one lap has all gates on and one has none of them: switch single gates instead",
		"frobber@1.2..1.3 --etcd https://h:1 --etcd-certfile x": "set both --etcd-certfile and --etcd-keyfile",
		"frobber@1.2..1.3 --server kube-apiserver@v1.37.0":      "--server: is for releases that are custom resource definitions",
		"crd:a..crd:b --server frobber@1.2":                     "--server frobber@1.2: want a kube-apiserver",
		"crd:a..crd:b --server kube-apiserver@v1.37.0":          "a: no such folder",
		"frobber@1.2..1.3 --new-flags v=2":                      "--new-flags \"v=2\": not a flag such as --v=2",
	} {
		var said bytes.Buffer
		a := &App{Out: &said, Err: &said}
		code := execute(t.Context(), a, append([]string{"fuzz", "--out", filepath.Join(t.TempDir(), "out")}, strings.Fields(args)...))
		if code != ExitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("fuzz %s: exit code %d, want %q: %s", args, code, want, said.String())
		}
	}
}
