package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/result"
)

// ranSeveral runs skewsim in this process with several scenarios, and gives what it said.
func ranSeveral(ctx context.Context, out string, args ...string) (code int, said string) {
	var text bytes.Buffer
	code = execute(ctx, &App{Out: &text, Err: &text}, append([]string{"run", "--out", out}, args...))
	return code, text.String()
}

// essence is what findings come to, whoever was beside them: what was found, and
// where in the plan.
func essence(r result.Result) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprint(f.Check, f.Class, f.Rule, f.Outcome, f.Cause, f.Object, f.Copy, f.Path, f.Step, f.Via, f.Generation, f.ClaimedBy, f.Message))
	}
	slices.Sort(all)
	return all
}

// wantAlike asserts that scenarios of a shared run find the same as alone.
func wantAlike(t *testing.T, shared, alone string, names ...string) {
	t.Helper()
	for _, name := range names {
		one, other := resultOf(t, filepath.Join(shared, name)), resultOf(t, filepath.Join(alone, name))
		assert.Equal(t, other.Verdict, one.Verdict, name)
		assert.Equal(t, essence(other), essence(one), name)
		for i, c := range other.Checks {
			assert.Equal(t, []any{c.Name, c.Verdict, c.Findings}, []any{one.Checks[i].Name, one.Checks[i].Verdict, one.Checks[i].Findings}, name)
		}
	}
}

// TestFrobberSharedRunFindsTheSame plays scenarios of one journey in a shared run and alone, some
// of which find something and some nothing. Each directory stands alone.
func TestFrobberSharedRunFindsTheSame(t *testing.T) {
	withFrobber(t)
	files := t.TempDir()
	names := []string{"annotation", "time-bomb", lean(t, files, "a", ""), lean(t, files, "b", "")}
	shared, alone := t.TempDir(), t.TempDir()
	code, said := ranSeveral(t.Context(), shared, names...)
	require.Equal(t, ExitExpected, code, said)
	assert.Contains(t, said, "2 in a shared run, frobber@1.22..frobber@1.23: ")
	assert.Regexp(t, `(?m)^4 scenarios on 2 sets of servers, \d at once, .*: 4 pass$`, said)
	code, said = ranSeveral(t.Context(), alone, append(names, "--isolate")...)
	require.Equal(t, ExitExpected, code, said)
	assert.Regexp(t, `(?m)^4 scenarios on 4 sets of servers, `, said)
	wantAlike(t, shared, alone, "annotation", "time-bomb", "a", "b")
	for _, name := range []string{"a", "b"} {
		assert.NotEmpty(t, resultOf(t, filepath.Join(shared, name)).Findings)
		wantContents(t, filepath.Join(shared, name))
		wantLogs(t, filepath.Join(shared, name))
	}
	text, err := os.ReadFile(filepath.Join(shared, "a", campaign.Transcript))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "shared run with b\n"), string(text))
}

// wantLogs holds that every log which a history names is in its directory.
func wantLogs(t *testing.T, dir string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "history.jsonl"))
	require.NoError(t, err)
	logs := regexp.MustCompile(`"log":"(logs/[^"]*)"`).FindAllSubmatch(raw, -1)
	assert.NotEmpty(t, logs)
	for _, log := range logs {
		assert.FileExists(t, filepath.Join(dir, string(log[1])))
	}
}

// TestFrobberRefusedInSharedRun: an object that is refused ends its own scenario alone, and at
// once: the servers have said so before the others' journey begins.
func TestFrobberRefusedInSharedRun(t *testing.T) {
	withFrobber(t)
	files, out := t.TempDir(), t.TempDir()
	good, bad := lean(t, files, "good", ""), lean(t, files, "bad", "")
	raw, err := os.ReadFile(bad)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(bad, bytes.Replace(raw, []byte("plain.yaml"), []byte("refused.yaml"), 1), 0o600))
	code, said := ranSeveral(t.Context(), out, bad, good)
	assert.Equal(t, ExitUsage, code, said)
	assert.Regexp(t, `(?m)^\d/2  refused +[\d.]+ s  bad: .*refused.yaml`, said)
	assert.NotContains(t, said, "again")
	assert.Regexp(t, `: 1 pass, 1 refused\n$`, said)
}

// TestFrobberServerDiesInSharedRun: it ends all that were on the journey, and each is played
// again, alone, which counts.
func TestFrobberServerDiesInSharedRun(t *testing.T) {
	withFrobber(t)
	files, out := t.TempDir(), t.TempDir()
	host := filepath.Join(out, "a")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
			if serving, _ := filepath.Glob(filepath.Join(host, "logs", "b-2.log")); len(serving) > 0 {
				for _, pid := range serversOf(t, host) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				return
			}
		}
	}()
	code, said := ranSeveral(ctx, out, lean(t, files, "a", ""), lean(t, files, "b", ""))
	assert.Equal(t, ExitExpected, code, said)
	assert.Regexp(t, `(?m)^ +unknown +[\d.]+ s  a: in a shared run; it runs again, alone$`, said)
	assert.Regexp(t, `(?m)^2/2  pass +[\d.]+ s  b, alone$`, said)
	assert.Contains(t, said, "\nanother outcome alone than in a shared run: a, b. ")
	text, err := os.ReadFile(filepath.Join(out, "b", campaign.Transcript))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "in a shared run with a the outcome was: unknown. "), string(text))
}

// TestFrobberInterruptedSharedRun: what was seen is kept and judged for each, nothing is left
// behind, and nobody is played again.
func TestFrobberInterruptedSharedRun(t *testing.T) {
	withFrobber(t)
	files, out := t.TempDir(), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
			if begun, _ := filepath.Glob(filepath.Join(out, "a", "logs", "b-2.log")); len(begun) > 0 {
				return
			}
		}
	}()
	code, said := ranSeveral(ctx, out, lean(t, files, "a", ""), lean(t, files, "b", ""))
	assert.Equal(t, ExitUnjudged, code, said)
	assert.NotContains(t, said, "again")
	assert.Regexp(t, `: 2 unknown\n$`, said)
	for _, name := range []string{"a", "b"} {
		dir := filepath.Join(out, name)
		wantNoServers(t, dir)
		assert.NoDirExists(t, filepath.Join(dir, "secrets"))
		assert.NoDirExists(t, filepath.Join(dir, "stores"))
		assert.FileExists(t, filepath.Join(dir, "result.json"))
		assert.FileExists(t, filepath.Join(dir, campaign.Transcript))
	}
}
