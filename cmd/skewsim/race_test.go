package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// withRaceDetector is for tests that show nothing without it.
func withRaceDetector(t *testing.T) {
	t.Helper()
	frobberOnPath(t) // whose builds have no race detector: this process is what is tested
	if !raceDetector {
		t.Fatal("needs a test binary that was built with -race: make test-race")
	}
}

// TestRaceRun plays runs in this process, each with its observers, watches and scratch stores.
func TestRaceRun(t *testing.T) {
	withRaceDetector(t)
	all := frobberOf(t, tiers.Plays(t, tiers.Race).Scenarios)
	wantSome(t, all)
	for _, s := range all {
		code, res := playScenario(t, s.Name)
		assert.Equal(t, ExitExpected, code, res.Reason)
		assert.Equal(t, term.Pass, res.Verdict)
	}
}

// TestRaceMatrix plays several runs at once, which share servers, builds and a state file.
func TestRaceMatrix(t *testing.T) {
	withRaceDetector(t)
	out := filepath.Join(t.TempDir(), "out")
	code, said, told := called(matrixOf(out, "--jobs", "3")...)
	require.Equal(t, ExitDiffers, code, said+told)
	assert.Len(t, stateIn(t, out).Cells, matrixCells)
}

// TestRaceFuzz sends objects from many goroutines.
func TestRaceFuzz(t *testing.T) {
	withRaceDetector(t)
	fuzzRight(t, "frobber@1.20..1.21", "--count", "12", "--seed", "7")
}
