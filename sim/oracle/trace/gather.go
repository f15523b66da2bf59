package trace

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// Gather computes what several checks use before any of them judges, so that the order of the
// checks changes nothing.
func Gather(tr *Trace) *Evidence {
	ev := &Evidence{
		Trace: tr, Related: relatedPaths(tr.History.Header.Plan), Dealt: map[DealtValue]Dealings{}, shapes: map[term.Role]map[string]bool{},
		forms: map[string]map[formValue]holders{},
	}
	ev.taken = takenWays(ev)
	for _, tl := range tr.Timelines {
		acknowledgeValues(ev, tl)
		settle(ev, tl)
	}
	ev.Calls = indexCalls(ev)
	ev.Calls.Invalid = alwaysInvalid(ev)
	ev.Calls.RefusedFirst = refusedFirst(ev)
	ev.read = formsRead(ev)
	ev.Unread = illegibleValues(ev)
	ev.Comebacks = comebacks(ev)
	return ev
}
