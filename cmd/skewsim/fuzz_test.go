package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/term"
)

// playFuzz runs skewsim fuzz in this process, and gives what came of it.
func playFuzz(t *testing.T, args ...string) (code int, r fuzz.Result, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	var said bytes.Buffer
	a := &app{out: &said, err: &said}
	code = a.execute(t.Context(), append([]string{"fuzz", "--out", dir}, args...))
	raw, err := os.ReadFile(filepath.Join(dir, "fuzz.json"))
	if err != nil {
		t.Fatalf("%s: left no result: %v\n%s", args, err, tail(said.String()))
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	wantNoServers(t, dir)
	if t.Failed() || code == exitUnjudged {
		t.Log(said.String())
	}
	return code, r, dir
}

// TestFuzzRightPairs: on right releases every object comes back, through each
// version of both, with the features off and on.
func TestFuzzRightPairs(t *testing.T) {
	withFrobber(t)
	for pair, laps := range map[string][]string{
		"frobber@1.2..1.3":   {"off", "on"},
		"frobber@1.20..1.21": {"off", "on"},   // a gated alpha goes
		"frobber@1.25..1.26": {"as they are"}, // an alpha field that goes on being validated
		"frobber@1.27..1.28": {"as they are"},
	} {
		t.Run(pair, func(t *testing.T) {
			code, r, _ := playFuzz(t, pair, "--count", "21", "--seed", "7")
			if code != exitExpected || r.Verdict != term.Pass || len(r.Violations()) > 0 {
				t.Errorf("exit code %d, %s: %s: %v", code, r.Verdict, r.Reason, r.Violations())
			}
			var had []string
			for _, lap := range r.Laps {
				had = append(had, lap.Features)
				if k := lap.Kinds[0]; k.Objects != 21 || k.Accepted < 18 || k.Requests < 300 {
					t.Errorf("features %s: %+v", lap.Features, k)
				}
			}
			if fmt.Sprint(had) != fmt.Sprint(laps) {
				t.Errorf("laps %v, want %v", had, laps)
			}
		})
	}
}

// TestFuzzTwins: a mistake is found, by the check and at the place that it is made,
// and the one object that it was found with shows it again.
func TestFuzzTwins(t *testing.T) {
	withFrobber(t)
	for pair, want := range map[string]struct {
		check term.CheckName
		state term.State
		path  string
		seed  string
	}{
		"frobber@1.2..1.3+forgets":    {term.CheckRule4, term.Changed, ".spec.width", "7"},
		"frobber@1.2..1.3+swaps":      {term.CheckRule4, term.Changed, ".spec.height", "7"},
		"frobber@1.27..1.28+unparked": {term.CheckRule4, term.NotAccepted, ".spec.tilt", "7"},
		"frobber@1.16..1.17+new-only": {term.CheckRule1, term.Refused, "", "7"},
		"frobber@1.13..1.14+removed":  {term.NothingLost, term.Hidden, ".spec.power.manual.hands", "0"},
		"frobber@1.5..1.6+replaces":   {term.NothingLost, term.Hidden, ".spec.param", "7"},
	} {
		t.Run(pair, func(t *testing.T) {
			code, r, dir := playFuzz(t, pair, "--count", "45", "--seed", want.seed)
			if code != exitDiffers || r.Verdict != term.Fail {
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
			code, again, _ := playFuzz(t, pair, "--seed", want.seed, "--only", fmt.Sprint(found.First))
			same := findingOf(again, want.check, want.state, want.path)
			if code != exitDiffers || same == nil {
				t.Fatalf("object %d alone: exit code %d: %+v", found.First, code, again.Violations())
			}
			if same.Message != found.Message || fmt.Sprint(same.Object) != fmt.Sprint(found.Object) {
				t.Errorf("object %d alone:\n%s\n%v\nand among others:\n%s\n%v", found.First, same.Message, same.Object, found.Message, found.Object)
			}
		})
	}
}

// TestFuzzFeatures: a gate that neither release has is no gate to switch; one that it
// has is.
func TestFuzzFeatures(t *testing.T) {
	withFrobber(t)
	for gate, want := range map[string]int{"Frobber2B": exitUsage, "Frobber2D": exitExpected} {
		code, r, _ := playFuzz(t, "frobber@1.2..1.3", "--count", "6", "--features", gate)
		if code != want || (len(r.Laps) == 2) != (want == exitExpected) {
			t.Errorf("--features %s: exit code %d, %s: %s, %d laps", gate, code, r.Verdict, r.Reason, len(r.Laps))
		}
	}
}

func findingOf(r fuzz.Result, check term.CheckName, state term.State, path string) *fuzz.Finding {
	for i, f := range r.Findings {
		if f.Class == term.Violation && f.Check == check && f.State == state && f.Path == path {
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
		{[]string{"--seed", "7", "--kind", "A,B.c", "--features", "G"}, "--kind A,B.c --features G --seed 7"},
		{[]string{"--old-gates", "C=true,A=false,D=true,B=true"}, "--old-gates A=false,B=true,C=true,D=true --seed 0"},
		{[]string{"--runtime-config", "api/all=false"}, "--runtime-config api/all=false --seed 0"},
		{[]string{"--features", ""}, "--features '' --seed 0"},
		{[]string{"--kind", "A;b 'c'"}, `--kind 'A;b '\''c'\''' --seed 0`},
	} {
		for range 20 {
			command := newFuzz(&app{})
			if err := command.ParseFlags(c.given); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(againFlags(command), " "); got != c.want {
				t.Fatalf("%q: %s, want %s", c.given, got, c.want)
			}
		}
	}
}

// TestFuzzWords: what cannot be done is told before a server starts.
func TestFuzzWords(t *testing.T) {
	for args, want := range map[string]string{
		"":                                 "one pair of builds",
		"frobber@1.2":                      "want OLD..NEW",
		"frobber@1.3..1.2":                 "swap them",
		"frobber@1.2..1.3 --count 0":       "must be 1 or more",
		"frobber@1.2..1.3 --only -1":       "numbered from 0",
		"frobber@1.2..1.3 --new-gates A=x": "neither true nor false",
	} {
		var said bytes.Buffer
		a := &app{out: &said, err: &said}
		code := a.execute(t.Context(), append([]string{"fuzz", "--out", filepath.Join(t.TempDir(), "out")}, strings.Fields(args)...))
		if code != exitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("fuzz %s: exit code %d, want %q: %s", args, code, want, said.String())
		}
	}
}
