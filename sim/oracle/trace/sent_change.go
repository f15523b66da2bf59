package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
)

// SendsChange reports whether the call sends a value of the change to a server whose release does
// not have its field.
func SendsChange(ev *Evidence, tl *Timeline, number int) bool {
	act := ev.Acts[number]
	return act.Purpose == history.Act && ev.LacksChange(act.Role) && UsesChangeAt(ev.Calls, tl, number) && SentChange(ev, tl, number) != nil
}

// SentChange returns the topmost member of the change that the call sends, nil if none exists.
func SentChange(ev *Evidence, tl *Timeline, number int) fieldpath.Path {
	step := ev.Steps[number].Step
	for _, p := range SentPaths(ev.Trace, tl, number) {
		if !ev.IsChangeOf(tl, step, p) {
			continue
		}
		for len(p) > 1 && ev.IsChangeOf(tl, step, p[:len(p)-1]) {
			p = p[:len(p)-1]
		}
		return p
	}
	return nil
}
