package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// A line of expect that is an exception has a last day. The day that counts is the one on
// which the run began, as its history says: judging it again later gives the same.

// ofOtherPairs are the lines of expect that are for other pairs.
func ofOtherPairs(p *plan.Plan) (all []result.Elsewhere) {
	for _, e := range p.Elsewhere {
		if e.Place > 0 && e.Place <= len(p.Expect) { // a damaged history may say anything
			all = append(all, result.Elsewhere{Expectation: p.Expect[e.Place-1], Place: e.Place, Reason: e.Reason})
		}
	}
	return all
}

// expire tells of a line that has expired by the day on which the run began, whether or
// not anything matches it still.
func expire(h *history.History, res *result.Result, place, seen int) bool {
	want := h.Header.Plan.Expect[place]
	if !want.Expired(h.Header.Started) {
		return false
	}
	what := fmt.Sprintf("findings that match it still: %d; have them mended, or agree on another day", seen)
	switch whole := h.Complete() && h.Header.Plan.Leg == nil; {
	case seen == 0 && whole:
		what = "no finding matches it any more: take it out"
	case seen == 0:
		what = "whether anything matches it still, this does not show"
	}
	res.Expired = append(res.Expired, result.Expired{
		Expectation: want, Place: place + 1, Seen: seen,
		Message: fmt.Sprintf("the expectation on line %d (%s) has expired: its owner, %s, had until %s (UTC), and the run began on %s; %s",
			want.Line, summary(want), want.Owner, want.Until, scenarios.Day(h.Header.Started), what),
	})
	return true
}

// firstExpired is what a reason says of expectations that have expired; "" where none has.
func firstExpired(res *result.Result) string {
	if len(res.Expired) == 0 {
		return ""
	}
	return ": " + res.Expired[0].Message
}
