package trace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
)

// lastTries returns the dry runs on copies in the order of steps; of those that were repeated
// after a conflict, the last.
func lastTries(ev *Evidence) []history.Operation {
	last := map[string]int{}
	var all []history.Operation
	for _, op := range ev.History.Operations {
		if op.Purpose != history.Try || ev.ByCopy[op.Copy] == nil {
			continue
		}
		key := fmt.Sprint(op.Step, " ", op.Copy, " ", op.Replica, " ", op.Attempt)
		if at, known := last[key]; !known {
			last[key] = len(all)
			all = append(all, op)
		} else if op.Turn >= all[at].Turn {
			all[at] = op
		}
	}
	slices.SortFunc(all, func(a, b history.Operation) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Replica, b.Replica), cmp.Compare(a.Attempt, b.Attempt))
	})
	return all
}
