package screen

import (
	"fmt"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
)

// table has a row for each pair of which cells are running, and a line for all pairs below.
type table struct {
	*lines
	foot    foot
	rows    []*row          // in the order of the matrix
	of      map[string]*row // by pair
	stop    chan struct{}
	stopped chan struct{} // closed when no tick draws any more
}

// row is the progress of one pair.
type row struct {
	pair            string
	cells           []*campaign.Cell // that have begun
	all, done, fail int
	cost, spent     float64
}

// newTable returns a table that is redrawn at each tick, because time passes also where no
// cell ends.
func newTable(l *lines, m *campaign.Layout, size func() (width, height int), tick <-chan time.Time) *table {
	t := &table{lines: l, foot: foot{w: l.w, size: size}, of: map[string]*row{}, stop: make(chan struct{}), stopped: make(chan struct{})}
	for _, c := range m.Cells {
		pair := c.Pair.String()
		r := t.of[pair]
		if r == nil {
			r = &row{pair: pair}
			t.of[pair], t.rows = r, append(t.rows, r)
		}
		r.all++
		r.cost += c.Cost
	}
	t.print()
	go t.drawAt(tick)
	return t
}

func (t *table) drawAt(tick <-chan time.Time) {
	defer close(t.stopped)
	for {
		select {
		case <-tick:
			t.mutex.Lock()
			t.print()
			t.mutex.Unlock()
		case <-t.stop:
			return
		}
	}
}

// Write prints above the table.
func (t *table) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.print(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

func (t *table) Kept(b *campaign.Cell, v term.VerdictWord) {
	t.lines.Kept(b, v)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.add(b, false)
}

func (t *table) Begun(b *campaign.Cell) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.Begin(b)
	r := t.of[b.Pair.String()]
	r.cells = append(r.cells, b)
	t.print()
}

func (t *table) Again(e campaign.Ended) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.Alone(e.Cell)
	t.print(fmt.Sprintf("%s %s: %s in a shared run; it runs again, alone", e.Cell.Pair, e.Cell.Scenario(), e.Word()))
}

func (t *table) Ended(b *campaign.Cell, c matrix.Cell) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	above := []string{t.end(b, c)}
	if c.Verdict == term.Pass && !c.HadInfrastructureFailure() {
		above = nil // it is in its row
	}
	t.add(b, c.Verdict == term.Fail, above...)
}

// add counts a cell that has ended in the row of its pair. It prints the row of a pair that is
// complete above the table.
func (t *table) add(b *campaign.Cell, fail bool, above ...string) {
	r := t.of[b.Pair.String()]
	r.done++
	r.spent += b.Cost
	if fail {
		r.fail++
	}
	if r.done == r.all && len(r.cells) > 0 {
		above = append(above, t.text(r))
	}
	t.print(above...)
}

// print draws the table below the lines given: as many rows as fit into the terminal, pairs
// with running cells first.
func (t *table) print(above ...string) {
	t.foot.measure()
	var going, others []string
	for _, r := range t.rows {
		switch {
		case len(r.cells) == 0 || r.done == r.all:
		case t.running(r) > 0:
			going = append(going, t.text(r))
		default:
			others = append(others, t.text(r))
		}
	}
	rows := append(going, others...)
	if room := max(1, t.foot.height-2); len(rows) > room {
		rows = append(rows[:room-1:room-1], fmt.Sprintf("and %d more", len(rows)-room+1))
	}
	t.foot.draw(append(rows, t.whole()), above...)
}

func (t *table) running(r *row) (n int) {
	for _, b := range r.cells {
		if t.IsGoing(b) {
			n++
		}
	}
	return n
}

// text returns the row of a pair. Its progress comes first, because a long row is cut.
func (t *table) text(r *row) string {
	spent := r.spent
	for _, b := range r.cells {
		spent += t.Gone(b)
	}
	part := 1.0
	if r.done < r.all {
		part = min(0.99, spent/max(r.cost, 1e-9))
	}
	const width = 10
	full := int(part * width)
	runs := t.running(r)
	return fmt.Sprintf("%s%s %3d%%  %s  %d done, %d failed, %d running, %d left", strings.Repeat("█", full), strings.Repeat("░", width-full),
		int(part*100), r.pair, r.done, r.fail, runs, r.all-r.done-runs)
}

// impactsPart returns how many cells found impacts only; "" for none, as in most matrices.
func impactsPart(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s, ", n, term.Impacts)
}

// whole returns the line of all pairs.
func (t *table) whole() string {
	runs := t.Going()
	return fmt.Sprintf("%s elapsed, about %s left; %d of %d done: %d pass, %d FAIL, %s%d other; %d running, %d left",
		clock(t.Now().Sub(t.From)), clock(t.TimeLeft()), t.done, t.all, t.pass, t.fail, impactsPart(t.impacts), t.other, runs, t.all-t.done-runs)
}

// Close draws the table for the last time.
func (t *table) Close() {
	close(t.stop)
	<-t.stopped
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.print()
	t.lines.Close()
}
