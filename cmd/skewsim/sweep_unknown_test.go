package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestUnknownSweep: a sweep whose differences servers showed nothing of says nothing of the releases, whether it
// could not play them or its objects did not reach them, and whatever an object shows that uses none of them.
// One with a single verdict does say something, and so does one without a difference, or with other columns alone.
func TestUnknownSweep(t *testing.T) {
	row := func(k term.DifferenceKind, exercised, playable bool) sweep.Row {
		return sweep.Row{Difference: diff.Difference{Difference: k, Playable: playable}, LapResult: sweep.LapResult{Exercised: exercised}}
	}
	unreached, listed := row(term.RuleTightened, false, true), row(term.SelectorRemoved, false, false)
	columns, behaviour := row(term.ColumnsChanged, false, false), row(term.BehaviourChanged, true, true)
	for _, rows := range [][]sweep.Row{{unreached}, {listed}, {unreached, listed}, {unreached, behaviour}, {listed, columns}} {
		assert.True(t, isUnknown(rows))
	}
	for _, rows := range [][]sweep.Row{nil, {columns}, {behaviour}, {row(term.FieldAdded, true, true), unreached, listed}} {
		assert.False(t, isUnknown(rows))
	}
}
