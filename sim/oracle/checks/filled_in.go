package checks

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// defaulted reports whether the value that replaced another is the default published by a release
// that shows it.
func defaulted(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
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

// filledIn reports whether the value that replaced another is not stored: the release that wrote
// the object does not have the field, so the release that shows the value filled it in.
func filledIn(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
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

// madeOfOthers reports whether a release derives what it shows at a path, which the writer does
// not know, from other values of the object, which the writer kept: the scenario relates the path
// to them, or the path is in an element whose key a client chose, which no default can name.
func madeOfOthers(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, writer term.Role) bool {
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
