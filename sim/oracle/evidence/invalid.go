package evidence

import (
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/requests"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// invalid reports whether a server refused a request as invalid.
func invalid(x history.Exchange) bool {
	return x.Code == http.StatusBadRequest || x.Code == http.StatusUnprocessableEntity
}

// alwaysInvalid returns, by signature, the first of the calls in the first stage that were
// refused as invalid on every copy that does not use the change. Calls on a copy with a past do
// not count.
func alwaysInvalid(ev *Evidence) map[string]int {
	all := map[string]int{}
	for _, number := range ev.Calls.Steps {
		at, tl := ev.Steps[number], TimelineOf(ev, number)
		if at.StageIndex > 0 || tl == nil || ev.HasPast(tl, number) || !invalid(ev.Acts[number].Exchange) || !HasNothingOfChange(ev, tl, number) || ev.Calls.References[at.Signature] > 0 {
			continue
		}
		if _, known := all[at.Signature]; !known {
			all[at.Signature] = number
		}
	}
	return all
}

// HasNothingOfChange reports whether a call is unrelated to the change: neither its copy nor the
// values that it sends use the change, so that a release has nothing new to allow.
func HasNothingOfChange(ev *Evidence, tl *trace.Timeline, number int) bool {
	if UsesChange(ev.Calls, tl) {
		return false
	}
	sent, told := requests.About(ev.Trace, tl, ev.Acts[number])
	if !told {
		return false
	}
	for _, leaf := range sent {
		if ev.IsChangeOf(tl, ev.Steps[number].Step, leaf.Path) || OnlyTreatedHave(ev, tl, leaf) {
			return false
		}
	}
	return true
}
