package matrix

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

func written(t *testing.T, content any) []byte {
	t.Helper()
	raw, err := json.Marshal(content)
	require.NoError(t, err)
	return raw
}

// TestCosts: as measured with the pair, else the scenario's mean, else by steps.
func TestCosts(t *testing.T) {
	raw := written(t, State{SchemaVersion: Version, Cells: []Cell{
		{Scenario: "a", Pair: "server@v1.1.0..v1.2.0", Phase: Done, Verdict: term.Pass, Seconds: 10},
		{Scenario: "a", Pair: "server@1.2..1.3", Phase: Done, Verdict: term.Fail, Seconds: 20},
		{Scenario: "a", Pair: "server@1.4..1.5", Phase: Done, Verdict: term.Unknown, Infrastructure: true, Seconds: 0.5},
		{Scenario: "a", Pair: "server@1.5..1.6", Phase: Done, Verdict: term.Unknown, Seconds: 0.5},
		{Scenario: "late", Pair: "server@1.2..1.3", Phase: Waiting, Seconds: 99},
	}})
	c, err := ReadCosts(raw)
	require.NoError(t, err)
	assert.Equal(t, 10.0, c.Of("a", pairOf("server", "1.1", "1.2"), 7, 1))
	assert.Equal(t, 20.0, c.Of("a", pairOf("server", "1.2", "1.3"), 7, 1))
	assert.Equal(t, 15.0, c.Of("a", pairOf("server", "1.3", "1.4"), 7, 1))
	assert.Equal(t, 15.0, c.Of("a", pairOf("server", "1.4", "1.5"), 7, 1), "an infrastructure failure ended it after half a second")
	assert.Equal(t, 15.0, c.Of("a", pairOf("server", "1.5", "1.6"), 7, 1), "it has no verdict")
	assert.Equal(t, Costs{}.Of("late", pairOf("server", "1.2", "1.3"), 7, 1), c.Of("late", pairOf("server", "1.2", "1.3"), 7, 1))
	assert.Greater(t, Costs{}.Of("b", pairing.Pair{}, 8, 1), Costs{}.Of("b", pairing.Pair{}, 7, 1))
	assert.Greater(t, Costs{}.Of("b", pairing.Pair{}, 7, 2), Costs{}.Of("b", pairing.Pair{}, 7, 1))

	c, err = ReadCosts(written(t, result.Merged{SchemaVersion: result.MergedVersion, Runs: []result.MergedRun{
		{Scenario: "a", Mutant: &result.MergedMutant{Name: "x"}, Component: "server", Releases: []string{"v1.1.0", "v1.2.0+x"}, Counts: result.Counts{Steps: 1000}},
		{Unreadable: "cut"},
	}}))
	require.NoError(t, err)
	assert.Equal(t, Costs{}.Of("a+x", pairing.Pair{}, 1000, 1), c.Of("a+x", pairOf("server", "1.1", "1.2"), 7, 1))
	assert.Equal(t, Costs{}.Of("a", pairing.Pair{}, 7, 1), c.Of("a", pairOf("server", "1.1", "1.2"), 7, 1))
}

// TestBadCosts: what is no file of costs.
func TestBadCosts(t *testing.T) {
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"cut":         {[]byte(`{"schemaVersion": "skewsim.dev/ma`), "is no JSON"},
		"another":     {[]byte(`{"schemaVersion": "skewsim.dev/result/v2"}`), `is of the form "skewsim.dev/result/v2"`},
		"none":        {[]byte(`{}`), `is of the form ""`},
		"empty":       {written(t, State{SchemaVersion: Version}), "contains no cell that was played"},
		"not played":  {written(t, State{SchemaVersion: Version, Cells: []Cell{{Scenario: "a", Phase: Running, Seconds: 3}}}), "contains no cell that was played"},
		"killed":      {written(t, State{SchemaVersion: Version, Cells: []Cell{{Scenario: "a", Phase: Done, Verdict: term.Unknown, Infrastructure: true, Seconds: 3}}}), "contains no cell that was played"},
		"other shape": {[]byte(`{"schemaVersion": "` + Version + `", "cells": 7}`), "is no matrix.json"},
		"cannot be":   {written(t, State{SchemaVersion: Version, Cells: []Cell{{Scenario: "a", Pair: "p", Phase: Done, Verdict: term.Pass, Seconds: 1e300}}}), "which is impossible"},
	} {
		_, err := ReadCosts(c.raw)
		assert.ErrorContains(t, err, c.want, name)
	}
}

// TestSum: the worst verdict counts, and what is left is no pass.
func TestSum(t *testing.T) {
	pass, fail := Cell{Phase: Done, Verdict: term.Pass}, Cell{Phase: Done, Verdict: term.Fail}
	unknown, left, notApplicable := Cell{Phase: Done, Verdict: term.Unknown}, Cell{Phase: Interrupted}, Cell{Phase: NotApplicable}
	earlier := Cell{Phase: Done, Verdict: term.Pass, Earlier: true} // it is left, whatever it was
	for _, c := range []struct {
		cells []Cell
		want  term.VerdictWord
	}{
		{nil, term.Unknown}, {[]Cell{pass}, term.Pass}, {[]Cell{notApplicable}, term.Unknown}, {[]Cell{notApplicable, pass}, term.Pass}, {[]Cell{pass, left}, term.Unknown}, {[]Cell{pass, earlier}, term.Unknown}, {[]Cell{earlier}, term.Unknown}, {[]Cell{pass, unknown}, term.Unknown}, {[]Cell{left, unknown, fail, pass}, term.Fail},
	} {
		s := State{Cells: c.cells, Excluded: []Excluded{{Pairs: []string{"a", "b"}}, {}}}
		s.Sum()
		assert.Equal(t, c.want, s.Verdict, "%v", c.cells)
		assert.Equal(t, 3, s.Totals.Excluded, "what excluded holds")
		assert.Equal(t, s.Totals.Cells, s.Totals.Pass+s.Totals.Fail+s.Totals.Unknown+s.Totals.Left)
		assert.Equal(t, len(c.cells), s.Totals.Cells+s.Totals.NotApplicable)
	}
}

// TestSumTells: the reason counts as the totals do, and includes cells whose scenario turned
// out not to apply, which the totals alone do not show.
func TestSumTells(t *testing.T) {
	pass, notApplicable := Cell{Phase: Done, Verdict: term.Pass}, Cell{Phase: NotApplicable}
	for want, cells := range map[string][]Cell{
		"of 1 cell 1 passed, 0 failed, 0 could not be judged, 0 are left":                                                     {pass},
		"of 1 cell 1 passed, 0 failed, 0 could not be judged, 0 are left; 1 cell turned out not to apply to what was built":   {pass, notApplicable},
		"of 2 cells 1 passed, 0 failed, 0 could not be judged, 1 are left; 2 cells turned out not to apply to what was built": {pass, {}, notApplicable, notApplicable},
		"there is no cell to play; 2 cells turned out not to apply to what was built":                                         {notApplicable, notApplicable},
		"there is no cell to play": nil,
	} {
		s := State{Cells: cells}
		s.Sum()
		assert.Equal(t, want, s.Reason)
	}
}

// TestIsDone: only a completed cell with the same plan, builds and result is done; a failure is
// done too, an infrastructure failure is not.
func TestIsDone(t *testing.T) {
	done := Cell{Phase: Done, Verdict: term.Fail, Key: "key", Result: "result"}
	assert.True(t, done.IsDone("key", "result"))
	assert.False(t, done.IsDone("other", "result"))
	assert.False(t, done.IsDone("key", "other"))
	assert.False(t, done.IsDone("key", ""))
	again := done
	again.Earlier = true // of a resume that was killed
	assert.True(t, again.IsDone("key", "result"))
	for _, change := range []func(*Cell){
		func(c *Cell) { c.Infrastructure = true }, func(c *Cell) { c.Phase = Running }, func(c *Cell) { c.Phase = Interrupted }, func(c *Cell) { c.Result = "" },
	} {
		c := done
		change(&c)
		assert.False(t, c.IsDone("key", c.Result))
	}
	assert.False(t, Cell{}.IsDone("", ""))
}
