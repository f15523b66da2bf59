package evidence

import (
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/redact"
)

// Gather orders the evidence. Steps, not the order of lines, say what came
// before what: operations of a stage overlap, and each has its own copy,
// or waits for those of its copy that come before it.
func Gather(h *history.History, schemas trace.Schemas) *trace.Trace {
	tr := &trace.Trace{
		History: h, Policy: redact.For(h.Header.Plan.Confidential), Schemas: schemas, Steps: trace.IndexSteps(h),
		Acts: map[int]history.Operation{}, Reads: map[int]history.Operation{}, Related: relatedPaths(h.Header.Plan), Reigns: trace.Reigns(h),
	}
	lives := tr.Lives()
	trace.MakeRoom(h, lives)
	skipped := map[int]bool{}
	for _, s := range h.Skips {
		skipped[s.Step] = true
	}
	for _, op := range h.Operations {
		// A conflict is not what a step came to when its client went on from it,
		// and then could not.
		if op.Purpose != history.Act || !skipped[op.Step] {
			tr.AddOperation(op, lives[op.Copy])
		}
	}
	for _, l := range h.Listings {
		tr.AddListing(l, lives)
	}
	changes := map[int64]history.Change{}
	keys := map[string][]history.Change{}
	for _, c := range h.Changes {
		changes[c.Revision] = c
		keys[c.Key] = append(keys[c.Key], c)
	}
	tr.AddAsides(lives, changes)
	for _, tl := range tr.ByCopy {
		slices.Sort(tl.Acts)
		slices.SortStableFunc(tl.Sights, trace.InOrder)
		stored := keys[tl.Key(changes)]
		tr.AddMilestones(tl, stored)
		tr.AddVersions(tl, stored)
		keepAccount(tr, tl)
		settle(tr, tl)
	}
	tr.Calls = indexCalls(tr)
	tr.Calls.Invalid = alwaysInvalid(tr)
	return tr
}
