package screen

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// onBoard are the cells of a small layout, with what the board has of each. Each has a
// journey of its own.
func onBoard(names ...string) (*campaign.Layout, []*campaign.Cell) {
	m := &campaign.Layout{}
	var all []*campaign.Cell
	for i, name := range names {
		c := &campaign.Cell{
			Journey: i + 1,
			Run:     engine.Run{Request: engine.Request{Scenario: &scenarios.Scenario{Name: name}}}, Cost: 10,
			Pair: pairing.Pair{Old: pairing.Release{Reference: "frobber@1.0", Component: "frobber", Version: "1.0"}, New: pairing.Release{Reference: "frobber@1.1", Component: "frobber", Version: "1.1"}},
		}
		m.Cells = append(m.Cells, c)
		all = append(all, c)
	}
	return m, all
}

func oneAttempt() []matrix.Attempt { return []matrix.Attempt{{Outcome: "pass"}} }

// TestLines: a line for each cell, with how much time is left by what cells cost.
func TestLines(t *testing.T) {
	m, all := onBoard("kept", "good", "bad", "dead", "lone")
	var out bytes.Buffer
	l := NewBoard(&out, m, campaign.NewRoom(2)).(*lines)
	at := l.From
	l.AtOnce, l.Now = 2, func() time.Time { return at }
	assert.Equal(t, 25*time.Second, l.TimeLeft(), "50 s of cost, two at once")
	l.Kept(all[0], term.Pass)
	l.Begun(all[1])
	at = at.Add(20 * time.Second)
	l.Ended(all[1], matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass", Took: 9.5, Attempts: oneAttempt()})
	assert.Equal(t, 60*time.Second, l.TimeLeft(), "10 s of cost took 20 s, and 30 are left")
	for _, b := range all[2:] {
		l.Begun(b)
	}
	l.Ended(all[2], matrix.Cell{Phase: matrix.Done, Verdict: term.Fail, Outcome: "FAIL", Reason: "rule-1: 2 findings not expected", Took: 3, Attempts: oneAttempt()})
	l.Ended(all[3], matrix.Cell{Phase: matrix.Done, Verdict: term.Unknown, Outcome: "unknown", Reason: "server b-1 was killed", Infrastructure: true, Took: 2,
		Attempts: []matrix.Attempt{{Infrastructure: "killed"}, {Infrastructure: "killed"}}})
	l.Again(campaign.Ended{Cell: all[4], Outcome: engine.Outcome{Verdict: term.Fail, Took: time.Second}, Begun: true})
	l.Ended(all[4], matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass", Took: 4, Attempts: []matrix.Attempt{{Outcome: "FAIL", With: 1}, {Outcome: "pass"}}})
	l.Close()
	assert.Equal(t, `2/5  pass       9.5 s  frobber@1.0..1.1 good  (gone, left)
3/5  FAIL       3.0 s  frobber@1.0..1.1 bad: rule-1: 2 findings not expected  (gone, left)
4/5  unknown    2.0 s  frobber@1.0..1.1 dead, attempt 2: server b-1 was killed  (gone, left)
     FAIL       1.0 s  frobber@1.0..1.1 lone: in a shared run; it runs again, alone
5/5  pass       4.0 s  frobber@1.0..1.1 lone, alone
1 of 5 were done before, of the same plan, seed, builds and skewsim
`, regexp.MustCompile(`\(\S+ elapsed, about \S+ left\)`).ReplaceAllString(out.String(), "(gone, left)"))
	assert.Equal(t, "1:01:05", clock(time.Hour+65*time.Second))
}
