package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/checks/agreement"
	"github.com/skewsim/skewsim/sim/oracle/checks/calls"
	"github.com/skewsim/skewsim/sim/oracle/checks/decoding"
	"github.com/skewsim/skewsim/sim/oracle/checks/losses"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// check judges one promise. Its guarantee stands in term.Checks.
type check struct {
	name term.CheckName
	// applies reports whether some of the steps, or what was seen, can show what the check
	// is about.
	applies func(*trace.Trace, []int) bool
	lacks   string // what such steps would be, for a plan that has none
	judge   func(*trace.Trace, precedence) finding.Judged
}

// precedence is the outcome of the checks that judge before all others: a value that one
// of them reports, no other check reports again.
type precedence struct{ losses, conversions finding.Judged }

// alone is a check that needs nothing of what was judged before it.
func alone(judge func(*trace.Trace) finding.Judged) func(*trace.Trace, precedence) finding.Judged {
	return func(tr *trace.Trace, _ precedence) finding.Judged { return judge(tr) }
}

// checks is the list of what is judged, in the order of the report.
func checks() []check {
	anyCall := func(tr *trace.Trace, steps []int) bool { return len(steps) > 0 || len(evidence.Planned(tr)) == 0 }
	return []check{
		{term.NothingLost, anyCall, "no call", func(_ *trace.Trace, p precedence) finding.Judged { return p.losses }},
		{term.EverythingDecodes, anyCall, "no call", alone(decoding.EverythingDecodes)},
		{term.StaysWritable, tries, "no dry run after a roll-out, of an object that a server can have stored", alone(calls.StaysWritable)},
		{term.NoResurrection, evidence.ComesBack, "no untouched object that goes through a rollback and a roll-out after it", alone(losses.Resurrection)},
		{term.CheckRule1, func(tr *trace.Trace, steps []int) bool {
			return trace.FromOld(tr) && (calls.Repeats(tr, steps, calls.AnyVerb) || len(calls.Deaths(tr, term.CheckRule1)) > 0)
		}, "no call on what does not use the change, made both at stage old and later", alone(calls.Rule1)},
		{term.CheckRule2, func(tr *trace.Trace, steps []int) bool {
			return trace.FromOld(tr) && (calls.Repeats(tr, steps, agreement.ShowsEffect) || len(agreement.BornAgain(tr)) > 0 || tr.Calls.Compared > 0 || agreement.StandsStill(tr))
		}, "no call on what does not use the change, with an effect both at stage old and later", alone(agreement.Rule2)},
		{term.CheckRule3, func(tr *trace.Trace, steps []int) bool { return calls.MeetsOld(tr, steps) || calls.Met(tr) }, "no call that sends a new field to a server without it", alone(calls.Rule3)},
		{term.CheckRule4, losses.Converts, "no write through another API version of the object", func(_ *trace.Trace, p precedence) finding.Judged { return p.conversions }},
		{term.CheckRule5, calls.OldMeetNew, "no call by an old client, made both on an object that uses the change and on one that does not", alone(calls.Rule5)},
		{term.CheckRule6, agreement.RollsBack, "no object that does not use the change, which the old release serves, and which is there before a rollback", alone(agreement.Rule6)},
		{term.Installs, func(tr *trace.Trace, _ []int) bool { return calls.InstallsAny(tr) }, "no manifest that a release brings", alone(calls.Installs)},
		{term.Answers, anyCall, "no call", alone(calls.Answers)},
		{term.CheckEmulates, func(tr *trace.Trace, steps []int) bool { return tr.Emulator != "" && servedByBoth(tr, steps) }, "no server that emulates the other release, or no object of a kind that both serve", alone(agreement.Emulates)},
	}
}

// on judges the check. A check whose subject the plan does not have is not applicable; so
// is one that saw nothing to judge, where no release could have played what it is about:
// unknown is for what was due.
func (c check) on(tr *trace.Trace, p precedence) (finding.Judged, result.Check) {
	found := result.Check{Name: c.name, Guarantee: term.Checks().Meaning(c.name)}
	if !c.applies(tr, evidence.Planned(tr)) {
		found.Verdict, found.Reason = term.NotApplicable, "the plan has "+c.lacks
		return finding.Judged{}, found
	}
	j := c.judge(tr, p)
	found.Judged, found.Untold, found.Findings, found.Reason = j.Facts, j.Untold, len(j.Findings), j.Reason
	if j.Facts == 0 && j.Untold == 0 && len(j.Findings) == 0 && !c.applies(tr, playable(tr)) {
		found.Verdict = term.NotApplicable
		found.Reason = "of what the releases serve, the plan has " + c.lacks
	}
	return j, found
}

// playable are the planned steps that their releases and clients can play: the release
// serves the kind, the client has types for it, and so it is of the call that is to bring
// the copy into being.
func playable(tr *trace.Trace) []int {
	unborn := map[string]bool{}
	return slices.DeleteFunc(evidence.Planned(tr), func(number int) bool {
		step := tr.Steps[number].Step
		impossible := !canPlay(tr, step)
		if evidence.Born(step) && impossible {
			unborn[step.Copy] = true
		} else if evidence.Born(step) {
			delete(unborn, step.Copy)
		}
		return impossible || unborn[step.Copy]
	})
}

// canPlay reports whether the releases that a step goes through serve its kind, and the
// client's release has types for it.
func canPlay(tr *trace.Trace, step plan.Step) bool {
	tl := tr.Calls.Lives[step.Copy]
	if tl == nil {
		tl = tr.Whole(step.Object)
	}
	for _, role := range []term.Role{step.ViaRole, step.ReadRole} {
		if role != "" && !tr.MayServeKind(role, trace.VersionOf(tl, step), tl.Manifest.Kind) {
			return false
		}
	}
	role, typed := step.Client.Role()
	return !typed || role == term.Older || hasTypes(tr, role, trace.VersionOf(tl, step), tl.Manifest.Kind)
}

// hasTypes reports whether a release's clients have types for a kind, as far as is known.
func hasTypes(tr *trace.Trace, role term.Role, apiVersion, kind string) bool {
	_, has := tr.TypesOf(role).Kind(apiVersion, kind)
	return has || tr.History.Releases[role].Schemas == nil
}

// servedByBoth reports whether some of the steps are about a kind that both releases serve.
func servedByBoth(tr *trace.Trace, steps []int) bool {
	return slices.ContainsFunc(steps, func(number int) bool {
		tl := evidence.LifeOf(tr, number)
		return tl != nil && !slices.ContainsFunc(trace.NewestFirst(), func(role term.Role) bool {
			return !tr.MayServeKind(role, tl.Manifest.APIVersion, tl.Manifest.Kind)
		})
	})
}

// tries reports whether the plan tries, after a roll-out, what can be written of an object
// that some of the steps bring into being.
func tries(tr *trace.Trace, steps []int) bool {
	for _, at := range tr.Steps {
		if at.Step.Action == plan.Attempt && at.Index > 0 {
			return evidence.Bear(tr, steps, func(plan.Copy) bool { return true })
		}
	}
	return false
}
