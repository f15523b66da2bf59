package campaign

import "time"

// Pace estimates the progress of a campaign. Costs are estimated seconds. It is not safe
// for concurrent use.
type Pace struct {
	Now    func() time.Time
	From   time.Time
	AtOnce int // runs, assumed before any has ended

	// Left and spent are the costs of cells that have not ended and that have.
	Left, spent float64
	going       map[*Cell]*spell // cells that are being executed
	journeys    map[int]*spell   // journeys that have begun
	took        time.Duration    // time of the journeys that have ended
	cost        float64          // estimated cost of the same journeys
}

// spell is one execution of a group. Its cells end one after the other, but the spell ends
// as a whole.
type spell struct {
	from  time.Time
	cost  float64
	ended bool
}

// Begin starts the clock of a cell.
func (p *Pace) Begin(c *Cell) {
	s := p.journeys[c.Journey]
	if s == nil {
		s = &spell{from: p.Now()}
		p.journeys = with(p.journeys, c.Journey, s)
	}
	s.cost += c.Cost
	p.going = with(p.going, c, s)
}

// Alone starts the clock of a cell that is executed once more by itself, after its shared
// run has ended.
func (p *Pace) Alone(c *Cell) {
	p.finish(c)
	p.going = with(p.going, c, &spell{from: p.Now(), cost: c.Cost})
}

// End subtracts the cost of a cell, whether or not it could be executed.
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

// Gone returns about how much of a cell's cost is done, by the time since its group began.
// It never exceeds the cell's cost.
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

// TimeLeft returns about how long the rest takes at the pace so far. Before anything has
// ended, it assumes as many journeys at once as are allowed.
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

// with returns a map with one more entry; a nil map is treated as empty.
func with[K comparable, V any](all map[K]V, key K, v V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = v
	return all
}
