package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/checks"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// check judges one promise. Its guarantee is in term.Checks.
type check struct {
	name  term.CheckName
	judge func(*trace.Evidence) blame.Judged
	// applies reports whether some of the steps, or the recorded facts, can show what the check
	// judges.
	applies func(*trace.Evidence, []int) bool
	lacks   string // describes such steps, for a plan that has none
	// yields says that the check does not report a value that nothing-lost or rule-4 reports.
	yields bool
}

// allChecks returns all checks, in the order of the report. Two of them need what both releases
// served of the same stored versions.
func allChecks(readings checks.Readings) []check {
	return []check{
		{
			name: term.CheckNothingLost, judge: checks.NothingLost, applies: hasCall,
			lacks: "no call",
		}, {
			name: term.CheckEverythingDecodes, judge: checks.EverythingDecodes, applies: hasCall,
			lacks: "no call",
		}, {
			name: term.CheckStaysWritable, judge: checks.StaysWritable, applies: tries,
			lacks: "no dry run after a roll-out, of an object that a server can have stored",
		}, {
			name: term.CheckResurrection, judge: checks.Resurrection, applies: trace.CanComeBack,
			lacks: "no untouched object that goes through a rollback and a roll-out after it",
		}, {
			name: term.CheckRule1, judge: checks.Rule1, applies: checks.Rule1Applies,
			lacks: "no call on what does not use the change, made both at stage old and later",
		}, {
			name: term.CheckRule2, judge: readings.Rule2, applies: readings.Rule2Applies, yields: true,
			lacks: "no call on what does not use the change, with an effect both at stage old and later",
		}, {
			name: term.CheckRule3, judge: checks.Rule3, applies: checks.Rule3Applies,
			lacks: "no call that sends a new field to a server without it",
		}, {
			name: term.CheckRule4, judge: checks.Rule4, applies: checks.Converts,
			lacks: "no write through another API version of the object",
		}, {
			name: term.CheckRule5, judge: checks.Rule5, applies: checks.OldMeetNew,
			lacks: "no call by an old client, made both on an object that uses the change and on one that does not",
		}, {
			name: term.CheckRule6, judge: readings.Rule6, applies: checks.RollsBack, yields: true,
			lacks: "no object that does not use the change, which the old release serves, and which is there before a rollback",
		}, {
			name: term.CheckInstalls, judge: checks.Installs, applies: checks.InstallsAny,
			lacks: "no manifest that a release brings",
		}, {
			name: term.CheckAnswers, judge: checks.Answers, applies: hasCall,
			lacks: "no call",
		}, {
			name: term.CheckEmulates, judge: checks.Emulates, applies: emulatesAny,
			lacks: "no server that emulates the other release, or no object of a kind that both serve",
		},
	}
}

// judgeAll runs all checks. A fact is reported once: what nothing-lost or rule-4 reports of a
// value is removed from the checks that yield to them.
func judgeAll(ev *trace.Evidence, all []check) (findings []result.Finding, found []result.Check) {
	planned, applies, judged := trace.PlannedSteps(ev), make([]bool, len(all)), make([]blame.Judged, len(all))
	var first []blame.Judged
	for i, c := range all {
		if applies[i] = c.applies(ev, planned); applies[i] {
			judged[i] = c.judge(ev)
		}
		if c.name == term.CheckNothingLost || c.name == term.CheckRule4 {
			first = append(first, judged[i])
		}
	}
	reported := blame.ReportedBy(first...)
	for i, c := range all {
		if c.yields {
			judged[i].Findings = reported.Rest(judged[i].Findings)
		}
		findings = append(findings, judged[i].Findings...)
		found = append(found, c.outcome(ev, applies[i], judged[i]))
	}
	return findings, found
}

// hasCall reports whether a step exists, or the plan has none at all.
func hasCall(ev *trace.Evidence, steps []int) bool {
	return len(steps) > 0 || len(trace.PlannedSteps(ev)) == 0
}

// emulatesAny reports whether the servers of one release emulate the other one, and some of the
// steps are about a kind that both serve.
func emulatesAny(ev *trace.Evidence, steps []int) bool {
	return ev.Emulator != "" && servedByBoth(ev, steps)
}

// outcome returns the result of a check. A check is not applicable if the plan has no subject for
// it, or if it judged nothing and no release could serve the planned subject. It is unknown only
// if it should have judged something.
func (c check) outcome(ev *trace.Evidence, applies bool, j blame.Judged) result.Check {
	found := result.Check{Name: c.name, Guarantee: term.Checks().Meaning(c.name)}
	if !applies {
		found.Verdict, found.Reason = term.NotApplicable, "the plan has "+c.lacks
		return found
	}
	found.Judged, found.Indeterminate, found.Findings, found.Reason = j.Facts, j.Indeterminate, len(j.Findings), j.Reason
	if j.Facts == 0 && j.Indeterminate == 0 && len(j.Findings) == 0 && !c.applies(ev, playable(ev)) {
		found.Verdict = term.NotApplicable
		found.Reason = "among the kinds that the releases serve, the plan has " + c.lacks
	}
	return found
}

// playable returns the planned steps that their releases and clients can execute: the release
// serves the kind, the client has types for it, and both hold for the call that creates the copy.
func playable(ev *trace.Evidence) []int {
	unborn := map[string]bool{}
	return slices.DeleteFunc(trace.PlannedSteps(ev), func(number int) bool {
		step := ev.Steps[number].Step
		impossible := !canPlay(ev, step)
		if step.CreatesCopy() && impossible {
			unborn[step.Copy] = true
		} else if step.CreatesCopy() {
			delete(unborn, step.Copy)
		}
		return impossible || unborn[step.Copy]
	})
}

// canPlay reports whether the releases that a step uses serve its kind, with the subresource that it is
// about, and the client's release has types for it.
func canPlay(ev *trace.Evidence, step plan.Step) bool {
	tl := ev.ByCopy[step.Copy]
	if tl == nil {
		tl = ev.AllCopiesOf(step.Object)
	}
	for _, role := range []term.Role{step.ViaRole, step.ReadRole} {
		if role != "" && (!ev.MayServeKind(role, trace.VersionOf(tl, step), tl.Manifest.Kind) || lacksPart(ev, role, tl, step)) {
			return false
		}
	}
	role, typed := step.Client.Role()
	return !typed || role == term.Older || hasTypes(ev, role, trace.VersionOf(tl, step), tl.Manifest.Kind)
}

// lacksPart reports whether a release serves the kind of a step without the subresource that the step is about.
func lacksPart(ev *trace.Evidence, role term.Role, tl *trace.Timeline, step plan.Step) bool {
	part := step.Part()
	return part != "" && slices.ContainsFunc(ev.History.Releases[role].Resources, func(r history.Resource) bool {
		return r.APIVersion == trace.VersionOf(tl, step) && r.Kind == tl.Manifest.Kind && !slices.Contains(r.Subresources, part)
	})
}

// hasTypes reports whether a release's clients have types for a kind, or are not known not to.
func hasTypes(ev *trace.Evidence, role term.Role, apiVersion, kind string) bool {
	_, has := ev.TypesOf(role).Kind(apiVersion, kind)
	return has || ev.History.Releases[role].Schemas == nil
}

// servedByBoth reports whether some of the steps are about a kind that both releases serve.
func servedByBoth(ev *trace.Evidence, steps []int) bool {
	return slices.ContainsFunc(steps, func(number int) bool {
		tl := trace.TimelineOf(ev, number)
		return tl != nil && !slices.ContainsFunc(trace.NewestFirst(), func(role term.Role) bool {
			return !ev.MayServeKind(role, tl.Manifest.APIVersion, tl.Manifest.Kind)
		})
	})
}

// tries reports whether the plan runs dry runs, after a roll-out, on an object that some of the
// steps create.
func tries(ev *trace.Evidence, steps []int) bool {
	for _, at := range ev.Steps {
		if at.Step.Action == plan.Attempt && at.StageIndex > 0 {
			return trace.CreateAny(ev, steps, func(plan.Copy) bool { return true })
		}
	}
	return false
}
