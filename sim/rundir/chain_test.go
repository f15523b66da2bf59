package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// shown returns a result unchanged, and writes nothing.
func shown(j Judged) (result.Result, error) { return j.Judgement.Result, nil }

// TestJudgeWithoutFirstLeg: a chain whose first leg left no record is judged again as the
// same chain: with its expectations, and with the salt of its legs.
func TestJudgeWithoutFirstLeg(t *testing.T) {
	dir := t.TempDir()
	expect := []scenarios.Expectation{{Check: term.CheckNothingLost, Line: 12}}
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}, Whole: true, Expect: expect}
	hops := p.Hops()
	require.NoError(t, os.MkdirAll(LegDir(dir, hops[1]), 0o700))
	recorded := plan.Plan{Expect: expect}
	w, err := history.Create(LegDir(dir, hops[1]), history.Header{Tool: "test", Salt: "pepper", Plan: recorded})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, "pepper", firstHeader(dir, hops).Salt)
	before := chain.New(p)
	before.Unjudged(hops[0], 0, os.ErrNotExist)
	before.Unjudged(hops[1], 0, os.ErrNotExist)

	v, _, err := Rejudge(dir, before.Verdict(), shown)
	require.NoError(t, err)
	assert.Equal(t, term.Unknown, v.Verdict, v.Reason)
	assert.Equal(t, expect, v.Expect)
	assert.Len(t, v.Legs, 2)
	old := before.Verdict()
	old.Expect = nil // as older versions wrote it
	v, _, err = Rejudge(dir, old, shown)
	require.NoError(t, err)
	assert.Equal(t, expect, v.Expect)
}

// TestSaltOfADamagedLeg: the salt needs no more of a leg than its header.
func TestSaltOfADamagedLeg(t *testing.T) {
	dir := t.TempDir()
	hops := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}, Whole: true}.Hops()
	leg := LegDir(dir, hops[0])
	require.NoError(t, os.MkdirAll(leg, 0o700))
	text := `{"n":1,"header":{"schemaVersion":"` + history.SchemaVersion + `","salt":"pepper"}}` + strings.Repeat("\n", 150_000)
	require.NoError(t, os.WriteFile(filepath.Join(leg, history.PlainFileName), []byte(text), 0o600))
	_, err := history.Load(leg)
	require.Error(t, err)
	assert.Equal(t, "pepper", firstHeader(dir, hops).Salt)
}

// TestJudgeNothing: without a leg there is nothing to judge.
func TestJudgeNothing(t *testing.T) {
	p := chain.Plan{Scenario: "x", Releases: []string{"frobber@1.0", "frobber@1.1"}}
	_, _, err := Rejudge(t.TempDir(), chain.New(p).Verdict(), shown)
	assert.ErrorContains(t, err, "no leg was executed")
}
