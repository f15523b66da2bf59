package trace

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// About returns the values that a call sends, and those that its operations meet; false if its
// body cannot be read.
func About(tr *Trace, tl *Timeline, act history.Operation) (all []schema.Leaf, told bool) {
	x := act.Exchange
	if x.Sent == "" {
		return nil, true
	}
	body := tr.History.Object(x.Sent)
	if body == nil {
		return aboutOfOperations(tr, tl, act)
	}
	return slices.Collect(maps.Values(LeavesIn(tl.Kind, body))), true
}

// SentPaths returns the paths of the values that a call sends: those in its body or, if the body
// is a list of operations, those that its change names.
func SentPaths(tr *Trace, tl *Timeline, number int) []fieldpath.Path {
	act, step := tr.Acts[number], tr.Steps[number].Step
	var all []fieldpath.Path
	if !tr.History.HasObject(act.Exchange.Sent) {
		if !step.Verb.Deletes() {
			all = NamedPaths(tl.Manifest.Kind, step)
		}
		return all
	}
	leaves := tr.LeavesOf(tl, act.Exchange.Sent)
	for _, name := range slices.Sorted(maps.Keys(leaves)) {
		all = append(all, leaves[name].Path)
	}
	return all
}
