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
