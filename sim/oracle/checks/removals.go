package checks

import (
	"fmt"
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Removals must be kept as values must: an operation that names a path, removes the value and is
// answered with success must not leave the value there.

// removalKept reports a value that an operation should have removed and that the answer to the
// same operation still shows. Values that are removed together are reported once.
func removalKept(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, j *blame.Judged, said map[string]bool) {
	at := removedAt(ev, tl, acked)
	if at == nil {
		return
	}
	j.Facts++
	if !showsStill(ev, tl, acked) {
		return
	}
	switch refills(ev, tl, acked) {
	case trace.Present:
	case trace.Indeterminate:
		j.Indeterminate, j.Reason = j.Indeterminate+1, "whether a default took the place of a removed value is not known"
	default:
		if key := fmt.Sprint("not removed ", path.String(at), " ", acked.Withdrawn); !said[key] {
			said[key] = true
			j.Findings = append(j.Findings, notRemoved(ev, tl, acked, at))
		}
	}
}

// removedAt returns the path by which the operation that withdrew a value removes it. It returns
// nil if the operation does not, was not answered with success, or used a release without the
// path. An apply only gives up what it owned, and one related path restores the other.
func removedAt(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) fieldpath.Path {
	act, step := ev.Acts[acked.Withdrawn], ev.Steps[acked.Withdrawn].Step
	if acked.Withdrawn == 0 || step.Change == nil || !act.Exchange.Succeeded() || ev.LacksObject(act) || !ev.Declares(act.Role, tl, acked.Leaf.Path) {
		return nil
	}
	w := blame.Write{Ev: ev, Timeline: tl, Acked: acked, Act: act, Step: step}
	patches := step.Verb.Modifies() && !step.Verb.Whole() && !step.Verb.GivesUpUnsent()
	_, sent := acked.FoundIn(ev.SentLeaves(tl, act))
	_, offered := acked.FoundIn(trace.Offers(ev.Trace, tl, act, step))
	names := trace.NamedPaths(tl.Manifest.Kind, step)
	i := slices.IndexFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, acked.Leaf.Path) })
	switch {
	case i < 0, offered, !w.Reaches(), trace.OtherVersion(tl, step), leavesRelated(ev, names, acked.Leaf.Path):
		return nil
	case step.Verb.Whole() && !sent, patches && !sent && w.Cut() != blame.Untouched:
		return names[i]
	}
	return nil
}

// leavesRelated reports whether a path is in a group of related paths that the operation does not
// name completely.
func leavesRelated(ev *trace.Evidence, names []fieldpath.Path, p fieldpath.Path) bool {
	return slices.ContainsFunc(ev.Related, func(group []fieldpath.Path) bool {
		return trace.IsAbout(group, p) && slices.ContainsFunc(group, func(member fieldpath.Path) bool { return !trace.IsAbout(names, member) })
	})
}

// showsStill reports whether the answer to the operation that withdrew a value shows it
// unchanged.
func showsStill(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) bool {
	leaf, shown := acked.FoundIn(ev.LeavesOf(tl, ev.Acts[acked.Withdrawn].Exchange.Answer))
	return shown && leaf.Semantic == acked.Leaf.Semantic
}

// refills determines whether the release fills a value in where a client sends none, so that a
// default replaces what is removed. A dry-run create without the value shows it; values of the
// status have no defaults.
func refills(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) trace.Presence {
	role := ev.Acts[acked.Withdrawn].Role
	if ev.IsPublishedDefault(tl, role, acked.Leaf) || trace.FillsIn(ev, tl, role, acked) {
		return trace.Present
	}
	bare, asked := ev.Calls.Comparisons[acked.Withdrawn]
	switch {
	case trace.WritesStatus(ev.Steps[acked.Withdrawn].Step):
		return trace.Absent
	case !asked: // the history is of a version that did not send it
		return trace.Present
	case bare.Exchange.Succeeded():
		if leaf, shown := acked.FoundIn(ev.LeavesOf(tl, bare.Exchange.Answer)); shown && leaf.Semantic == acked.Leaf.Semantic {
			return trace.Present
		}
		return trace.Absent
	case slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity}, bare.Exchange.Code):
		return trace.Absent // a default would have made the object as valid as the value did
	}
	return trace.Indeterminate
}

func notRemoved(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, at fieldpath.Path) result.Finding {
	act := ev.Acts[acked.Withdrawn]
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, acked.Withdrawn)
	f.Path, f.Outcome, f.AcknowledgedStep = path.String(at), term.Dropped, acked.Offered
	f.Before = blame.Redacted(ev, tl, f.Path, offeredValue(ev, tl, acked, at))
	if v, shown := path.Get(ev.History.Object(act.Exchange.Answer), at); shown {
		f.After = blame.Redacted(ev, tl, f.Path, v)
	}
	f.Class, f.Rule = term.Violation, term.Rule2
	if ev.IsChange(tl, acked.Leaf.Path) {
		f.Rule = term.Rule4
	}
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), was removed in step %d (%s: %s), which was answered %d, and the answer still shows %s; no default fills it in; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), acked.Offered, servedBy(ev, acked.Offered), f.Step, f.Stage, blame.StepText(ev, f.Step), act.Exchange.Code, schema.Text(f.After), f.Class, f.Rule)
	return f
}
