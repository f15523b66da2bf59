package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// CreateAny reports whether one of the steps creates a copy that matches. Copies of a chain's
// later legs already exist.
func CreateAny(ev *Evidence, steps []int, such func(plan.Copy) bool) bool {
	return slices.ContainsFunc(ev.Timelines, func(tl *Timeline) bool { return tl.Copy.Leg > 0 && such(tl.Copy) }) ||
		slices.ContainsFunc(steps, func(number int) bool {
			tl := ev.ByCopy[ev.Steps[number].Step.Copy]
			return tl != nil && such(tl.Copy) && (ev.Steps[number].Step.CreatesCopy() || ev.Acts[number].Purpose == history.Act && ev.Creates(ev.Acts[number]))
		})
}

// comebacks returns the comebacks of copies that no client wrote, in the order of the plan.
func comebacks(ev *Evidence) []Comeback {
	var all []Comeback
	if !CanComeBack(ev, PlannedSteps(ev)) {
		return nil
	}
	for _, tl := range ev.Timelines {
		if tl.Copy.Role != term.Untouched {
			continue
		}
		for _, acked := range slices.DeleteFunc(slices.Clone(tl.AckedValues), func(acked *AckedValue) bool { return !acked.Acknowledged }) {
			if found, ok := comebackOf(ev, tl, acked); ok {
				acked.Resurrected = found.Shown.Step // the ledger shows it
				all = append(all, found)
			}
		}
	}
	return all
}

// comebackOf returns the first comeback of one value, stage by stage.
func comebackOf(ev *Evidence, tl *Timeline, acked *AckedValue) (Comeback, bool) {
	hidden := StageView{}
	for _, s := range ByStage(ev, tl, acked) {
		switch {
		case s.Shown == nil && s.Hid.Role == term.Old && s.Everybody():
			hidden = s // a new release that hides it is not a rollback
		case s.Shown != nil && hidden.Hid != nil:
			return Comeback{Timeline: tl, Value: acked, Shown: *s.Shown, Hidden: hidden}, true
		}
	}
	return Comeback{}, false
}

// CanComeBack reports whether the journey can show a resurrection: a roll-out after a rollback,
// of an object that no later step writes.
func CanComeBack(ev *Evidence, steps []int) bool {
	journey := ev.History.Header.Plan.Journey
	i := slices.Index(journey, term.Rollback)
	return i >= 0 && i < len(journey)-1 && CreateAny(ev, steps, func(c plan.Copy) bool { return c.Role == term.Untouched })
}

// ByStage returns what the replicas showed of a value in each stage.
func ByStage(ev *Evidence, tl *Timeline, acked *AckedValue) []StageView {
	var all []StageView
	last := -1
	for i := range tl.Observations {
		obs := &tl.Observations[i]
		if !obs.ShowsObject() || obs.Step < acked.Offered {
			continue
		}
		at := ev.Steps[obs.Step]
		if at.StageIndex != last {
			last = at.StageIndex
			all = append(all, StageView{Name: at.Stage, Heard: map[string]bool{}, Live: len(ev.History.Header.Plan.Stages[last].Replicas)})
		}
		all[len(all)-1].Heard[obs.Replica] = true
		leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
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
