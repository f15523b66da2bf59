package checks

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Rule3Applies reports whether some of the steps send a new field to a server without it, or the
// run shows such a call.
func Rule3Applies(ev *trace.Evidence, steps []int) bool { return meetsOld(ev, steps) || met(ev) }

// meetsOld reports whether the plan sends a call that can carry the change to a server without
// it, and the schemas show which fields are the change.
func meetsOld(ev *trace.Evidence, steps []int) bool {
	change := map[string]bool{} // by manifest
	for _, tl := range ev.Timelines {
		if _, known := change[tl.Copy.Manifest]; !known {
			change[tl.Copy.Manifest] = slices.ContainsFunc(slices.Collect(maps.Values(trace.LeavesIn(tl.Kind, tl.Manifest.Body))),
				func(leaf schema.Leaf) bool { return ev.IsChange(tl, leaf.Path) })
		}
	}
	return slices.ContainsFunc(steps, func(number int) bool {
		step := ev.Steps[number].Step
		tl := ev.ByCopy[step.Copy]
		if tl == nil || !trace.UsesChangeAt(ev.Calls, tl, number) || !ev.MayServeKind(term.Old, trace.VersionOf(tl, step), tl.Manifest.Kind) {
			return false
		}
		carries := change[tl.Copy.Manifest] && canCarry(ev, step) && !trace.OtherVersion(tl, step)
		return carries || namesChange(ev, tl, step)
	})
}

// met reports whether a call sent the change to a server without it, or ended a server, or made
// one panic.
func met(ev *trace.Evidence) bool {
	return len(endedServers(ev, term.CheckRule3))+len(panics(ev)) > 0 || slices.ContainsFunc(ev.Calls.Steps, func(number int) bool {
		tl := ev.ByCopy[ev.Steps[number].Step.Copy]
		return tl != nil && trace.SendsChange(ev, tl, number)
	})
}

// namesChange reports whether the step's own change names a field of the change, through an old
// server.
func namesChange(ev *trace.Evidence, tl *trace.Timeline, s plan.Step) bool {
	return ev.LacksChange(s.ViaRole) && !trace.IsOldClient(s.Client) && !s.Verb.Deletes() &&
		slices.ContainsFunc(trace.NamedPaths(tl.Manifest.Kind, s), func(p fieldpath.Path) bool { return ev.IsChangeOf(tl, s, p) })
}

// canCarry reports whether a call through an old server can hold fields that the server does not
// know: from the manifest, or from what a new server showed the client.
func canCarry(ev *trace.Evidence, s plan.Step) bool {
	if !ev.LacksChange(s.ViaRole) || trace.IsOldClient(s.Client) || !s.Verb.Writes() || s.Part() != "" {
		return false
	}
	return s.CreatesCopy() || s.Verb.Creates() || s.Verb.Whole() && s.ReadRole == term.New
}

// Rule3 judges that calls which use the change do no harm to a server without it, and that no
// call makes a server panic. Its facts are those calls. A refusal is no harm, and neither is a
// failure that the release shows for any unknown field, as a dry run checks.
func Rule3(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, number := range ev.Calls.Steps {
		tl := ev.ByCopy[ev.Steps[number].Step.Copy]
		if tl != nil && trace.SendsChange(ev, tl, number) {
			judgeRule3(ev, tl, number, &j)
		}
	}
	j.Findings = append(j.Findings, endedServers(ev, term.CheckRule3)...)
	panics := panics(ev)
	j.Facts, j.Findings = j.Facts+len(panics), append(j.Findings, panics...)
	return j
}

func judgeRule3(ev *trace.Evidence, tl *trace.Timeline, number int, j *blame.Judged) {
	x := ev.Acts[number].Exchange
	if blame.MayBeInterrupted(ev, x) {
		j.Indeterminate++
		return
	}
	if blame.MetUnreadable(ev, tl, number) || ev.Panicked(number) {
		return // everything-decodes or panics reports it
	}
	if !blame.HarmsServer(ev, tl, number) {
		j.Facts++
		return
	}
	if blame.ReporterOf(ev, number) != term.CheckRule3 {
		return
	}
	j.Facts++
	f := failedCall(ev, tl, term.CheckRule3, term.Rule3, number)
	f.Outcome, f.Path = term.Failed, path.String(trace.SentChange(ev, tl, number))
	also := "no dry run shows that it fails in the same way for any unknown field"
	switch made := ev.Calls.Probes[number]; {
	case alike(ev, number):
		f.Outcome, f.Class = term.Refused, term.Impact
		also = "an unknown field is answered the same"
	case len(made) > 0:
		also = fmt.Sprintf("an unknown field is answered %s", blame.AnswerText(ev, tl.Manifest.Kind, made[len(made)-1].Exchange))
	}
	f.Message = fmt.Sprintf("%s sent %s, which %s does not publish, and was answered %s; %s; %s under %s",
		blame.CallText(ev, tl, f), f.Path, f.Release, blame.AnswerText(ev, tl.Manifest.Kind, x), also, f.Class, f.Rule)
	j.Findings = append(j.Findings, f)
}

// alike reports whether an unknown field got the same answer from the same release.
func alike(ev *trace.Evidence, number int) bool {
	act := ev.Acts[number]
	for _, made := range ev.Calls.Probes[number] {
		if made.Role == act.Role && made.Exchange.Code == act.Exchange.Code && act.Exchange.Code >= 500 {
			return true
		}
	}
	return false
}
