package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
)

// beforeFrobber puts a program before frobber-apiserver: what it does when it is asked
// for a version, and goes on with the real one if it does not end.
func beforeFrobber(t *testing.T, asked string) {
	t.Helper()
	own, err := exec.LookPath("frobber-apiserver")
	require.NoError(t, err)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncd %q\nif [ \"$2\" = --version ]; then %s\nfi\nexec %q \"$@\"\n", dir, asked, own)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frobber-apiserver"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestMatrixPrepares: what the machine ends before a journey begins is tried again, and
// told; what cannot be had is not.
func TestMatrixPrepares(t *testing.T) {
	withFrobber(t)
	const killed = "an executable was killed"
	again := matrix.Attempt{Outcome: "unknown", Infrastructure: killed}
	for name, c := range map[string]struct {
		asked   string
		code    int
		outcome string
		want    []matrix.Attempt
	}{
		"killed once":  {"mkdir once 2>/dev/null && kill -9 $$", exitExpected, "pass", []matrix.Attempt{again, {Outcome: "pass"}}},
		"killed often": {"kill -9 $$", exitUnjudged, "unknown", []matrix.Attempt{again, again}},
		"refused":      {"echo Error: gone >&2; exit 1", exitUsage, "refused", nil},
	} {
		t.Run(name, func(t *testing.T) {
			beforeFrobber(t, c.asked)
			out := filepath.Join(t.TempDir(), "out")
			code, said, told := called("matrix", filepath.Join("testdata", "matrix", "one.yaml"), "--pairs", "frobber@1.0..1.1", "--retries", "1", "--out", out)
			assert.Equal(t, c.code, code, said+told)
			cell := stateIn(t, out).Cells[0]
			assert.Equal(t, c.outcome, cell.Outcome)
			assert.Equal(t, c.code == exitUnjudged, cell.Infrastructure)
			for i := range cell.Attempts {
				cell.Attempts[i].Took, cell.Attempts[i].Reason = 0, ""
			}
			assert.Equal(t, c.want, cell.Attempts)
			if c.code == exitUnjudged {
				assert.Contains(t, said, killed+", then "+killed)
				assert.Contains(t, cell.Reason, "was killed by signal 9")
			}
		})
	}
}
