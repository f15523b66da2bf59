package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// calledServer is a program that calls itself a kube-apiserver of a version, and does nothing
// else.
func calledServer(t *testing.T, version string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kube-apiserver")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\necho Kubernetes "+version+"\n"), 0o700))
	return "path:" + file
}

// TestMatrixRefusesAPairInTheWrongOrder: of a pair that is named by its files only the
// builds tell the order, and then it is refused as one of releases is; in the right order
// it is not.
func TestMatrixRefusesAPairInTheWrongOrder(t *testing.T) {
	old, new := calledServer(t, "v1.35.4"), calledServer(t, "v1.36.1")
	scenario := filepath.Join("testdata", "matrix", "one.yaml")
	for pair, want := range map[string]string{
		new + ".." + old: "the old release v1.36.1 is newer than the new one v1.35.4: swap them",
		old + ".." + new: "no scenario applies to what was built", // which is of frobber
	} {
		out := filepath.Join(t.TempDir(), "out")
		code, said, told := called("matrix", scenario, "--pairs", pair, "--out", out)
		assert.Equal(t, ExitUsage, code, said)
		assert.Contains(t, said+told, want)
		text, err := os.ReadFile(filepath.Join(out, "report.md"))
		require.NoError(t, err)
		assert.Contains(t, string(text), "kube-apiserver", "the page reports it, too")
	}
}

// TestMergeNotApplicable: the page lists cells that turned out not applicable, one line for each
// reason across shards; they do not count as runs.
func TestMergeNotApplicable(t *testing.T) {
	notApplicableCell := func(name, pair, why string) matrix.Cell {
		return matrix.Cell{Scenario: name, Pair: pair, Dir: pair + "/" + name, Phase: matrix.NotApplicable, Outcome: "not played", Reason: why}
	}
	var cells []matrix.Cell
	for i := range 5 {
		cells = append(cells, notApplicableCell(fmt.Sprint("s", i), "x", "the scenario is of frobber"))
	}
	cells = append(cells, notApplicableCell("s0", "y", "too old"), madeCell("pass", term.Pass))
	want := []string{
		"x was not played with s0, s1, s2 and 2 more: the scenario is of frobber",
		"y was not played with s0: too old",
	}
	whole, above := filepath.Join(t.TempDir(), "whole"), t.TempDir()
	madeMatrix(t, whole, matrix.State{Cells: cells})
	code, merged := mergedOf(t, whole)
	assert.Equal(t, ExitExpected, code)
	assert.Equal(t, want, merged.Notes)
	assert.Equal(t, 1, merged.Totals.Runs)

	var dirs []string
	for i, some := range [][]matrix.Cell{cells[:3], cells[3:]} {
		dirs = append(dirs, filepath.Join(above, fmt.Sprint(i)))
		s := matrix.State{Shard: &matrix.Shard{Index: i + 1, Of: 2}, Cells: some}
		for _, c := range [][]matrix.Cell{cells[3:], cells[:3]}[i] {
			s.Excluded = matrix.Exclude(s.Excluded, c.Scenario, pairing.Why{Kind: pairing.Elsewhere}, c.Pair)
		}
		madeMatrix(t, dirs[i], s)
	}
	code, merged = mergedOf(t, dirs...)
	assert.Equal(t, ExitExpected, code)
	assert.Equal(t, want, merged.Notes)
}
