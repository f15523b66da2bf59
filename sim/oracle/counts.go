package oracle

import (
	"math"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// timing sums up how a run spent its time, from the history alone, so that judging a copy of it
// elsewhere gives the same figures.
func timing(h *history.History) result.Timing {
	t := result.Timing{Total: h.Seconds}
	for _, s := range h.Servers {
		switch s.Event {
		case history.Ready:
			t.Starts += s.Seconds
		case history.Stopped:
			t.Stops += s.Seconds
		}
	}
	for _, op := range h.Operations {
		if looks(op) {
			t.Looks += op.Exchange.Seconds
			continue
		}
		t.Operations += op.Exchange.Seconds
	}
	for _, l := range h.Listings {
		t.Looks += l.Exchange.Seconds
	}
	for _, part := range []*float64{&t.Total, &t.Starts, &t.Stops, &t.Operations, &t.Looks} {
		*part = math.Round(*part*1000) / 1000
	}
	return t
}

func counts(h *history.History) result.Counts {
	c := result.Counts{
		Copies: len(h.Header.Plan.Copies), Steps: h.Header.Plan.Steps(), Changes: len(h.Changes),
	}
	c.Orders, c.OrderSteps = ordersOf(h.Header.Plan)
	for _, l := range h.Listings {
		if l.As == 0 { // else it was not sent
			c.Looks++
		}
	}
	for _, op := range h.Operations {
		switch {
		case op.Watched || op.As > 0: // it was not sent
		case looks(op):
			c.Looks++
		default:
			c.Operations++
		}
	}
	return c
}

// looks reports whether a request only reads, or is a dry run.
func looks(op history.Operation) bool {
	return op.Purpose == history.Look || op.Purpose == history.Try || op.Purpose == history.Probe || op.Purpose == history.Bare
}
