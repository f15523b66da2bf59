package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
)

// beforeFrobber puts a program before frobber-apiserver: what it does when it is asked
// for a version, and goes on with the real one if it does not end.
func beforeFrobber(t *testing.T, asked string) {
	t.Helper()
	own := frobberOnPath(t)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncd %q\nif [ \"$2\" = --version ]; then %s\nfi\nexec %q \"$@\"\n", dir, asked, own)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frobber-apiserver"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestFrobberMatrixPrepares: an infrastructure failure before a journey begins is retried and
// reported; a release that is not available is not retried.
func TestFrobberMatrixPrepares(t *testing.T) {
	withFrobber(t)
	const killed = "an executable was killed"
	again := matrix.Attempt{Outcome: "unknown", Infrastructure: killed}
	for name, c := range map[string]struct {
		asked   string
		code    int
		outcome string
		want    []matrix.Attempt
	}{
		"killed once":  {"mkdir once 2>/dev/null && kill -9 $$", ExitExpected, "pass", []matrix.Attempt{again, {Outcome: "pass"}}},
		"killed often": {"kill -9 $$", ExitUnjudged, "unknown", []matrix.Attempt{again, again}},
		"refused":      {"echo Error: gone >&2; exit 1", ExitUsage, "refused", nil},
	} {
		t.Run(name, func(t *testing.T) {
			beforeFrobber(t, c.asked)
			out := filepath.Join(t.TempDir(), "out")
			code, said, told := called("matrix", filepath.Join("testdata", "matrix", "one.yaml"), "--pairs", "frobber@1.0..1.1", "--retries", "1", "--out", out)
			assert.Equal(t, c.code, code, said+told)
			cell := stateIn(t, out).Cells[0]
			assert.EqualValues(t, c.outcome, cell.Outcome)
			assert.Equal(t, c.code == ExitUnjudged, cell.Infrastructure)
			for i := range cell.Attempts {
				cell.Attempts[i].Took, cell.Attempts[i].Reason = 0, ""
			}
			assert.Equal(t, c.want, cell.Attempts)
			if c.code == ExitUnjudged {
				assert.Contains(t, said, killed+", then "+killed)
				assert.Contains(t, cell.Reason, "was killed by signal 9")
			}
		})
	}
}

// TestFrobberMatrixChanged: an executable that is replaced after its digest was taken is not
// played as what it was, and a matrix that is resumed then plays the new one; one that is
// replaced by a copy of itself is.
func TestFrobberMatrixChanged(t *testing.T) {
	withFrobber(t)
	for name, c := range map[string]struct {
		more string // of the new file
		code int
		done int // of one cell, when the matrix is resumed
	}{
		"by another": {"#", ExitUnjudged, 0},
		"by a copy":  {"", ExitExpected, 1},
	} {
		t.Run(name, func(t *testing.T) {
			beforeFrobber(t, fmt.Sprintf("mkdir once 2>/dev/null && { cp -p frobber-apiserver new; printf '%s' >>new; mv new frobber-apiserver; }", c.more))
			out := filepath.Join(t.TempDir(), "out")
			args := []string{"matrix", filepath.Join("testdata", "matrix", "one.yaml"), "--pairs", "frobber@1.0..1.1", "--out", out}
			code, said, told := called(args...)
			assert.Equal(t, c.code, code, said+told)
			first := stateIn(t, out).Cells[0]
			require.Len(t, first.Attempts, 1, "nothing to try again")
			assert.Equal(t, c.done == 0, strings.Contains(first.Reason, "frobber-apiserver changed while it was played: run it again"), first.Reason)
			code, said, told = called(append(args, "--resume")...)
			assert.Equal(t, ExitExpected, code, said+told)
			assert.Equal(t, c.done == 1, strings.Contains(said+told, "1 of 1 were done before"), said+told)
			second := stateIn(t, out).Cells[0]
			assert.Equal(t, c.done == 1, first.Builds[0].Digest == second.Builds[0].Digest)
		})
	}
}
