package evidence

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
)

// Bear reports whether some of the steps bring into being a copy such as that: those of a
// chain's later legs are there already.
func Bear(tr *trace.Trace, steps []int, such func(plan.Copy) bool) bool {
	return slices.ContainsFunc(tr.ByCopy, func(tl *trace.Timeline) bool { return tl.Copy.Leg > 0 && such(tl.Copy) }) ||
		slices.ContainsFunc(steps, func(number int) bool {
			tl := tr.Calls.Lives[tr.Steps[number].Step.Copy]
			return tl != nil && such(tl.Copy) && (Born(tr.Steps[number].Step) || tr.Acts[number].Purpose == history.Act && tr.Bears(tr.Acts[number]))
		})
}

// Comebacks are those of copies that nothing wrote, in the order of the plan.
func Comebacks(tr *trace.Trace) []trace.Comeback {
	var all []trace.Comeback
	if !ComesBack(tr, Planned(tr)) {
		return nil
	}
	for _, tl := range tr.ByCopy {
		if tl.Copy.Role != term.Untouched {
			continue
		}
		for _, acked := range slices.DeleteFunc(slices.Clone(tl.Entries), func(acked *trace.AckedValue) bool { return !acked.Acknowledged }) {
			if found, ok := comebackOf(tr, tl, acked); ok {
				acked.Resurrected = found.Shown.Step // the ledger shows it
				all = append(all, found)
			}
		}
	}
	return all
}

// comebackOf walks the stages of one value.
func comebackOf(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue) (trace.Comeback, bool) {
	hidden := trace.StageView{}
	for _, s := range ByStage(tr, tl, acked) {
		switch {
		case s.Shown == nil && s.Hid.Role == term.Old && s.Everybody(len(tr.History.Header.Plan.Replicas)):
			hidden = s // a new release that hides it is no rollback
		case s.Shown != nil && hidden.Hid != nil:
			return trace.Comeback{L: tl, N: acked, Shown: *s.Shown, Hidden: hidden}, true
		}
	}
	return trace.Comeback{}, false
}

// ComesBack tells whether the journey can show a resurrection: a roll-out that
// follows a rollback, of an object that nothing else writes.
func ComesBack(tr *trace.Trace, steps []int) bool {
	journey := tr.History.Header.Plan.Journey
	i := slices.Index(journey, term.Rollback)
	return i >= 0 && i < len(journey)-1 && Bear(tr, steps, func(c plan.Copy) bool { return c.Role == term.Untouched })
}

// ByStage returns, stage by stage, what the replicas showed of a value.
func ByStage(tr *trace.Trace, tl *trace.Timeline, acked *trace.AckedValue) []trace.StageView {
	var all []trace.StageView
	last := -1
	for i := range tl.Sights {
		obs := &tl.Sights[i]
		if !obs.Ok() || obs.Step < acked.Offered {
			continue
		}
		at := tr.Steps[obs.Step]
		if at.Index != last {
			last = at.Index
			all = append(all, trace.StageView{Name: at.Stage, Heard: map[string]bool{}})
		}
		all[len(all)-1].Heard[obs.Replica] = true
		leaf, shown := acked.In(tr.LeavesOf(tl, obs.Answer))
		view := &all[len(all)-1]
		switch {
		case !shown || leaf.Semantic != acked.Leaf.Semantic:
			view.Hid = obs
		case view.Shown == nil:
			view.Shown = obs
		}
	}
	return all
}
