package screen

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
)

// window is a terminal whose size, clock and ticks a test sets.
type window struct {
	*table
	out           bytes.Buffer
	width, height int
	at            time.Time
	ticks         chan time.Time
}

func newWindow(m *campaign.Layout, width, height int) *window {
	w := &window{width: width, height: height, ticks: make(chan time.Time)}
	l := NewBoard(&w.out, m, campaign.NewRoom(2)).(*lines)
	w.at, l.AtOnce = l.From, 2
	l.Now = func() time.Time { return w.at }
	w.table = newTable(l, m, func() (int, int) { return w.width, w.height }, w.ticks)
	return w
}

// after lets time go on, and gives what is drawn then. What the first tick draws is there
// when the second is taken.
func (w *window) after(d time.Duration) string {
	w.mutex.Lock()
	w.at = w.at.Add(d)
	w.mutex.Unlock()
	w.ticks <- w.at
	w.ticks <- w.at
	return w.shown()
}

// shown is the last frame, without what moves the cursor.
func (w *window) shown() string {
	frames := regexp.MustCompile(`\r\x1b\[\d+A`).Split(w.said(), -1)
	return regexp.MustCompile(`\x1b\[[JK]`).ReplaceAllString(frames[len(frames)-1], "")
}

func (w *window) said() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.String()
}

func (w *window) resize(width, height int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.width, w.height = width, height
}

func passed() matrix.Cell {
	return matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass", Attempts: oneAttempt()}
}

// TestTableImpacts: what found impacts only has a word of its own; what nobody could
// judge is other.
func TestTableImpacts(t *testing.T) {
	m, all := onBoard("good", "affected", "late")
	w := newWindow(m, 120, 24)
	for i, v := range []term.VerdictWord{term.Pass, term.Impacts, term.Unknown} {
		w.Begun(all[i])
		w.Ended(all[i], matrix.Cell{Phase: matrix.Done, Verdict: v, Outcome: matrix.OutcomeOf(v), Attempts: oneAttempt()})
	}
	assert.Contains(t, w.shown(), "3 of 3 done: 1 pass, 0 FAIL, 1 impacts, 1 other;")
	w.Close()
}

// TestTable: a terminal has a row for each running pair, and one for all;
// what did not pass, and what builds say, stands above. A text is never a format.
func TestTable(t *testing.T) {
	m, all := onBoard("good", "bad", "late")
	w := newWindow(m, 120, 24)
	w.Begun(all[0])
	w.Begun(all[1])
	_, err := w.Write([]byte("compiling 100%d\n"))
	require.NoError(t, err)
	w.Ended(all[0], passed())
	w.Ended(all[1], matrix.Cell{Phase: matrix.Done, Verdict: term.Fail, Outcome: "FAIL", Reason: "rule-1", Attempts: oneAttempt()})
	assert.Contains(t, w.shown(), "\n0:00 elapsed, about 0:00 left; 2 of 3 done: 1 pass, 1 FAIL, 0 other; 0 running, 1 left\n")
	assert.Contains(t, w.shown(), "██████░░░░  66%  frobber@1.0..1.1  2 done, 1 failed, 0 running, 1 left\n")
	w.Begun(all[2])
	w.Ended(all[2], passed())
	w.Close()
	assert.Contains(t, w.said(), "compiling 100%d\n")
	assert.Contains(t, w.said(), "2/3  FAIL       0.0 s  frobber@1.0..1.1 bad: rule-1")
	assert.Contains(t, w.said(), "██████████ 100%  frobber@1.0..1.1  3 done, 1 failed, 0 running, 0 left\n", "above, for good")
	assert.Equal(t, "0:00 elapsed, about 0:00 left; 3 of 3 done: 2 pass, 1 FAIL, 0 other; 0 running, 0 left\n", w.shown())
	assert.NotContains(t, w.said(), "1/3  pass", "what passed is in its row")
}

// TestTimeGoesOn: the table is drawn while nothing ends, and what is left grows less.
func TestTimeGoesOn(t *testing.T) {
	m, all := onBoard("one", "two", "three", "four")
	w := newWindow(m, 100, 24)
	defer w.Close()
	assert.Contains(t, w.shown(), "0:00 elapsed, about 0:20 left; 0 of 4")
	w.Begun(all[0])
	w.Begun(all[1])
	assert.Contains(t, w.after(6*time.Second), "0:06 elapsed, about 0:14 left; 0 of 4")
	assert.Contains(t, w.shown(), "███░░░░░░░  30%  frobber@1.0..1.1  0 done, 0 failed, 2 running, 2 left\n")
	assert.Contains(t, w.after(20*time.Second), "0:26 elapsed, about 0:10 left; 0 of 4", "what has not begun is left however long the others take")
	w.Ended(all[0], passed())
	assert.Contains(t, w.after(0), "0:26 elapsed, about 0:26 left; 1 of 4", "26 s for 20 s of cost, and 20 are left")
}

// TestJourneyLeft: a journey ends as a whole, but a cell that is played again alone goes on.
func TestJourneyLeft(t *testing.T) {
	for _, c := range []struct {
		name  string
		again bool
		left  string
	}{{"as a whole", false, "about 0:00 left"}, {"alone", true, "about 0:30 left"}} {
		t.Run(c.name, func(t *testing.T) {
			m, all := onBoard("one", "two", "three")
			for _, b := range all {
				b.Journey = 1
			}
			w := newWindow(m, 100, 24)
			defer w.Close()
			for _, b := range all {
				w.Begun(b)
			}
			assert.Contains(t, w.after(60*time.Second), "1:00 elapsed")
			if c.again {
				w.Again(campaign.Ended{Cell: all[0], Outcome: engine.Outcome{Verdict: term.Fail}})
				assert.Contains(t, w.shown(), "3 running, 0 left")
			} else {
				w.Ended(all[0], passed())
			}
			w.Ended(all[1], passed())
			if c.again {
				w.Ended(all[2], passed())
			}
			assert.Contains(t, w.shown(), c.left)
		})
	}
}

// TestTableFits: nothing wraps, nor is more drawn than the terminal holds, also when it
// is made smaller.
func TestTableFits(t *testing.T) {
	m := &campaign.Layout{}
	var all []*campaign.Cell
	for i := range 9 {
		some, cells := onBoard("a-scenario")
		c := some.Cells[0]
		c.Journey, c.Pair.New.Version = i, fmt.Sprint("1.1", i)
		c.Pair.New.Reference = "frobber@" + c.Pair.New.Version
		m.Cells, all = append(m.Cells, c), append(all, cells...)
	}
	w := newWindow(m, 90, 6)
	defer w.Close()
	for _, b := range all {
		w.Begun(b)
	}
	fits := func(shown string, width, rows int) {
		t.Helper()
		lines := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
		assert.Len(t, lines, rows, shown)
		for _, line := range lines {
			assert.Less(t, runewidth.StringWidth(line), width, line)
		}
		assert.Regexp(t, `^0:0\d elapsed, about \d:\d\d left; 0`, lines[len(lines)-1])
	}
	fits(w.shown(), 90, 5)
	assert.Contains(t, w.shown(), "\nand 6 more\n")
	w.resize(34, 4)
	fits(w.after(time.Second), 34, 3)
	assert.Contains(t, w.shown(), "\nand 8 more\n")
	w.resize(0, 0) // it does not say
	fits(w.after(time.Second), 34, 3)
	w.resize(90, 40)
	fits(w.after(time.Second), 90, 10)
	assert.NotContains(t, w.shown(), "more")
	assert.NotRegexp(t, `\x1b\[[0-9;]*m`, w.said(), "no colour, whatever NO_COLOR says")
}

// TestCanDraw: lines are for what cannot be drawn on.
func TestCanDraw(t *testing.T) {
	for _, c := range []struct {
		kind          string
		width, height int
		want          bool
	}{
		{"xterm-256color", 80, 24, true}, {"xterm", 60, 5, true},
		{"xterm", 34, 24, false}, {"xterm", 80, 4, false}, {"xterm", 0, 0, false}, {"dumb", 80, 24, false}, {"", 80, 24, false},
	} {
		assert.Equal(t, c.want, canDraw(c.kind, func() (int, int) { return c.width, c.height }), "%+v", c)
	}
}

// TestFoot: it is drawn in its own place, which is larger in a window that was made
// narrower, and never reaches above the window.
func TestFoot(t *testing.T) {
	var out bytes.Buffer
	width, height := 20, 24
	f := foot{w: &out, size: func() (int, int) { return width, height }}
	drawn := func() string { defer out.Reset(); return out.String() }
	f.draw(nil)
	assert.Empty(t, drawn())
	f.draw([]string{"a line that is too long", "two"}, "above")
	assert.Equal(t, "above\na line that is too…\x1b[K\ntwo\x1b[K\n", drawn())
	f.draw([]string{"one", "two"})
	assert.Equal(t, "\r\x1b[2Aone\x1b[K\ntwo\x1b[K\n", drawn(), "nothing is cleared from the top on")
	f.draw([]string{"one"})
	assert.Equal(t, "\r\x1b[2Aone\x1b[K\n\x1b[J", drawn())
	f.draw([]string{"nineteen letters..."}, "above")
	assert.Equal(t, "\r\x1b[1A\x1b[Jabove\nnineteen letters...\x1b[K\n", drawn())
	width = 10
	f.draw(nil)
	assert.Equal(t, "\r\x1b[2A\x1b[J", drawn(), "it takes two rows now")
	f.draw([]string{"1", "2", "3", "4"})
	drawn()
	height = 3
	f.draw(nil)
	assert.Equal(t, "\r\x1b[2A\x1b[J", drawn())
}
