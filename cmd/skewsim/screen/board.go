package screen

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// Board shows the progress of a matrix. It prints above its table what is written to it.
type Board interface {
	campaign.Board
	// Close draws the board for the last time.
	Close()
}

// NewBoard returns a table that is redrawn on a terminal, and lines elsewhere.
func NewBoard(w io.Writer, m *campaign.Layout, room campaign.Room) Board {
	l := &lines{w: w, all: len(m.Cells), Pace: campaign.Pace{Now: time.Now, From: time.Now(), AtOnce: room.AtOnce(m.Groups)}}
	for _, c := range m.Cells {
		l.Left += c.Cost
	}
	if size, ok := sized(w); ok {
		return newTable(l, m, size, time.Tick(time.Second))
	}
	return l
}

// lines prints a line for each cell that ends.
type lines struct {
	w                          io.Writer
	mutex                      sync.Mutex
	all, done, before          int // cells; done includes before, those of an earlier matrix
	pass, fail, impacts, other int
	campaign.Pace
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.w.Write(p)
}

func (l *lines) Kept(b *campaign.Cell, v term.VerdictWord) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.done++
	l.before++
	l.Left -= b.Cost
	l.count(v)
}

func (l *lines) Begun(b *campaign.Cell) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.Begin(b)
}

func (l *lines) Again(e campaign.Ended) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.Alone(e.Cell)
	fmt.Fprintf(l.w, "%s  %-7s  %5.1f s  %s %s: in a shared run; it runs again, alone\n", l.counter(false), e.Word(), e.Took.Seconds(), e.Cell.Pair, e.Cell.Scenario())
}

func (l *lines) Ended(b *campaign.Cell, c matrix.Cell) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintln(l.w, l.end(b, c))
}

// end counts a cell that has ended, and returns its line.
func (l *lines) end(b *campaign.Cell, c matrix.Cell) string {
	l.done++
	l.Pace.End(b)
	if c.Phase != matrix.NotApplicable {
		l.count(c.Verdict)
	}
	return fmt.Sprintf("%s  %-7s  %5.1f s  %s %s%s%s", l.counter(true), c.Outcome, c.Took, b.Pair, b.Scenario(), triesOf(c), l.times())
}

func (l *lines) count(v term.VerdictWord) {
	switch v {
	case term.Pass:
		l.pass++
	case term.Fail:
		l.fail++
	case term.Impacts:
		l.impacts++
	default:
		l.other++
	}
}

func (l *lines) counter(done bool) string {
	width := len(fmt.Sprint(l.all))
	if !done {
		return strings.Repeat(" ", 2*width+1)
	}
	return fmt.Sprintf("%*d/%d", width, l.done, l.all)
}

// triesOf returns how often a cell has run, and why it did not pass.
func triesOf(c matrix.Cell) (text string) {
	switch n := len(c.Attempts); {
	case c.HadInfrastructureFailure(), slices.ContainsFunc(c.Attempts, matrix.Attempt.IsInterrupted):
		text = fmt.Sprintf(", attempt %d", n)
	case n > 1: // in a shared run first
		text = ", alone"
	}
	if c.Verdict != term.Pass && c.Reason != "" {
		text += ": " + c.Reason
	}
	return text
}

// times returns how much time has passed, and about how much is left.
func (l *lines) times() string {
	if l.done == l.all {
		return ""
	}
	return fmt.Sprintf("  (%s elapsed, about %s left)", clock(l.Now().Sub(l.From)), clock(l.TimeLeft()))
}

// clock returns a duration as hours, minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Close prints how many cells an earlier matrix has run.
func (l *lines) Close() {
	if l.before > 0 {
		fmt.Fprintf(l.w, "%d of %d were done before, of the same plan, seed, builds and skewsim\n", l.before, l.all)
	}
}
