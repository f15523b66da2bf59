package oracle

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// defaulted tells whether what a value became is the default that a release
// which shows it publishes.
func (e *evidence) defaulted(l *life, n *entry, lost loss) bool {
	for _, role := range newestFirst() {
		for _, s := range lost.seen.views[role] {
			leaf, shown := n.in(e.leavesOf(l, s.answer))
			if shown && leaf.Semantic == lost.after.Semantic && e.isPublishedDefault(l, role, leaf) {
				return true
			}
		}
	}
	return false
}

// filledIn tells whether what a value became is of the release that shows it: the one
// that wrote the object has no place for the field, so it is stored nowhere.
func (e *evidence) filledIn(l *life, n *entry, lost loss) bool {
	act, known := e.acts[lost.version.step]
	if !known || e.declares(act.Role, l, n.leaf.Path) || e.madeOfOthers(l, n, act.Role) {
		return false
	}
	return slices.ContainsFunc(newestFirst(), func(role term.Role) bool {
		return role != act.Role && slices.ContainsFunc(lost.version.views[role], func(s *sight) bool {
			leaf, shown := n.in(e.leavesOf(l, s.answer))
			return shown && leaf.Semantic == lost.after.Semantic
		})
	})
}

// madeOfOthers tells whether what a release shows at a place that the writer does not
// know is made of other values of the object, which the writer kept: the scenario
// relates the place to them, or it lies in a member, under a key that a client chose,
// which no default can name.
func (e *evidence) madeOfOthers(l *life, n *entry, writer term.Role) bool {
	p := n.leaf.Path
	for _, group := range e.related {
		if slices.ContainsFunc(group, func(at fieldpath.Path) bool { return path.Contains(at, p) }) {
			return true
		}
	}
	for i := len(p); i > 0 && !e.declares(writer, l, p[:i]); i-- {
		if l.kind.Member(p[:i]) {
			return true
		}
	}
	return false
}
