package trace

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// noteUse records that a call sends a value of the change to its copy: the copy uses the change
// from then on, whatever it was created as, and whether or not the value is acknowledged.
func noteUse(ev *Evidence, c *Calls, number int) {
	tl := ev.ByCopy[ev.Steps[number].Step.Copy]
	if tl != nil && c.FirstUse[tl.Copy.Name] == 0 && meansChange(ev, tl, number) {
		c.FirstUse[tl.Copy.Name] = number
	}
}

// meansChange reports whether a call's own change names a value of the change, and the call sends
// it. Values that a client carries back from a read, such as a new default, do not count. In a
// version that only the new release serves, the change cannot be distinguished from the rest.
func meansChange(ev *Evidence, tl *Timeline, number int) bool {
	step := ev.Steps[number].Step
	_, both := ev.Schemas[term.Old].Kind(VersionOf(tl, step), tl.Manifest.Kind)
	if !both || ev.Acts[number].Purpose != history.Act || !step.Verb.Modifies() {
		return false
	}
	names := NamedPaths(tl.Manifest.Kind, step)
	return slices.ContainsFunc(SentPaths(ev.Trace, tl, number), func(p fieldpath.Path) bool {
		return ev.IsChangeOf(tl, step, p) && slices.ContainsFunc(names, func(name fieldpath.Path) bool { return path.Contains(name, p) })
	})
}

// UsesChangeAt reports whether the copy uses the change after a step.
func UsesChangeAt(c *Calls, tl *Timeline, number int) bool {
	begun := c.FirstUse[tl.Copy.Name]
	return UsesChange(c, tl) || begun > 0 && number >= begun
}
