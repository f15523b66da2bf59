package evidence

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// IsChangeOf tells whether the path is part of the change in the version that a
// step goes through, which need not be the copy's own.
func IsChangeOf(ev *Evidence, tl *trace.Timeline, s plan.Step, p fieldpath.Path) bool {
	declares := func(by *schema.Schema) bool {
		k, ok := by.Kind(trace.VersionOf(tl, s), tl.Manifest.Kind)
		return ok && k.Declares(p)
	}
	return declares(ev.TypesOf(term.New)) && !declares(ev.Schemas[term.Old])
}

// SentPaths are the places of the values that a call sends: those in its body
// or, where that is a list of instructions, those that its mutation names.
func SentPaths(ev *Evidence, tl *trace.Timeline, number int) []fieldpath.Path {
	act, step := ev.Acts[number], ev.Steps[number].Step
	var all []fieldpath.Path
	if !ev.History.HasObject(act.Exchange.Sent) {
		if !step.Verb.Deletes() {
			all = Named(tl.Manifest.Kind, step)
		}
		return all
	}
	leaves := ev.LeavesOf(tl, act.Exchange.Sent)
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		all = append(all, leaves[name].Path)
	}
	return all
}

// noteUse notes that a call sends a value of the change to its copy: whatever
// the copy was made as, it uses the change from then on, acknowledged or not.
func noteUse(ev *Evidence, c *Calls, number int) {
	tl := ev.ByCopy[ev.Steps[number].Step.Copy]
	if tl != nil && c.Begun[tl.Copy.Name] == 0 && meansChange(ev, tl, number) {
		c.Begun[tl.Copy.Name] = number
	}
}

// meansChange tells whether a call's own mutation names a value of the change,
// and the call sends it. What a client merely carries back of what it was shown,
// such as a new default, it does not mean; and of a version that only the new
// release serves nothing tells the change from the rest.
func meansChange(ev *Evidence, tl *trace.Timeline, number int) bool {
	step := ev.Steps[number].Step
	_, both := ev.Schemas[term.Old].Kind(trace.VersionOf(tl, step), tl.Manifest.Kind)
	if !both || ev.Acts[number].Purpose != history.Act || !step.Verb.Modifies() {
		return false
	}
	names := Named(tl.Manifest.Kind, step)
	return slices.ContainsFunc(SentPaths(ev, tl, number), func(p fieldpath.Path) bool {
		return IsChangeOf(ev, tl, step, p) && slices.ContainsFunc(names, func(name fieldpath.Path) bool { return path.Contains(name, p) })
	})
}

// UsesIn tells whether the copy uses the change when a step has been played.
func UsesIn(c *Calls, tl *trace.Timeline, number int) bool {
	begun := c.Begun[tl.Copy.Name]
	return Uses(c, tl) || begun > 0 && number >= begun
}
