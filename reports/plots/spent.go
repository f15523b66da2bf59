package plots

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/history"
)

// stretch is a span of time, in seconds since the run began.
type stretch struct{ From, To float64 }

// part is an activity that a run spends its time on.
type part struct {
	Word, Meaning string
	Busy          []stretch // while the activity was under way: in order, and disjoint
	Alone         []stretch // the times of Busy without another part
	ByPeriod      []spent   // in each period of the clock
}

// spent is how many seconds a part was busy, and how many of them alone.
type spent struct{ Busy, Alone float64 }

// total sums the periods.
func (p part) total() spent {
	var sum spent
	for _, s := range p.ByPeriod {
		sum.Busy += s.Busy
		sum.Alone += s.Alone
	}
	return sum
}

// partsOf returns when a run was busy with each part. A record is written when its event
// has ended, so the event began as many seconds before as it took.
func partsOf(r view.Run, c clock) []part {
	var starts, stops, operations, looks, trials []stretch
	add := func(to *[]stretch, at, seconds float64) {
		if c.within(at) && seconds > 0 {
			*to = append(*to, stretch{max(at-seconds, 0), at})
		}
	}
	for _, s := range r.Servers {
		switch s.Event {
		case history.Ready:
			add(&starts, s.At, s.Seconds)
		case history.Stopped:
			add(&stops, s.At, s.Seconds)
		}
	}
	for _, op := range r.Operations {
		switch op.Purpose {
		case history.Look, history.Try, history.Probe, history.Bare:
			add(&looks, op.At, op.Exchange.Seconds)
		default:
			add(&operations, op.At, op.Exchange.Seconds)
		}
	}
	for _, l := range r.Listings {
		add(&looks, l.At, l.Exchange.Seconds)
	}
	for _, t := range r.Trials {
		add(&trials, t.At, t.Seconds)
	}
	all := []part{
		{Word: "server starts", Meaning: "a server was on its way from exec to ready", Busy: joinedUp(starts)},
		{Word: "server stops", Meaning: "a server was on its way from the request to its end", Busy: joinedUp(stops)},
		{Word: "operations", Meaning: "a request of a step was under way", Busy: joinedUp(operations)},
		{Word: "looks", Meaning: "a GET, a LIST or a dry run was under way that only finds something out", Busy: joinedUp(looks)},
		{Word: "trials", Meaning: "a release read recorded values on a scratch store", Busy: joinedUp(trials)},
	}
	return slices.DeleteFunc(all, func(p part) bool { return len(p.Busy) == 0 })
}

// joinedUp sorts stretches, and joins those that overlap or touch.
func joinedUp(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.From, b.From) })
	var apart []stretch
	for _, s := range all {
		if n := len(apart); n > 0 && s.From <= apart[n-1].To {
			apart[n-1].To = max(apart[n-1].To, s.To)
			continue
		}
		apart = append(apart, s)
	}
	return apart
}

// edge is a moment at which a part begins or ends. Part -1 is the clock itself: a period
// ends.
type edge struct {
	at     float64
	part   int
	begins bool
}

// edges returns those of all parts and periods, in order.
func edges(parts []part, c clock) []edge {
	var all []edge
	for i, p := range parts {
		for _, s := range p.Busy {
			all = append(all, edge{s.From, i, true}, edge{s.To, i, false})
		}
	}
	for _, p := range c.Periods {
		all = append(all, edge{at: p.To, part: -1})
	}
	slices.SortStableFunc(all, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return all
}

// spend sets for each part how long it was busy in each period, and when it was alone. It
// returns, by period, how long no part was busy.
func spend(parts []part, c clock) (idle []float64) {
	idle = make([]float64, len(c.Periods))
	for i := range parts {
		parts[i].ByPeriod = make([]spent, len(c.Periods))
	}
	busy := make([]bool, len(parts))
	running, period, from := 0, 0, 0.0
	for _, e := range edges(parts, c) {
		if period == len(c.Periods) {
			break
		}
		if running == 0 {
			idle[period] += e.at - from
		}
		for i := range parts {
			if busy[i] {
				parts[i].took(stretch{from, e.at}, period, running == 1)
			}
		}
		from = e.at
		switch {
		case e.part < 0:
			period++
		case e.begins:
			busy[e.part], running = true, running+1
		default:
			busy[e.part], running = false, running-1
		}
	}
	return idle
}

// took adds a stretch in which the part was busy.
func (p *part) took(s stretch, period int, alone bool) {
	if s.To <= s.From {
		return
	}
	p.ByPeriod[period].Busy += s.To - s.From
	if !alone {
		return
	}
	p.ByPeriod[period].Alone += s.To - s.From
	if n := len(p.Alone); n > 0 && p.Alone[n-1].To == s.From {
		p.Alone[n-1].To = s.To
		return
	}
	p.Alone = append(p.Alone, s)
}
