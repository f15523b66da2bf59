package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// A line of expect that is an exception has a last day. It is compared with the day on which the
// run began, according to its history: judging the history later gives the same result.

// ofOtherPairs returns the lines of expect that are for other pairs.
func ofOtherPairs(p *plan.Plan) (all []result.Elsewhere) {
	for _, e := range p.Elsewhere {
		if e.Place > 0 && e.Place <= len(p.Expect) { // a damaged history may have any place
			all = append(all, result.Elsewhere{Expectation: p.Expect[e.Place-1], Place: e.Place, Reason: e.Reason})
		}
	}
	return all
}

// expire reports a line that has expired by the day on which the run began, whether or not a
// finding still matches it.
func expire(h *history.History, res *result.Result, place, seen int) bool {
	want := h.Header.Plan.Expect[place]
	if !want.Expired(h.Header.Started) {
		return false
	}
	what := fmt.Sprintf("findings that still match it: %d; have them fixed, or agree on a later day", seen)
	switch whole := h.Complete() && h.Header.Plan.Leg == nil; {
	case seen == 0 && whole:
		what = "no finding matches it any more: remove it"
	case seen == 0:
		what = "this run does not show whether a finding still matches it"
	}
	res.Expired = append(res.Expired, result.Expired{
		Expectation: want, Place: place + 1, Seen: seen,
		Message: fmt.Sprintf("the expectation on line %d (%s) has expired: its owner, %s, had until %s (UTC), and the run began on %s; %s",
			want.Line, summary(want), want.Owner, want.Until, scenarios.Day(h.Header.Started), what),
	})
	return true
}

// firstExpired returns what a reason says of expired expectations, "" if none has expired.
func firstExpired(res *result.Result) string {
	if len(res.Expired) == 0 {
		return ""
	}
	return ": " + res.Expired[0].Message
}
