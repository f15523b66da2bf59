package trace

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// addVersions collects the copy's stored versions: every change of its key, and every revision
// that an answer showed.
func (b *builder) addVersions(tl *Timeline, stored []history.Change) {
	created := b.Acts[tl.Created].Exchange.Revision
	if tl.Created == 0 {
		return
	}
	found := map[int64]StoredVersion{}
	for obs := range tl.everyObservation() {
		if obs.HasRevision() && obs.Revision >= created && obs.Revision > 0 {
			found[obs.Revision] = StoredVersion{Change: history.Change{Revision: obs.Revision}, Unrecorded: true}
		}
	}
	for _, c := range stored {
		if c.Revision >= created {
			found[c.Revision] = StoredVersion{Change: c}
		}
	}
	writers, views := b.writers(tl), tl.views()
	for _, v := range found {
		v.Step, v.Views = writers[v.Change.Revision], views[v.Change.Revision].shown()
		if v.Step == 0 {
			v.PossibleWriters = b.suspects(tl, writers, v.Change.Revision)
		}
		if len(v.PossibleWriters) == 1 {
			v.Step = v.PossibleWriters[0]
		}
		v.placeAsides()
		tl.Versions = append(tl.Versions, v)
	}
	slices.SortFunc(tl.Versions, func(x, y StoredVersion) int { return cmp.Compare(x.Change.Revision, y.Change.Revision) })
}

// writers returns the steps whose answers carry a revision, by that revision. A write that
// changed nothing returns an older revision, which it or an earlier step has already seen, and is
// not its writer. A LIST among the operations of a stage overlaps operations with higher numbers,
// so it does not count as earlier than they are.
func (b *builder) writers(tl *Timeline) map[int64]int {
	all, seen := map[int64]int{}, map[int64]bool{}
	for _, obs := range tl.Observations {
		if obs.wrote && obs.HasRevision() && !seen[obs.Revision] {
			all[obs.Revision] = obs.Step
		}
		if obs.HasRevision() && !(obs.IsListItem() && b.Steps[obs.Step].Step.Action == plan.Operate) {
			seen[obs.Revision] = true
		}
	}
	return all
}

// suspects returns the writes that may have made a version which appears in no answer: writes
// without a clear answer, between the known writes before and after it. A later step that was
// still shown the version before clears them.
func (b *builder) suspects(tl *Timeline, writers map[int64]int, revision int64) []int {
	after, before := 0, len(b.Steps)+1
	for at, step := range writers {
		if at < revision {
			after = max(after, step)
		} else {
			before = min(before, step)
		}
	}
	var found []int
	for _, step := range tl.Acts {
		act, between := b.Acts[step], step > after && step < before
		unclear := IsUnclear(act.Exchange) || b.LacksObject(act) && act.Exchange.Revision == 0
		if between && unclear && b.Steps[step].Step.Verb.Writes() && !b.seenSince(tl, step, revision) {
			found = append(found, step)
		}
	}
	return found
}

// seenSince reports whether a later step was shown the copy as it was before a revision, which
// clears the step of having written that revision. LISTs do not count: a LIST from a cache may be
// stale, and a LIST among operations overlaps them.
func (b *builder) seenSince(tl *Timeline, step int, revision int64) bool {
	return slices.ContainsFunc(tl.Observations, func(obs Observation) bool {
		overlaps := obs.IsListItem() && b.Steps[obs.Step].Step.Action == plan.Operate
		return obs.Step > step && obs.HasRevision() && obs.Revision < revision && !obs.cached && !overlaps
	})
}
