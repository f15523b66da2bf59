package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// fakeEvents notes the events, and writes nothing.
type fakeEvents struct {
	silent
	warned, legs []string
	shown        result.Result // what Report returns, with
	unwritten    error
	judged       []rundir.Judged
	chain        chain.Verdict
}

func (f *fakeEvents) Warn(text string) { f.warned = append(f.warned, text) }

func (f *fakeEvents) Report(j rundir.Judged) (result.Result, error) {
	f.judged = append(f.judged, j)
	return f.shown, f.unwritten
}

func (f *fakeEvents) Leg(name string, _ time.Duration, ended error) {
	f.legs = append(f.legs, fmt.Sprintf("%s: %v", name, ended))
}

func (f *fakeEvents) ReportChain(_ string, v chain.Verdict) error {
	f.chain = v
	return nil
}

func (f *fakeEvents) ChainEnded(string, chain.Verdict) error { return nil }

// TestUnkept: a failed write of a leg's files reaches the exit code, and ends nothing; what
// only ends a leg is already in its verdict.
func TestUnkept(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	full, crashed := errors.New("report.html: no space"), errors.New("a server ended")
	each := func(ctx context.Context, ended, unkept error) (played int, said string, err error) {
		events := &fakeEvents{}
		c := &chainRun{events: events, hops: p.Hops()}
		err = c.each(ctx, nil, func(context.Context, chain.Hop) (error, error) {
			played++
			return ended, unkept
		})
		return played, strings.Join(events.legs, "\n"), err
	}
	played, said, err := each(t.Context(), crashed, nil)
	require.NoError(t, err)
	assert.Equal(t, 2, played)
	assert.Contains(t, said, "01-1.0..1.1: a server ended")
	played, _, err = each(t.Context(), nil, full)
	require.ErrorIs(t, err, full)
	assert.Equal(t, 2, played, "the next leg is played all the same")
	for word, want := range map[term.VerdictWord]term.VerdictWord{term.Pass: "", term.Fail: term.Fail} {
		o := chainOutcome("", chain.Verdict{Verdict: word, Releases: p.Releases}, err, &fakeEvents{})
		assert.Equal(t, want, o.Verdict)
		require.ErrorIs(t, o.Err, full)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	played, _, err = each(interrupted, nil, full)
	assert.Equal(t, 1, played)
	require.ErrorIs(t, err, full)
	require.ErrorIs(t, err, context.Canceled)
}

// TestTake: a leg that is judged but could not be written still counts as executed.
func TestTake(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	events := &fakeEvents{shown: result.Result{Verdict: term.Fail}}
	c := &chainRun{events: events, chain: chain.New(p), hops: p.Hops()}
	dir := t.TempDir()
	unjudged, unwritten := c.take(c.hops[0], dir, 3, 0)
	require.Error(t, unjudged, "it left no history")
	assert.Equal(t, 3, c.chain.Next(c.hops[1]).Left, "what it may have made")
	require.NoError(t, unwritten)
	w, err := history.Create(dir, history.Header{Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	events.unwritten = errors.New("result.json: in the way")
	unjudged, unwritten = c.take(c.hops[1], dir, 0, 0)
	require.NoError(t, unjudged)
	require.ErrorIs(t, unwritten, events.unwritten)
	assert.Equal(t, term.Fail, c.chain.Verdict().Legs[1].Verdict, "the chain has the result that reports show")
}

// TestKept: after each leg chain.json has the leg, whatever its outcome.
func TestKept(t *testing.T) {
	dir, err := rundir.Open(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer func() { require.NoError(t, dir.Close()) }()
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	events := &fakeEvents{}
	c := &chainRun{events: events, chain: chain.New(p), hops: p.Hops(), dir: dir, run: Run{Request: Request{Scenario: &scenarios.Scenario{Name: "x", Replicas: 2}}}}
	ended, unkept := c.kept(t.Context(), c.hops[0])
	require.ErrorContains(t, ended, "no stage can create any object")
	require.NoError(t, unkept)
	assert.Len(t, events.chain.Legs, 1)
	assert.Equal(t, 2, events.chain.Planned)
}
