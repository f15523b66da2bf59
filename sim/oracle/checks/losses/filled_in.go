package losses

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// defaulted reports whether what a value became is the default that a release
// which shows it publishes.
func defaulted(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
	for _, role := range trace.NewestFirst() {
		for _, obs := range lost.Seen.Views[role] {
			leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
			if shown && leaf.Semantic == lost.After.Semantic && ev.IsPublishedDefault(tl, role, leaf) {
				return true
			}
		}
	}
	return false
}

// filledIn reports whether what a value became is of the release that shows it: the one
// that wrote the object has no place for the field, so it is stored nowhere.
func filledIn(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
	act, known := ev.Acts[lost.Version.Step]
	if !known || ev.Declares(act.Role, tl, acked.Leaf.Path) || madeOfOthers(ev, tl, acked, act.Role) {
		return false
	}
	return slices.ContainsFunc(trace.NewestFirst(), func(role term.Role) bool {
		return role != act.Role && slices.ContainsFunc(lost.Version.Views[role], func(obs *trace.Observation) bool {
			leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
			return shown && leaf.Semantic == lost.After.Semantic
		})
	})
}

// madeOfOthers reports whether what a release shows at a place that the writer does not
// know is made of other values of the object, which the writer kept: the scenario
// relates the place to them, or it lies in a member, under a key that a client chose,
// which no default can name.
func madeOfOthers(ev *evidence.Evidence, tl *trace.Timeline, acked *trace.AckedValue, writer term.Role) bool {
	p := acked.Leaf.Path
	for _, group := range ev.Related {
		if slices.ContainsFunc(group, func(at fieldpath.Path) bool { return path.Contains(at, p) }) {
			return true
		}
	}
	for i := len(p); i > 0 && !ev.Declares(writer, tl, p[:i]); i-- {
		if tl.Kind.Member(p[:i]) {
			return true
		}
	}
	return false
}
