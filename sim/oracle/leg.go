package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// adopted are the values that a copy of an earlier leg brings along: those that
// clients hold acknowledged, as the leg's first release serves them. One that it
// does not serve is none of this leg's: whether it should be there, the chain tells.
func (e *evidence) adopted(l *life, act history.Operation, step plan.Step) schema.Leaves {
	all := schema.Leaves{}
	for name, leaf := range e.leavesOf(l, act.Exchange.Answer) {
		if slices.Contains(step.Adopts, name) {
			all[name] = leaf
		}
	}
	return all
}

// takenOver tells whether a stored version is the one that a copy of an earlier leg was
// found with: no step of this leg has written it.
func (e *evidence) takenOver(l *life, v *version) bool {
	return e.steps[l.created].step.Adoption() && v.change.Revision == e.acts[l.created].Exchange.Revision
}

// fromOld tells whether the run begins where nothing has changed yet. On a
// chain's way back it does not, and no call can be held against one before.
func fromOld(e *evidence) bool {
	return scenarios.Begins(e.history.Header.Plan.Journey) == term.Old
}

// ofLeg takes from the result of a chain's leg what only the chain can tell: that
// an expectation was met by no finding, or by too few.
func ofLeg(h *history.History, res *result.Result) {
	if h.Header.Plan.Leg != nil {
		res.Missing = []result.Missing{}
	}
}
