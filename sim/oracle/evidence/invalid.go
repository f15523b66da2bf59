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

// invalid reports whether an answer says that what was sent is not valid.
func invalid(x history.Exchange) bool {
	return x.Code == http.StatusBadRequest || x.Code == http.StatusUnprocessableEntity
}

// alwaysInvalid are, by signature, the calls of the first stage that were
// refused as invalid wherever they were made, on copies which do not use the
// change: of each the first. A copy with a past is no measure for others.
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

// HasNothingOfChange reports whether a call has nothing to do with the change: neither its copy
// nor what it sends uses that, so that a release has nothing new to allow.
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

// OnlyTreatedHave reports whether a value is what makes the treated forms of the kind
// treated: one of them holds it, and no bystander does. The change may be a value,
// such as one more word for a field that both releases publish.
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
		case other.Copy.Role != term.Untouched: // which is of either form
			return false
		}
	}
	return treated
}
