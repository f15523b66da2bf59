package checks

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// NothingLost judges that every acknowledged value stays, in every later stored version, until an
// operation names its path. Its facts are the answers that could show an acknowledged value.
func NothingLost(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	equal := trace.GroupsOf(ev.History.Header.Plan.Equal)
	for _, tl := range ev.Timelines {
		holes(ev, tl, &j)
		judgeEqual(ev, tl, equal, &j)
		acceptedWhileOff(ev, tl, &j)
		told := blame.Collector{J: &j, Said: map[string]bool{}}
		for _, acked := range tl.AckedValues {
			if acked.Unread {
				j.Indeterminate, j.Reason = j.Indeterminate+1, trace.BodyUnread
				continue
			}
			if !acked.Acknowledged {
				notAccepted(ev, tl, acked, &j, told.Said)
				continue
			}
			if !ours(acked) {
				j.Facts += lookedFor(ev, tl, acked)
			}
			removalKept(ev, tl, acked, &j, told.Said)
			if acked.Indeterminate {
				j.Indeterminate++
			}
			for _, lost := range acked.Losses {
				if byConversion(ev, tl, acked, lost) {
					continue // rule-4 reports it
				}
				for _, f := range lossFindings(ev, tl, acked, lost) {
					told.Add(f, lost.Version)
				}
			}
			for _, w := range acked.Withheld {
				told.Add(withheldFinding(ev, tl, acked, w), w.Version)
			}
			for _, m := range findMistaken(ev, tl, acked) {
				told.Add(mistakenFinding(ev, tl, acked, m), m.version)
			}
		}
	}
	return j
}

// ours reports whether a value is the label that skewsim itself writes. It is judged, but its
// survival is no evidence about users' data.
func ours(acked *trace.AckedValue) bool {
	at := acked.Leaf.Path
	return len(at) > 0 && at[len(at)-1].FieldName != nil && *at[len(at)-1].FieldName == plan.TouchLabel
}

// holes counts the versions that are in answers but not in the store's record, and the writes
// whose answers are lost.
func holes(ev *trace.Evidence, tl *trace.Timeline, j *blame.Judged) {
	for _, step := range tl.Acts {
		if x := ev.Acts[step].Exchange; ev.Steps[step].Step.Verb.Writes() && x.Succeeded() && ev.LacksBody(x) {
			j.Indeterminate, j.Reason = j.Indeterminate+1, trace.BodyMissing
		}
	}
	for _, v := range tl.Versions {
		if v.Unrecorded {
			j.Indeterminate++
			j.Reason = fmt.Sprintf("the record of the store lacks revision %d, which an answer about %s carries",
				v.Change.Revision, tl.Copy.Name)
		}
	}
}

// lookedFor counts the answers after an acknowledged value's acknowledgement that could show it.
// The acknowledgement itself does not count.
func lookedFor(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) int {
	facts := 0
	for _, obs := range tl.Observations {
		own := obs.Step == acked.Offered && (obs.Purpose == history.Act || obs.Purpose == history.Read)
		if obs.ShowsObject() && obs.Step >= acked.Offered && !own && (acked.Withdrawn == 0 || obs.Step < acked.Withdrawn) {
			facts++
		}
	}
	return facts
}

// lossFindings returns the findings about one loss. A value that a default replaced was lost, if
// that is known, and then changed.
func lossFindings(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) []result.Finding {
	f := lossFinding(ev, tl, acked, lost)
	if f.Cause != term.Defaulted {
		return []result.Finding{f}
	}
	gone := lost
	gone.Outcome = term.Lost
	if first := lossFinding(ev, tl, acked, gone); first.Cause != term.Unattributed {
		return []result.Finding{first, f}
	}
	return []result.Finding{f}
}

func lossFinding(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) result.Finding {
	if o, moved := reordered(ev, tl, acked, lost); moved {
		return orderFinding(ev, tl, acked, lost, o)
	}
	at := acked.Leaf.Path
	if lost.Outcome == term.Lost && lost.After.Path == nil && lost.Shown != "" {
		at = topmostGone(ev, tl, at, ev.LeavesOf(tl, lost.Shown))
	}
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, lost.Version.Step)
	f.Path, f.Outcome = path.String(at), lost.Outcome
	beside := writtenBy(ev, tl, acked, lost, at, &f)
	f.Before = blame.Redacted(ev, tl, f.Path, offeredValue(ev, tl, acked, at))
	if lost.Outcome == term.Changed {
		f.After = blame.Redacted(ev, tl, f.Path, lost.After.Value)
	}
	f.AcknowledgedStep = acked.Offered
	before, after := trace.BodiesAround(tl, lost.Version)
	blame.AddOwners(ev, &f, before, after)
	f.Message = lossMessage(ev, tl, f, lost)
	if beside != nil {
		f.Message += fmt.Sprintf(": it carried %s, which is related, as it was", path.String(beside))
	}
	return f
}

// writtenBy sets the cause, the class and the rule of a loss at a path. Later statements are more
// specific and replace earlier ones. It returns the related path that was carried back, if that
// makes the loss a violation.
func writtenBy(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss, at fieldpath.Path, f *result.Finding) (beside fieldpath.Path) {
	if f.Cause = blame.CauseAt(ev, tl, acked, lost.Version); f.Cause == term.Converted && doneAnyway(ev, tl, acked, lost) {
		f.Cause = term.Unattributed
	}
	if lost.Outcome == term.Changed && (defaulted(ev, tl, acked, lost) || f.Cause == term.UnknownField && filledIn(ev, tl, acked, lost)) {
		f.Cause = term.Defaulted
	}
	f.Class, f.Rule = classOfLoss(ev, tl, at, f.Cause)
	if f.Cause == term.UnknownField && lost.Outcome == term.Lost && leavesEmptyUnion(ev, tl, at, lost.Shown) {
		f.Cause = term.UnionEmptied
	}
	switch f.Cause {
	case term.GateDisabled: // the object already had the value, so it must stay
		f.Class, f.Rule = term.Violation, term.RuleLifecycle
	case term.BadEncoding:
		f.Class, f.Rule = term.Violation, term.RuleStorage
	case term.ClientOmitted:
		if role, _ := f.Client.Role(); role == term.Older { // neither release of the pair is at fault
			f.Class, f.Rule = term.Impact, term.Rule5
		}
	}
	if beside = blame.KeptBeside(ev, tl, acked, lost, f.Cause); beside != nil {
		f.Class, f.Rule = term.Violation, term.Rule5
	}
	return beside
}

// leavesEmptyUnion reports whether the parent of a value that is gone is published as a union and
// stored as an empty object.
func leavesEmptyUnion(ev *trace.Evidence, tl *trace.Timeline, gone fieldpath.Path, shown string) bool {
	up := gone[:len(gone)-1]
	return len(up) > 1 && shown != "" && tl.Kind.Union(up) && emptied(ev.LeavesOf(tl, shown), up)
}

// topmostGone climbs from a value that is gone to the highest member that is gone with it. It
// stops below a member that other releases publish: the loss of a field of the change is not a
// loss of the object that the change extends.
func topmostGone(ev *trace.Evidence, tl *trace.Timeline, p fieldpath.Path, after schema.Leaves) fieldpath.Path {
	for after != nil && len(p) > 1 {
		up := p[:len(p)-1]
		if trace.HasBelow(after, up) || publishers(ev, tl, up) != publishers(ev, tl, p) {
			break
		}
		p = up
	}
	return p
}

// publishers returns which releases publish the path's field.
func publishers(ev *trace.Evidence, tl *trace.Timeline, p fieldpath.Path) (who [2]bool) {
	for i, role := range trace.NewestFirst() {
		who[i] = ev.Declares(role, tl, p)
	}
	return who
}

// offeredValue returns what the acknowledged request held at the path.
func offeredValue(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, at fieldpath.Path) any {
	if len(at) == len(acked.Leaf.Path) {
		return acked.Leaf.Value
	}
	if v, ok := path.Get(ev.History.Object(ev.Acts[acked.Offered].Exchange.Sent), at); ok {
		return v
	}
	return acked.Leaf.Value
}

func lossMessage(ev *trace.Evidence, tl *trace.Timeline, f result.Finding, lost trace.Loss) string {
	became := "was lost"
	if f.Outcome == term.Changed {
		became = "became " + schema.Text(f.After)
	}
	when := when(ev, tl, f, lost)
	return fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), %s %s: %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.AcknowledgedStep, servedBy(ev, f.AcknowledgedStep), became,
		when, blame.WriterText(ev, tl, f, lost.Version), f.Cause, blame.CauseText(ev, f), f.Class, f.Rule)
}

// when says in which step a value was lost, or between which.
func when(ev *trace.Evidence, tl *trace.Timeline, f result.Finding, lost trace.Loss) string {
	if f.Step == 0 {
		return span(ev, tl, lost.Version)
	}
	return fmt.Sprintf("in step %d (%s)", f.Step, f.Stage)
}

// span says between which steps a version was written that no step wrote.
func span(ev *trace.Evidence, tl *trace.Timeline, v *trace.StoredVersion) string {
	after, before := tl.Between(v)
	text := fmt.Sprintf("after step %d (%s)", after, ev.Steps[after].Stage)
	switch {
	case before == 0:
		return text
	case before <= after:
		return fmt.Sprintf("while step %d (%s) was played", before, ev.Steps[before].Stage)
	}
	return text + fmt.Sprintf(" and before step %d (%s)", before, ev.Steps[before].Stage)
}

// servedBy returns the version of the server that answered a step.
func servedBy(ev *trace.Evidence, step int) string {
	if act, ok := ev.Acts[step]; ok {
		return ev.History.Releases[act.Role].Version
	}
	return "unknown"
}
