package evidence

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// keepAccount fills the ledger of a copy: what it was created with, and what
// later operations declare that they change. What a client merely sends back
// is not offered anew, and what it leaves out is not withdrawn. A write without
// a clear answer withdraws what it names if it may have been done, and nothing
// that it sent counts.
func keepAccount(tr *trace.Trace, tl *trace.Timeline) {
	for _, number := range tl.Acts {
		act, step := tr.Acts[number], tr.Steps[number].Step
		if tl.Dies(number) {
			withdraw(tr, tl, plan.Step{Number: number, Verb: term.Delete})
		}
		if !step.Verb.Writes() && !step.Adoption() || !act.Exchange.Succeeded() && !trace.Unclear(act.Exchange) {
			continue
		}
		if trace.Unclear(act.Exchange) && !tl.MayBeOf(number) {
			continue
		}
		if step.Verb.Deletes() && act.Exchange.Succeeded() {
			continue // what it takes away is withdrawn once it is gone
		}
		withdraw(tr, tl, step)
		withdrawAll(tr, tl, step, appliedAnew(tr, tl, act, step))
		if trace.Unclear(act.Exchange) || tr.Lacks(act.Exchange) {
			continue
		}
		addOffers(tr, tl, act, Offers(tr, tl, act, step))
	}
}

func addOffers(tr *trace.Trace, tl *trace.Timeline, act history.Operation, offered schema.Leaves) {
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		if !counts(tr, tl, act, offered[name].Path) || stands(tl, name, offered[name]) {
			continue
		}
		acked := &trace.AckedValue{Name: tr.Memo.Same(name), Leaf: tr.Memo.SameLeaf(name, offered[name]), Offered: act.Step, Revision: act.Exchange.Revision}
		acknowledge(tr, tl, act, acked)
		tl.Entries = append(tl.Entries, acked)
	}
}

// acknowledge finds out whether the server accepted a value. Where the answer
// cannot be read, what was seen of the object then says so, or nothing does.
func acknowledge(tr *trace.Trace, tl *trace.Timeline, act history.Operation, acked *trace.AckedValue) {
	if !tr.Mute(act) {
		got, ok := acked.In(tr.LeavesOf(tl, act.Exchange.Answer))
		acked.Acknowledged = ok && got.Semantic == acked.Leaf.Semantic
		return
	}
	acked.Unread = true
	v := tl.Left(act.Step)
	if v == nil {
		return
	}
	if state, _ := tr.Look(tl, v, acked); state == trace.Present {
		acked.Acknowledged, acked.Unread, acked.Revision = true, false, v.Change.Revision
	}
}

// stands tells whether a value was acknowledged already, and is not withdrawn:
// to send it again, as every apply does, offers nothing new.
func stands(tl *trace.Timeline, name string, leaf schema.Leaf) bool {
	return slices.ContainsFunc(tl.Entries, func(acked *trace.AckedValue) bool {
		return acked.Name == name && acked.Acknowledged && acked.Withdrawn == 0 && acked.Leaf.Semantic == leaf.Semantic
	})
}

// settle walks the stored versions and notes where each entry's value went.
func settle(tr *trace.Trace, tl *trace.Timeline) {
	for _, acked := range tl.Entries {
		if acked.Acknowledged {
			settleEntry(tr, tl, acked)
			findWithheld(tr, tl, acked)
		}
	}
}

func settleEntry(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue) {
	known, last := trace.Present, acked.Leaf.Semantic
	var pending []*trace.StoredVersion
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if v.Change.Revision < acked.Revision {
			continue
		}
		if v.Change.Deleted || acked.Over(v) {
			pending = nil
			break
		}
		state, leaf := tr.Look(tl, v, acked)
		switch {
		case state == trace.Untold:
			pending = append(pending, v)
			continue
		case state == trace.Present:
			leaf = acked.Leaf
		case state != known || leaf.Semantic != last:
			acked.Losses = append(acked.Losses, lossAt(tr, tl, acked, v, pending, state, leaf))
		}
		known, last, pending = state, leaf.Semantic, nil
	}
	acked.Open = len(pending) > 0 && known == trace.Present
	acked.Back = known == trace.Present
}

// lossAt says which version lost the value. Among versions that nothing which
// knows the field has read, it is the first whose writer does not know it: no
// other could not have kept it.
func lossAt(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue, seen *trace.StoredVersion, pending []*trace.StoredVersion, state trace.Presence, after schema.Leaf) trace.Loss {
	at := seen
	for _, v := range pending {
		if act, ok := tr.Acts[v.Step]; ok && !tr.Declares(act.Role, tl, acked.Leaf.Path) {
			at = v
			break
		}
	}
	lost := trace.Loss{Version: at, Seen: seen, State: term.Lost, After: after}
	if state == trace.Altered {
		lost.State = term.Changed
	}
	lost.Shown = shownWithout(tr, tl, acked, seen)
	return lost
}

// shownWithout is an answer that tells what a version holds at the path, and
// around it; "": there is none.
func shownWithout(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion) string {
	for _, role := range trace.NewestFirst() {
		for _, obs := range v.Views[role] {
			if tr.Tells(tl, *obs, acked.Leaf.Path) {
				return obs.Answer
			}
		}
	}
	return ""
}
