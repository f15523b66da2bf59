package screen

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
)

// TestSeveral: a line for each, and a table with the slowest first.
func TestSeveral(t *testing.T) {
	var out bytes.Buffer
	p := NewSeveral(&out, "out", 12)
	of := func(name string, took time.Duration, o engine.Outcome) campaign.Ended {
		o.Took = took
		return campaign.Ended{Cell: &campaign.Cell{Label: name}, Outcome: o, Begun: true}
	}
	passes, failed := engine.Outcome{Verdict: term.Pass}, engine.Outcome{Verdict: term.Fail}
	all := []campaign.Ended{
		of("good", 1500*time.Millisecond, engine.Outcome{Verdict: term.Pass, With: 2}),
		of("bad+late", 2*time.Second, failed),
		of("dead", time.Second, engine.Outcome{Err: errors.New("server b ended by itself\nits last words")}),
		of("lone", 4*time.Second, passes),
		of("twice", 3*time.Second, failed),
		of("late", 0, engine.Outcome{Err: context.Canceled}),
		of("gone", 0, engine.Outcome{Err: fault.Wrap(fault.Unavailable, errors.New("v1.37.0 is not available"))}),
	}
	all[3].InShared, all[4].InShared, all[5].Begun = matrix.Failed, matrix.Failed, false
	again := of("lone", time.Second, engine.Outcome{Verdict: term.Fail, With: 2})
	again.Again = true
	p.Ended(again)
	for _, e := range append(all[:5:5], all[6]) {
		p.Ended(e)
	}
	require.NoError(t, p.Table(all, 5, 2))
	assert.Equal(t, `       FAIL       1.0 s  lone: in a shared run; it runs again, alone
 1/12  pass       1.5 s  good
 2/12  FAIL       2.0 s  bad+late: see out/bad+late/run.txt
 3/12  unknown    1.0 s  dead: server b ended by itself
 4/12  pass       4.0 s  lone, alone
 5/12  FAIL       3.0 s  twice, alone: see out/twice/run.txt
 6/12  not played    0.0 s  gone: v1.37.0 is not available

SCENARIO  SECONDS  
lone          4.0  pass alone, FAIL in a shared run
twice         3.0  FAIL alone and in a shared run
bad+late      2.0  FAIL
good          1.5  pass, with 2 others
dead          1.0  unknown
gone          0.0  not played
late          0.0  not played

7 scenarios on 5 sets of servers, 2 at once, 0.0 s: 2 pass, 2 FAIL, 1 unknown, 2 not played
another outcome alone than in a shared run: lone. The outcome alone counts; a scenario with isolate: true in its file always runs alone
`, out.String())
}
