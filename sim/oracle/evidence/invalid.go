package evidence

import (
	"net/http"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/requests"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
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

// OnlyTreatedHave reports whether a value distinguishes the treated forms of the kind: a treated
// form holds it, and no bystander does. The change may be such a value, for example a new member
// of an enumeration that both releases publish.
func OnlyTreatedHave(ev *Evidence, tl *trace.Timeline, leaf schema.Leaf) bool {
	treated := false
	for _, other := range ev.Timelines {
		if other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Manifest.Kind != tl.Manifest.Kind {
			continue
		}
		held, has := trace.LeavesIn(tl.Kind, other.Manifest.Body)[path.String(leaf.Path)]
		switch {
		case !has || held.Semantic != leaf.Semantic:
		case other.Copy.Role == term.Treated:
			treated = true
		case other.Copy.Role != term.Untouched: // it may have either form
			return false
		}
	}
	return treated
}
