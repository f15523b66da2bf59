package main

import "time"

// pace is how fast a matrix goes, and what is left of it. A second of cost is one that
// was estimated.
type pace struct {
	now    func() time.Time
	from   time.Time
	atOnce int // journeys, before anything has ended

	left, spent float64           // seconds of cost, of cells that have not ended, and have
	going       map[*being]*spell // what is being played
	journeys    map[int]*spell    // those that have begun
	took        time.Duration     // of the journeys that have ended,
	cost        float64           // and what they were thought to cost
}

// spell is one time that a journey is played. Its cells end one after the other, but
// it ends as a whole.
type spell struct {
	from  time.Time
	cost  float64
	ended bool
}

func (p *pace) begin(b *being) {
	s := p.journeys[b.cell.journey]
	if s == nil {
		s = &spell{from: p.now()}
		if p.journeys == nil {
			p.journeys = map[int]*spell{}
		}
		p.journeys[b.cell.journey] = s
	}
	s.cost += b.cell.cost
	p.play(b, s)
}

// alone has a cell begin once more, by itself, when its journey has ended.
func (p *pace) alone(b *being) {
	p.finish(b)
	p.play(b, &spell{from: p.now(), cost: b.cell.cost})
}

// play has a cell be played from now on.
func (p *pace) play(b *being, s *spell) {
	if p.going == nil {
		p.going = map[*being]*spell{}
	}
	p.going[b] = s
}

// over takes off what a cell costs, whether it was played or could not be.
func (p *pace) over(b *being) {
	p.finish(b)
	p.left -= b.cell.cost
	p.spent += b.cell.cost
}

// finish ends the journey of a cell that is being played.
func (p *pace) finish(b *being) {
	s := p.going[b]
	delete(p.going, b)
	if s == nil || s.ended {
		return
	}
	s.ended = true
	p.took += p.now().Sub(s.from)
	p.cost += s.cost
}

// gone is about how much of a cell's cost is behind it, by the time that is gone of its
// journey: all at most, also where that takes longer.
func (p *pace) gone(b *being) float64 {
	s := p.going[b]
	switch {
	case s == nil:
		return 0
	case s.ended || s.cost <= 0:
		return b.cell.cost
	}
	slow := 1.0
	if p.took > 0 && p.cost > 0 {
		slow = p.took.Seconds() / p.cost
	}
	return b.cell.cost * min(1, p.now().Sub(s.from).Seconds()/slow/s.cost)
}

// timeLeft is about how long the rest takes: its cost at the pace so far, or, before
// anything has ended, at the pace of as many journeys at once as there may be.
func (p *pace) timeLeft() time.Duration {
	left, spent := p.left, p.spent
	for b := range p.going {
		gone := p.gone(b)
		left, spent = left-gone, spent+gone
	}
	left = max(0, left)
	if p.spent <= 0 {
		return time.Duration(left / float64(p.atOnce) * float64(time.Second))
	}
	return time.Duration(left / spent * float64(p.now().Sub(p.from)))
}
