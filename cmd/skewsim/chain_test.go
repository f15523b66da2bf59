package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestReportChain: report writes the reports of every leg that left a record, and
// names those that did not.
func TestReportChain(t *testing.T) {
	dir := t.TempDir()
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	hops := p.Hops()
	before := chain.New(p)
	for _, hop := range hops {
		before.Unjudged(hop, 0, os.ErrNotExist)
		require.NoError(t, os.MkdirAll(rundir.LegDir(dir, hop), 0o700))
	}
	require.NoError(t, reports.WriteChain(dir, before.Verdict(), false))
	w, err := history.Create(rundir.LegDir(dir, hops[1]), history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	var out, said bytes.Buffer
	a := &App{Out: &out, Err: &said}
	assert.Equal(t, ExitUnjudged, execute(t.Context(), a, []string{"report", dir}))
	assert.Contains(t, said.String(), "leg 01-1.0..1.1: ")
	assert.Equal(t, screen.ReportPath(rundir.LegDir(dir, hops[1]))+"\n", out.String())
	assert.FileExists(t, screen.ReportPath(rundir.LegDir(dir, hops[1])))

	w, err = history.Create(rundir.LegDir(dir, hops[0]), history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, ExitExpected, execute(t.Context(), a, []string{"report", dir}), said.String())
	assert.FileExists(t, screen.ReportPath(rundir.LegDir(dir, hops[0])))
}

// TestChainOfNoReleases: every command refuses such a file; the same file with two
// releases is read.
func TestChainOfNoReleases(t *testing.T) {
	for _, releases := range [][]string{nil, {"frobber@1.0"}, {"frobber@1.0", "frobber@1.1"}} {
		dir := t.TempDir()
		v := chain.Verdict{SchemaVersion: chain.SchemaVersion, Releases: releases}
		require.NoError(t, rundir.WriteFile(dir, rundir.ChainFile, func(w io.Writer) error { return reports.ChainJSON(w, v) }))
		code, _, told := called("report", "--format", "text", dir)
		if len(releases) == 2 {
			assert.Equal(t, ExitExpected, code, told)
			continue
		}
		assert.NotEqual(t, ExitExpected, code)
		assert.Contains(t, told, "a chain has at least two")
	}
}

// TestJudgeKilled: chain.json of a killed chain describes the legs that had ended;
// the killed leg is judged by the record that it left.
func TestJudgeKilled(t *testing.T) {
	dir := t.TempDir()
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1", "frobber@1.2"}}
	hops := p.Hops()
	for _, hop := range hops[:2] {
		require.NoError(t, os.MkdirAll(rundir.LegDir(dir, hop), 0o700))
		w, err := history.Create(rundir.LegDir(dir, hop), history.Header{Tool: "test"})
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	require.NoError(t, reports.WriteChain(dir, chain.New(p).Verdict(), false), "as when the first leg begins")
	for _, command := range []string{"judge", "report"} {
		code, _, told := called(command, dir)
		assert.NotEqual(t, ExitUsage, code, told)
	}
	assert.FileExists(t, screen.ReportPath(rundir.LegDir(dir, hops[1])))
}

// TestLegsAreSealed: chain.json repeats what findings say, and a path may hold what is
// confidential; unmarked, it stands there.
func TestLegsAreSealed(t *testing.T) {
	const path = `.spec.keys[="battery-staple-key"]`
	for _, marked := range []bool{true, false} {
		h := &history.History{}
		if marked {
			h.Header.Plan.Confidential = map[string][]string{"Gadget": {".spec.keys"}}
		}
		found := result.Result{Findings: []result.Finding{{Kind: "Gadget", Path: path, Message: "lost " + path}}}
		shown, err := reports.Rejudged(false)(rundir.Judged{Dir: t.TempDir(), Judgement: rundir.Judgement{History: h, Result: found}})
		require.NoError(t, err)
		assert.Equal(t, !marked, strings.Contains(shown.Findings[0].Message, "battery"))
	}
}
