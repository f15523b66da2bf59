package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	pretty "github.com/jedib0t/go-pretty/v6/progress"

	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/term"
)

// board shows how a matrix gets on. What is written to it stands above.
type board interface {
	io.Writer
	kept(*being)
	begun(*being)
	again(*being, ended)
	ended(*being, matrix.Cell)
	close()
}

// newBoard is a table that is drawn again and again on a terminal, and lines elsewhere.
func newBoard(w io.Writer, m *layout) board {
	l := &lines{w: w, from: time.Now(), atOnce: newCapacity(m.flags.run.jobs).atOnce(m.journeys), all: len(m.cells)}
	for _, c := range m.cells {
		l.left += c.cost
	}
	if width, terminal := terminalWidth(w); terminal {
		return newTable(l, m, width)
	}
	return l
}

// lines tells of each cell as it ends.
type lines struct {
	w      io.Writer
	mutex  sync.Mutex
	from   time.Time
	atOnce int

	all, done, before       int // cells; those of an earlier matrix are done too
	pass, fail, other, runs int
	left, spent             float64 // seconds of cost, as they were estimated
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.w.Write(p)
}

func (l *lines) kept(b *being) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.done++
	l.before++
	l.left -= b.cell.cost
	l.count(b.before.Verdict)
}

func (l *lines) begun(*being) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.runs++
}

func (l *lines) again(b *being, e ended) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintf(l.w, "%s  %-7s  %5.1f s  %s %s: in company; it is played again, alone\n", l.counter(false), e.word(), e.took.Seconds(), b.cell.pair, b.cell.name())
}

func (l *lines) ended(b *being, c matrix.Cell) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintln(l.w, l.end(b, c))
}

// end counts a cell that has ended, and is its line.
func (l *lines) end(b *being, c matrix.Cell) string {
	if len(c.Attempts) > 0 && l.runs > 0 {
		l.runs--
	}
	l.done++
	l.left -= b.cell.cost
	l.spent += b.cell.cost
	if c.Phase != matrix.Inapt {
		l.count(c.Verdict)
	}
	return fmt.Sprintf("%s  %-7s  %5.1f s  %s %s%s%s", l.counter(true), c.Outcome, c.Took, b.cell.pair, b.cell.name(), triesOf(c), l.times())
}

func (l *lines) count(v term.VerdictWord) {
	switch v {
	case term.Pass:
		l.pass++
	case term.Fail:
		l.fail++
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

// triesOf tells of attempts before the last, and what kept a cell from passing.
func triesOf(c matrix.Cell) (text string) {
	switch n := len(c.Attempts); {
	case c.Flaky():
		text = fmt.Sprintf(", attempt %d", n)
	case n > 1: // in company first
		text = ", alone"
	}
	if c.Verdict != term.Pass && c.Reason != "" {
		text += ": " + c.Reason
	}
	return text
}

// times tells how much time is gone, and about how much is left.
func (l *lines) times() string {
	left := l.timeLeft()
	if l.done == l.all {
		return ""
	}
	return fmt.Sprintf("  (%s gone, about %s left)", clock(time.Since(l.from)), clock(left))
}

// timeLeft is about how long the rest takes: its cost at the pace so far, or, before
// anything has ended, at the pace of as many journeys at once as there may be.
func (l *lines) timeLeft() time.Duration {
	left := max(0, l.left)
	if l.spent <= 0 {
		return time.Duration(left / float64(l.atOnce) * float64(time.Second))
	}
	return time.Duration(left / l.spent * float64(time.Since(l.from)))
}

// clock is a duration as a watch has it.
func clock(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// close tells of what was not played anew.
func (l *lines) close() {
	if l.before > 0 {
		fmt.Fprintf(l.w, "%d of %d were done before, of the same plan, seed, builds and skewsim\n", l.before, l.all)
	}
}

// table is a row for each pair that is being played, with the whole below it.
type table struct {
	*lines
	writer pretty.Writer
	rows   map[string]*row // by pair
	drawn  chan struct{}   // closed when nothing is drawn any more
}

// row is what one pair has come to.
type row struct {
	tracker             *pretty.Tracker
	shown               bool
	all, done, fail, at int // cells; at: that go on
	cost, spent         float64
}

func newTable(l *lines, m *layout, width int) *table {
	t := &table{lines: l, writer: pretty.NewWriter(), rows: map[string]*row{}, drawn: make(chan struct{})}
	for _, c := range m.cells {
		pair := c.pair.String()
		if t.rows[pair] == nil {
			t.rows[pair] = &row{}
		}
		t.rows[pair].all++
		t.rows[pair].cost += c.cost
	}
	t.writer.SetOutputWriter(l.w)
	t.writer.SetAutoStop(false)
	t.writer.SetUpdateFrequency(250 * time.Millisecond)
	t.writer.SetTrackerLength(20)
	t.writer.SetTrackerPosition(pretty.PositionRight)
	t.writer.SetTerminalWidth(max(width, 40))
	style := pretty.StyleBlocks
	style.Visibility = pretty.StyleVisibility{Tracker: true, Percentage: true, Pinned: true}
	t.writer.SetStyle(style)
	go func() {
		defer close(t.drawn)
		t.writer.Render()
	}()
	t.draw()
	return t
}

func (t *table) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// log writes above the table. The text is no format.
func (t *table) log(text string) { t.writer.Log("%s", text) }

func (t *table) kept(b *being) {
	t.lines.kept(b)
	t.change(b, func(r *row) { r.done++; r.spent += b.cell.cost })
}

func (t *table) begun(b *being) {
	t.lines.begun(b)
	t.change(b, func(r *row) { r.at++ })
}

func (t *table) again(b *being, e ended) {
	t.log(fmt.Sprintf("%s %s: %s in company; it is played again, alone", b.cell.pair, b.cell.name(), e.word()))
}

func (t *table) ended(b *being, c matrix.Cell) {
	t.mutex.Lock()
	line := t.end(b, c)
	t.mutex.Unlock()
	if c.Verdict != term.Pass || c.Flaky() {
		t.log(line)
	}
	t.change(b, func(r *row) {
		r.done++
		r.spent += b.cell.cost
		if r.at > 0 && len(c.Attempts) > 0 {
			r.at--
		}
		if c.Verdict == term.Fail {
			r.fail++
		}
	})
}

// change changes a pair's row. Only rows of pairs that are being played are there.
func (t *table) change(b *being, change func(*row)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	pair := b.cell.pair.String()
	r := t.rows[pair]
	change(r)
	if !r.shown && r.at > 0 {
		r.shown = true
		r.tracker = &pretty.Tracker{Total: int64(max(1, r.cost*1000))}
		t.writer.AppendTracker(r.tracker)
	}
	if r.tracker == nil {
		t.draw()
		return
	}
	r.tracker.UpdateMessage(fmt.Sprintf("%s  %d done, %d failed, %d running, %d left", pair, r.done, r.fail, r.at, r.all-r.done-r.at))
	r.tracker.SetValue(int64(min(r.spent, r.cost*0.999) * 1000))
	if r.done == r.all {
		r.tracker.MarkAsDone()
	}
	t.draw()
}

// draw renews the line of the whole.
func (t *table) draw() {
	t.writer.SetPinnedMessages(fmt.Sprintf("%d of %d done: %d pass, %d FAIL, %d other; %d running, %d left; %s gone, about %s left",
		t.done, t.all, t.pass, t.fail, t.other, t.runs, t.all-t.done-t.runs, clock(time.Since(t.from)), clock(t.timeLeft())))
}

func (t *table) close() {
	t.writer.Stop()
	<-t.drawn
	t.lines.close()
}
