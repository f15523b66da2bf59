package campaign

import "time"

// Pace is how fast a campaign goes, and what is left of it. A second of cost is one that was
// estimated. It is not safe for concurrent use.
type Pace struct {
	Now    func() time.Time
	From   time.Time
	AtOnce int // runs, before anything has ended

	// Left and spent are seconds of cost, of cells that have not ended, and have.
	Left, spent float64
	going       map[*Cell]*spell // what is being executed
	journeys    map[int]*spell   // those that have begun
	took        time.Duration    // of the journeys that have ended,
	cost        float64          // and what they were thought to cost
}

// spell is one time that a group is executed. Its cells end one after the other, but
// it ends as a whole.
type spell struct {
	from  time.Time
	cost  float64
	ended bool
}

// Begin has a cell begin.
func (p *Pace) Begin(c *Cell) {
	s := p.journeys[c.Journey]
	if s == nil {
		s = &spell{from: p.Now()}
		p.journeys = with(p.journeys, c.Journey, s)
	}
	s.cost += c.Cost
	p.going = with(p.going, c, s)
}

// Alone has a cell begin once more, by itself, when its shared run has ended.
func (p *Pace) Alone(c *Cell) {
	p.finish(c)
	p.going = with(p.going, c, &spell{from: p.Now(), cost: c.Cost})
}

// End takes off what a cell costs, whether it was executed or could not be.
func (p *Pace) End(c *Cell) {
	p.finish(c)
	p.Left -= c.Cost
	p.spent += c.Cost
}

// finish ends the group of a cell that is being executed.
func (p *Pace) finish(c *Cell) {
	s := p.going[c]
	delete(p.going, c)
	if s == nil || s.ended {
		return
	}
	s.ended = true
	p.took += p.Now().Sub(s.from)
	p.cost += s.cost
}

// Going returns how many cells are being executed.
func (p *Pace) Going() int { return len(p.going) }

// IsGoing reports whether a cell is being executed.
func (p *Pace) IsGoing(c *Cell) bool { return p.going[c] != nil }

// Gone returns about how much of a cell's cost is behind it, by the time that is gone of its
// group: all at most, also where that takes longer.
func (p *Pace) Gone(c *Cell) float64 {
	s := p.going[c]
	switch {
	case s == nil:
		return 0
	case s.ended || s.cost <= 0:
		return c.Cost
	}
	slow := 1.0
	if p.took > 0 && p.cost > 0 {
		slow = p.took.Seconds() / p.cost
	}
	return c.Cost * min(1, p.Now().Sub(s.from).Seconds()/slow/s.cost)
}

// TimeLeft returns about how long the rest takes: its cost at the pace so far, or, before
// anything has ended, at the pace of as many journeys at once as there may be.
func (p *Pace) TimeLeft() time.Duration {
	left, spent := p.Left, p.spent
	for c := range p.going {
		gone := p.Gone(c)
		left, spent = left-gone, spent+gone
	}
	left = max(0, left)
	if p.spent <= 0 {
		return time.Duration(left / float64(p.AtOnce) * float64(time.Second))
	}
	return time.Duration(left / spent * float64(p.Now().Sub(p.From)))
}

// with returns a map with one more entry; nil is an empty one.
func with[K comparable, V any](all map[K]V, key K, v V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = v
	return all
}
