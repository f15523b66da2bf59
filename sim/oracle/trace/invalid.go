package trace

import (
	"net/http"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
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

// refusedFirst returns, by signature, the calls that the old release refused as invalid (422) in the first stage,
// before any server of the new one existed.
func refusedFirst(ev *Evidence) map[string]bool {
	all := map[string]bool{}
	for _, number := range ev.Calls.Steps {
		act := ev.Acts[number]
		if at := ev.Steps[number]; at.StageIndex == 0 && act.Role == term.Old && act.Exchange.Code == http.StatusUnprocessableEntity {
			all[at.Signature] = true
		}
	}
	return all
}

// CannotDo reports whether a write of a stored object is refused because the old release never takes it: it
// refused the same write as invalid in the first stage, whatever the change is. A body that it cannot decode
// (400) says nothing about the write: a client with other types sends the same write otherwise.
func CannotDo(ev *Evidence, act history.Operation) bool {
	return act.Role == term.Old && !ev.Steps[act.Step].Step.CreatesCopy() && act.Exchange.Code == http.StatusUnprocessableEntity && ev.Calls.RefusedFirst[ev.Steps[act.Step].Signature]
}

// HasNothingOfChange reports whether a call is unrelated to the change: neither its copy nor the
// values that it sends use the change, so that a release has nothing new to allow.
func HasNothingOfChange(ev *Evidence, tl *Timeline, number int) bool {
	if UsesChange(ev.Calls, tl) {
		return false
	}
	sent, told := About(ev.Trace, tl, ev.Acts[number])
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
