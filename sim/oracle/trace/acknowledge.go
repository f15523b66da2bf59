package trace

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// acknowledgeValues fills the ledger of a copy: the values of its create, and the values that
// later operations declare to change. A value that a client merely sends back is not offered
// again, and a value that it leaves out is not withdrawn. A write without a clear answer
// withdraws what it names if it may have taken effect, and offers nothing.
func acknowledgeValues(ev *Evidence, tl *Timeline) {
	for _, number := range tl.Acts {
		act, step := ev.Acts[number], ev.Steps[number].Step
		if tl.EndsAt(number) {
			withdraw(ev, tl, plan.Step{Number: number, Verb: term.Delete})
		}
		if !step.Verb.Writes() && !step.Adoption() || !act.Exchange.Succeeded() && !IsUnclear(act.Exchange) {
			continue
		}
		if IsUnclear(act.Exchange) && !tl.MayHaveWritten(number) {
			continue
		}
		if step.Verb.Deletes() && act.Exchange.Succeeded() {
			continue // what it removes is withdrawn once it is gone
		}
		withdraw(ev, tl, step)
		withdrawAll(ev, tl, step, appliedAnew(ev, tl, act, step))
		if IsUnclear(act.Exchange) || ev.LacksBody(act.Exchange) {
			continue
		}
		addOffered(ev, tl, act, Offers(ev.Trace, tl, act, step))
	}
}

func addOffered(ev *Evidence, tl *Timeline, act history.Operation, offered schema.Leaves) {
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		if !IsOffered(ev, tl, act, offered[name].Path) || stands(tl, name, offered[name]) {
			continue
		}
		shared, leaf := ev.Share(name, offered[name])
		acked := &AckedValue{Name: shared, Leaf: leaf, Offered: act.Step, Revision: act.Exchange.Revision}
		acknowledge(ev, tl, act, acked)
		tl.AckedValues = append(tl.AckedValues, acked)
	}
}

// acknowledge determines whether the server accepted a value. If the answer cannot be read, later
// observations of the object decide, if there are any.
func acknowledge(ev *Evidence, tl *Timeline, act history.Operation, acked *AckedValue) {
	if !ev.LacksObject(act) {
		got, ok := acked.FoundIn(ev.LeavesOf(tl, act.Exchange.Answer))
		acked.Acknowledged = ok && got.Semantic == acked.Leaf.Semantic
		return
	}
	acked.Unread = true
	v := tl.StoredAfter(act.Step)
	if v == nil {
		return
	}
	if state, _ := ev.PresenceOf(tl, v, acked); state == Present {
		acked.Acknowledged, acked.Unread, acked.Revision = true, false, v.Change.Revision
	}
}

// stands reports whether a value is already acknowledged and not withdrawn: sending it again, as
// every apply does, offers nothing new.
func stands(tl *Timeline, name string, leaf schema.Leaf) bool {
	return slices.ContainsFunc(tl.AckedValues, func(acked *AckedValue) bool {
		return acked.Name == name && acked.Acknowledged && acked.Withdrawn == 0 && acked.Leaf.Semantic == leaf.Semantic
	})
}

// settle records in which stored versions each acknowledged value was lost.
func settle(ev *Evidence, tl *Timeline) {
	for _, acked := range tl.AckedValues {
		if acked.Acknowledged {
			settleEntry(ev, tl, acked)
			findWithheld(ev, tl, acked)
		}
	}
}

func settleEntry(ev *Evidence, tl *Timeline, acked *AckedValue) {
	known, last := Present, acked.Leaf.Semantic
	var pending []*StoredVersion
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if v.Change.Revision < acked.Revision {
			continue
		}
		if v.Change.Deleted || acked.IsWithdrawnAt(v) {
			pending = nil
			break
		}
		state, leaf := ev.PresenceOf(tl, v, acked)
		if v.Step == 0 && state != Present && IsOfOtherPart(ev, tl, acked) {
			pending = nil
			break // controllers write it, and replace what a client sent
		}
		switch {
		case state == Indeterminate:
			pending = append(pending, v)
			continue
		case state == Present:
			leaf = acked.Leaf
		case state != known || leaf.Semantic != last:
			acked.Losses = append(acked.Losses, lossAt(ev, tl, acked, v, pending, state, leaf))
		}
		known, last, pending = state, leaf.Semantic, nil
	}
	acked.Indeterminate = len(pending) > 0 && known == Present
	acked.Returned = known == Present
}

// lossAt returns the version that lost the value. If no release that knows the field has read
// some versions, it is the first of them whose writer does not know the field: every other writer
// could have kept the value.
func lossAt(ev *Evidence, tl *Timeline, acked *AckedValue, seen *StoredVersion, pending []*StoredVersion, state Presence, after schema.Leaf) Loss {
	at := seen
	for _, v := range pending {
		if act, ok := ev.Acts[v.Step]; ok && !ev.Declares(act.Role, tl, acked.Leaf.Path) {
			at = v
			break
		}
	}
	lost := Loss{Version: at, Seen: seen, Outcome: term.Lost, After: after}
	if state == Altered {
		lost.Outcome = term.Changed
	}
	lost.Shown = shownWithout(ev, tl, acked, seen)
	return lost
}

// shownWithout returns an answer that shows what a version holds at the path and around it, "" if
// none exists.
func shownWithout(ev *Evidence, tl *Timeline, acked *AckedValue, v *StoredVersion) string {
	for _, role := range NewestFirst() {
		for _, obs := range v.Views[role] {
			if ev.WouldShow(tl, *obs, acked.Leaf.Path) {
				return obs.Answer
			}
		}
	}
	return ""
}

// withdraw marks what the step's change names, and the related paths that servers keep in step
// with it; a delete names everything.
func withdraw(ev *Evidence, tl *Timeline, step plan.Step) {
	names := NamedPaths(tl.Manifest.Kind, step)
	for _, at := range Placed(ev.Trace, ev.Acts[step.Number], names) {
		if at != nil {
			names = append(names, at)
		}
	}
	withdrawAll(ev, tl, step, append(names, namedBeside(ev, tl, step)...))
}

// withdrawAll marks what a step changes by naming these paths.
func withdrawAll(ev *Evidence, tl *Timeline, step plan.Step, names []fieldpath.Path) {
	for _, p := range meant(ev, names) {
		for _, acked := range tl.AckedValues {
			if acked.Withdrawn == 0 && path.Contains(p, acked.Leaf.Path) {
				acked.Withdrawn, acked.SeenBefore = step.Number, tl.NewestSeenBefore(step.Number)
			}
		}
	}
}

// appliedAnew returns the paths for which an apply of a whole manifest sends another value than
// an earlier call of the same copy. An apply declares everything that its manager wants, so it
// changes these values although its line does not name them.
func appliedAnew(ev *Evidence, tl *Timeline, act history.Operation, step plan.Step) []fieldpath.Path {
	if !step.Verb.AppliesManifest() {
		return nil
	}
	var all []fieldpath.Path
	sent := ev.SentLeaves(tl, act)
	for _, acked := range tl.AckedValues {
		if leaf, has := sent[acked.Name]; has && leaf.Semantic != acked.Leaf.Semantic {
			all = append(all, acked.Leaf.Path)
		}
	}
	return all
}

// AcknowledgedAt returns the acknowledged values at a place, in all copies of its kind. The values
// are indexed once: a run has as many places as values if a list has a thousand elements.
func AcknowledgedAt(ev *Evidence, at Place) []HeldValue {
	if ev.acked == nil {
		ev.acked = map[Place][]HeldValue{}
		for _, tl := range ev.Timelines {
			for _, acked := range tl.AckedValues {
				if acked.Acknowledged {
					place := SpotOf(tl, acked, "")
					ev.acked[place] = append(ev.acked[place], HeldValue{tl, acked})
				}
			}
		}
	}
	return ev.acked[at]
}
