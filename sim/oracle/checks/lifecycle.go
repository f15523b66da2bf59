package checks

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// classOfLoss returns the class and the rule of a lost value. A server that does not know a field
// may drop it if its lifecycle says so.
func classOfLoss(ev *trace.Evidence, tl *trace.Timeline, at fieldpath.Path, why term.Cause) (term.Class, term.Rule) {
	ignorance := []term.Cause{term.UnknownField, term.ReadHidden, term.ClientOmitted, term.Pruned}
	if slices.Contains(ignorance, why) && blame.Retired(ev, tl, at) {
		return ruling.ClassOf(false, true)
	}
	return blame.ClassOf(ev, tl, at)
}
