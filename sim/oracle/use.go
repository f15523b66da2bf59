package oracle

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// noteUse notes that a call sends a value of the change to its copy: whatever
// the copy was made as, it uses the change from then on, acknowledged or not.
func (e *evidence) noteUse(c *calls, number int) {
	l := c.lives[e.steps[number].step.Copy]
	if l != nil && c.begun[l.copy.Name] == 0 && e.meansChange(l, number) {
		c.begun[l.copy.Name] = number
	}
}

// meansChange tells whether a call's own mutation names a value of the change,
// and the call sends it. What a client merely carries back of what it was shown,
// such as a new default, it does not mean; and of a version that only the new
// release serves nothing tells the change from the rest.
func (e *evidence) meansChange(l *life, number int) bool {
	step := e.steps[number].step
	_, both := e.schemas[term.Old].Kind(versionOf(l, step), l.manifest.Kind)
	if !both || e.acts[number].Purpose != history.Act || !step.Verb.Modifies() {
		return false
	}
	names := named(l.manifest.Kind, step)
	return slices.ContainsFunc(e.sentPaths(l, number), func(p fieldpath.Path) bool {
		return e.isChangeOf(l, step, p) && slices.ContainsFunc(names, func(name fieldpath.Path) bool { return path.Contains(name, p) })
	})
}

// usesIn tells whether the copy uses the change when a step has been played.
func (c *calls) usesIn(l *life, number int) bool {
	begun := c.begun[l.copy.Name]
	return c.uses(l) || begun > 0 && number >= begun
}
