package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// TestJudgeWithoutFirstLeg: a chain whose first leg left no record is judged again
// as the chain that it is: with its expectations, and with the salt of its legs.
func TestJudgeWithoutFirstLeg(t *testing.T) {
	dir := t.TempDir()
	expect := []scenarios.Expectation{{Check: term.NothingLost, Line: 12}}
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}, Whole: true, Expect: expect}
	hops := p.Hops()
	require.NoError(t, os.MkdirAll(legDir(dir, hops[1]), 0o700))
	recorded := plan.Plan{Expect: expect}
	w, err := history.Create(legDir(dir, hops[1]), history.Header{Tool: "test", Salt: "pepper", Plan: recorded})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, "pepper", firstHeader(dir, hops).Salt)
	before := chain.New(p)
	before.Unjudged(hops[0], 0, os.ErrNotExist)
	before.Unjudged(hops[1], 0, os.ErrNotExist)

	v, _, err := (&app{}).rejudge(dir, before.Verdict())
	require.NoError(t, err)
	assert.Equal(t, term.Unknown, v.Verdict, v.Reason)
	assert.Equal(t, expect, v.Expect)
	assert.Len(t, v.Legs, 2)
	old := before.Verdict()
	old.Expect = nil // as it was written before it was kept
	v, _, err = (&app{}).rejudge(dir, old)
	require.NoError(t, err)
	assert.Equal(t, expect, v.Expect)
}

// TestReportChain: report writes the reports of every leg that left a record, and
// names those that did not.
func TestReportChain(t *testing.T) {
	dir := t.TempDir()
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	hops := p.Hops()
	before := chain.New(p)
	for _, hop := range hops {
		before.Unjudged(hop, 0, os.ErrNotExist)
		require.NoError(t, os.MkdirAll(legDir(dir, hop), 0o700))
	}
	require.NoError(t, (&app{}).writeChain(dir, before.Verdict()))
	w, err := history.Create(legDir(dir, hops[1]), history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	var out, said bytes.Buffer
	a := &app{out: &out, err: &said}
	assert.Equal(t, exitUnjudged, a.execute(t.Context(), []string{"report", dir}))
	assert.Contains(t, said.String(), "leg 01-1.0..1.1: ")
	assert.Equal(t, reportPath(legDir(dir, hops[1]))+"\n", out.String())
	assert.FileExists(t, reportPath(legDir(dir, hops[1])))

	w, err = history.Create(legDir(dir, hops[0]), history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, exitExpected, a.execute(t.Context(), []string{"report", dir}), said.String())
	assert.FileExists(t, reportPath(legDir(dir, hops[0])))
}

// TestChainOfNoReleases: such a file is refused, whatever is asked of it; its twin with
// two releases is read.
func TestChainOfNoReleases(t *testing.T) {
	for _, releases := range [][]string{nil, {"frobber@1.0"}, {"frobber@1.0", "frobber@1.1"}} {
		dir := t.TempDir()
		v := chain.Verdict{SchemaVersion: chain.SchemaVersion, Releases: releases}
		require.NoError(t, write(dir, chainFile, func(w io.Writer) error { return reports.ChainJSON(w, v) }))
		code, _, told := called("report", "--format", "text", dir)
		if len(releases) == 2 {
			assert.Equal(t, exitExpected, code, told)
			continue
		}
		assert.NotEqual(t, exitExpected, code)
		assert.Contains(t, told, "a chain has two at least")
	}
}

// TestLegsAreSealed: chain.json repeats what findings say, and a path may hold what is
// confidential; unmarked, it stands there.
func TestLegsAreSealed(t *testing.T) {
	const path = `.spec.keys[="battery-staple-key"]`
	for _, marked := range []bool{true, false} {
		p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
		h := &history.History{}
		if marked {
			h.Header.Plan.Confidential = map[string][]string{"Gadget": {".spec.keys"}}
		}
		j := judgement{history: h, result: result.Result{Findings: []result.Finding{{Kind: "Gadget", Path: path, Message: "lost " + path}}}}
		c := chain.New(p)
		c.Add(legOf(p.Hops()[0], j, reports.New(j.history, j.result, j.ledger), 0))
		told := c.Verdict().Legs[0].Unexpected
		require.Len(t, told, 1)
		assert.Equal(t, !marked, strings.Contains(told[0], "battery"), told[0])
	}
}

// TestJudgeNothing: without a leg there is nothing to judge.
func TestJudgeNothing(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	_, _, err := (&app{}).rejudge(t.TempDir(), chain.New(p).Verdict())
	assert.ErrorContains(t, err, "no leg was played")
}

// TestUnkept: what could not be written of a leg reaches the exit code, and ends
// nothing; what only ends a leg is in that leg's verdict already.
func TestUnkept(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	full, crashed := errors.New("report.html: no space"), errors.New("a server ended")
	each := func(ctx context.Context, ended, unkept error) (played int, said string, err error) {
		var out bytes.Buffer
		c := &chainRun{app: &app{out: io.Discard, err: &out}, hops: p.Hops()}
		err = c.each(ctx, nil, func(context.Context, chain.Hop) (error, error) {
			played++
			return ended, unkept
		})
		return played, out.String(), err
	}
	played, said, err := each(t.Context(), crashed, nil)
	require.NoError(t, err)
	assert.Equal(t, 2, played)
	assert.Contains(t, said, "leg 01-1.0..1.1: a server ended")
	played, _, err = each(t.Context(), nil, full)
	require.ErrorIs(t, err, full)
	assert.Equal(t, 2, played, "the next leg is played all the same")
	a := &app{out: io.Discard, err: io.Discard}
	assert.Equal(t, exitUnjudged, exitCode(a.tellChain("", chain.Verdict{Verdict: term.Pass, Releases: p.Releases}, err)))
	assert.Equal(t, exitDiffers, exitCode(a.tellChain("", chain.Verdict{Verdict: term.Fail, Releases: p.Releases}, err)))
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	played, _, err = each(interrupted, nil, full)
	assert.Equal(t, 1, played)
	require.ErrorIs(t, err, full)
	require.ErrorIs(t, err, context.Canceled)
}

// TestTake: a leg that can be judged, and not written, is played all the same.
func TestTake(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	c := &chainRun{app: &app{}, chain: chain.New(p), hops: p.Hops()}
	dir := t.TempDir()
	unjudged, unwritten := c.take(c.hops[0], dir, 3, 0)
	require.Error(t, unjudged, "it left no history")
	assert.Equal(t, 3, c.chain.Next(c.hops[1]).Left, "what it may have made")
	require.NoError(t, unwritten)
	w, err := history.Create(dir, history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "result.json", "in the way"), 0o700))
	unjudged, unwritten = c.take(c.hops[1], dir, 0, 0)
	require.NoError(t, unjudged)
	require.ErrorContains(t, unwritten, "result.json")
}
