package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// check judges one promise. Its guarantee stands in term.Checks.
type check struct {
	name term.CheckName
	// applies reports whether some of the steps, or what was seen, can show what the check
	// is about.
	applies func(*evidence, []int) bool
	lacks   string // what such steps would be, for a plan that has none
	judge   func(*evidence) judged
}

// checks is the list of what is judged, in the order of the report.
func checks() []check {
	calls := func(e *evidence, steps []int) bool { return len(steps) > 0 || len(e.planned()) == 0 }
	return []check{
		{term.NothingLost, calls, "no call", func(e *evidence) judged { return e.calls.losses }},
		{term.EverythingDecodes, calls, "no call", everythingDecodes},
		{term.StaysWritable, tries, "no dry run after a roll-out, of an object that a server can have stored", staysWritable},
		{term.NoResurrection, comesBack, "no untouched object that goes through a rollback and a roll-out after it", resurrection},
		{term.CheckRule1, func(e *evidence, steps []int) bool {
			return fromOld(e) && (repeats(e, steps, anyVerb) || len(e.deaths(term.CheckRule1)) > 0)
		}, "no call on what does not use the change, made both at stage old and later", rule1},
		{term.CheckRule2, func(e *evidence, steps []int) bool {
			return fromOld(e) && (repeats(e, steps, showsEffect) || len(e.bornAgain()) > 0 || e.calls.compared > 0 || e.standsStill())
		}, "no call on what does not use the change, with an effect both at stage old and later", rule2},
		{term.CheckRule3, func(e *evidence, steps []int) bool { return meetsOld(e, steps) || met(e) }, "no call that sends a new field to a server without it", rule3},
		{term.CheckRule4, converts, "no write through another API version of the object", func(e *evidence) judged { return e.calls.conversions }},
		{term.CheckRule5, oldMeetNew, "no call by an old client, made both on an object that uses the change and on one that does not", rule5},
		{term.CheckRule6, rollsBack, "no object that does not use the change, which the old release serves, and which is there before a rollback", rule6},
		{term.Installs, func(e *evidence, _ []int) bool { return installsAny(e) }, "no manifest that a release brings", installs},
		{term.Answers, calls, "no call", answers},
		{term.CheckEmulates, func(e *evidence, steps []int) bool { return e.emulator != "" && e.servedByBoth(steps) }, "no server that emulates the other release, or no object of a kind that both serve", emulates},
	}
}

// on judges the check. A check whose subject the plan does not have is not applicable; so
// is one that saw nothing to judge, where no release could have played what it is about:
// unknown is for what was due.
func (c check) on(e *evidence) (judged, result.Check) {
	found := result.Check{Name: c.name, Guarantee: term.Checks().Meaning(c.name)}
	if !c.applies(e, e.planned()) {
		found.Verdict, found.Reason = term.NotApplicable, "the plan has "+c.lacks
		return judged{}, found
	}
	j := c.judge(e)
	found.Judged, found.Untold, found.Findings, found.Reason = j.facts, j.untold, len(j.findings), j.reason
	if j.facts == 0 && j.untold == 0 && len(j.findings) == 0 && !c.applies(e, e.playable()) {
		found.Verdict = term.NotApplicable
		found.Reason = "of what the releases serve, the plan has " + c.lacks
	}
	return j, found
}

// playable are the planned steps that their releases and clients can play: the release
// serves the kind, the client has types for it, and so it is of the call that is to bring
// the copy into being.
func (e *evidence) playable() []int {
	unborn := map[string]bool{}
	return slices.DeleteFunc(e.planned(), func(number int) bool {
		step := e.steps[number].step
		impossible := !e.canPlay(step)
		if born(step) && impossible {
			unborn[step.Copy] = true
		} else if born(step) {
			delete(unborn, step.Copy)
		}
		return impossible || unborn[step.Copy]
	})
}

// canPlay reports whether the releases that a step goes through serve its kind, and the
// client's release has types for it.
func (e *evidence) canPlay(step plan.Step) bool {
	l := e.calls.lives[step.Copy]
	if l == nil {
		l = e.whole(step.Object)
	}
	for _, role := range []term.Role{step.ViaRole, step.ReadRole} {
		if role != "" && !e.mayServeKind(role, versionOf(l, step), l.manifest.Kind) {
			return false
		}
	}
	role, typed := step.Client.Role()
	return !typed || role == term.Older || e.hasTypes(role, versionOf(l, step), l.manifest.Kind)
}

// hasTypes reports whether a release's clients have types for a kind, as far as is known.
func (e *evidence) hasTypes(role term.Role, apiVersion, kind string) bool {
	_, has := e.typesOf(role).Kind(apiVersion, kind)
	return has || e.history.Releases[role].Schemas == nil
}

// servedByBoth reports whether some of the steps are about a kind that both releases serve.
func (e *evidence) servedByBoth(steps []int) bool {
	return slices.ContainsFunc(steps, func(number int) bool {
		l := e.lifeOf(number)
		return l != nil && !slices.ContainsFunc(newestFirst(), func(role term.Role) bool {
			return !e.mayServeKind(role, l.manifest.APIVersion, l.manifest.Kind)
		})
	})
}

// tries reports whether the plan tries, after a roll-out, what can be written of an object
// that some of the steps bring into being.
func tries(e *evidence, steps []int) bool {
	for _, at := range e.steps {
		if at.step.Action == plan.Attempt && at.index > 0 {
			return e.bear(steps, func(plan.Copy) bool { return true })
		}
	}
	return false
}

// bear reports whether some of the steps bring into being a copy such as that: those of a
// chain's later legs are there already.
func (e *evidence) bear(steps []int, such func(plan.Copy) bool) bool {
	return slices.ContainsFunc(e.byCopy, func(l *life) bool { return l.copy.Leg > 0 && such(l.copy) }) ||
		slices.ContainsFunc(steps, func(number int) bool {
			l := e.calls.lives[e.steps[number].step.Copy]
			return l != nil && such(l.copy) && (born(e.steps[number].step) || e.acts[number].Purpose == history.Act && e.bears(e.acts[number]))
		})
}
