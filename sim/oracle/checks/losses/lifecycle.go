package losses

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// classOfLoss is what must be made of a lost value. That a field is not kept by who
// does not know it is no violation where it was published as one that may go.
func classOfLoss(ev *evidence.Evidence, tl *trace.Timeline, at fieldpath.Path, why term.Cause) (term.Class, term.Rule) {
	ignorance := []term.Cause{term.UnknownField, term.ReadHidden, term.ClientOmitted, term.Pruned}
	if slices.Contains(ignorance, why) && retired(ev, tl, at) {
		return term.Impact, term.Lifecycle
	}
	return blame.Class(ev, tl, at)
}

// retired tells whether the new release has given up a field of the old one that the
// old one publishes as one that may go, or has behind an alpha gate. With the change it is the other way round:
// there rule-6 says what must be expected.
func retired(ev *evidence.Evidence, tl *trace.Timeline, p fieldpath.Path) bool {
	if ev.Declares(term.New, tl, p) {
		return false
	}
	kind, _ := ev.Schemas[term.Old].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	if !kind.Declares(p) {
		return false
	}
	later, _ := ev.Schemas[term.New].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return slices.ContainsFunc(kind.Gating().LifecyclesAlong(p), allMayGo) || kind.Gating().MayGoWith(ev.History.Releases[term.Old].Alpha, later.Lacks(p))
}

// allMayGo tells whether a member of a path may go, and what it holds with it: all
// components say so, for one that has it as a beta owes it to its users.
func allMayGo(said []schema.Lifecycle) bool {
	return !slices.ContainsFunc(said, func(l schema.Lifecycle) bool { return !mayGo(l) })
}

// mayGo tells of which fields users know that they may go: of an alpha, since
// somebody had to switch its gate on; and of what is published as deprecated, whose
// lifecycle says that it has never been stable. An alpha without a gate is there for
// everybody, so it has to be deprecated for a release: the alpha-field proposal leaves
// it "to allow upgraders to use that field". A beta may not go at once either.
func mayGo(l schema.Lifecycle) bool {
	return l.Status == schema.Deprecated || l.Status == schema.Alpha && l.FeatureGate != ""
}
