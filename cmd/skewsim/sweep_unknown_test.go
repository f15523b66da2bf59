package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestUnknownSweep: a sweep whose differences no object exercised says nothing of the releases. One
// with a single verdict does, and so does one that had nothing to play.
func TestUnknownSweep(t *testing.T) {
	row := func(f term.Fate, playable bool) sweep.Row {
		return sweep.Row{Difference: diff.Difference{Playable: playable}, Outcome: sweep.Outcome{Verdict: f}}
	}
	unreached := row(term.FateNotExercised, true)
	assert.True(t, isUnknown([]sweep.Row{unreached, row(term.FateNotExercised, false)}))
	assert.False(t, isUnknown([]sweep.Row{row(term.FateKept, true), unreached}))
	assert.False(t, isUnknown([]sweep.Row{row(term.FateNotExercised, false), row(term.FateNotComparable, false)}))
	assert.False(t, isUnknown(nil))
}
