package checks

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// dropped is what an answer shows instead of a value that was sent.
type dropped struct {
	at      fieldpath.Path // the highest member that is gone with the value; else the value's own path
	element bool           // the member is a list element or a map entry, and held the value
	empty   fieldpath.Path // the parent that is empty now; nil: it is not
	shown   *schema.Leaf   // the value that replaced it; nil: none did
}

// notAccepted reports a value that a success does not show: once for everything that is gone with
// it. The check answers reports refusals: the client knows of them.
func notAccepted(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, j *blame.Judged, said map[string]bool) {
	if trace.AsGoodAsAbsent(ev, tl, acked) {
		return
	}
	j.Facts++
	d := droppedWith(ev, tl, acked)
	key := fmt.Sprint("not accepted ", path.String(d.at), " ", acked.Offered)
	if said[key] {
		return
	}
	said[key] = true
	if d.element {
		acked = unknownIn(ev, tl, acked, d.at)
	}
	act := ev.Acts[acked.Offered]
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, acked.Offered)
	f.Path, f.Outcome = path.String(d.at), term.Dropped
	f.Before = blame.Redacted(ev, tl, f.Path, offeredValue(ev, tl, acked, d.at))
	f.Cause = causeNotAccepted(ev, tl, acked, d)
	f.Class, f.Rule = classNotAccepted(ev, tl, acked, f.Cause)
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d %s, and the answer %s; %s: %s%s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.Step, f.Stage, blame.StepText(ev, f.Step), act.Exchange.Code,
		warned(ev, tl, acked), instead(ev, tl, acked, d, &f), f.Cause, blame.CauseText(ev, f), gateOf(ev, tl, acked, f.Cause), f.Class, f.Rule)
	j.Findings = append(j.Findings, f)
}

// droppedWith determines what is gone with a value. An element counts as a whole only if its list
// is known to be kept: otherwise the list may have been dropped.
func droppedWith(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) dropped {
	leaves := ev.LeavesOf(tl, ev.Acts[acked.Offered].Exchange.Answer)
	at := acked.Leaf.Path
	if leaf, shown := acked.FoundIn(leaves); shown {
		return dropped{at: at, shown: &leaf}
	}
	for i := 1; i < len(at)-1; i++ {
		if whole := at[:i+1]; tl.Kind.Member(whole) && !trace.HasBelow(leaves, whole) && keepsOthers(ev, tl, acked, at[:i]) {
			return dropped{at: whole, element: true}
		}
	}
	d := dropped{at: topmostGone(ev, tl, at, leaves)}
	if up := d.at[:len(d.at)-1]; len(up) > 1 && emptied(leaves, up) {
		d.empty = up
	}
	return d
}

// unknownIn returns the first of the values sent in the same element whose field the release does
// not have; else the value itself.
func unknownIn(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, element fieldpath.Path) *trace.AckedValue {
	i := slices.IndexFunc(tl.AckedValues, func(o *trace.AckedValue) bool {
		return o.Offered == acked.Offered && path.Contains(element, o.Leaf.Path) && !ev.Declares(ev.Acts[acked.Offered].Role, tl, o.Leaf.Path)
	})
	if i < 0 {
		return acked
	}
	return tl.AckedValues[i]
}

// keepsOthers reports whether the release that was called has shown that it keeps something in a
// list or a map: in this answer or in another.
func keepsOthers(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, list fieldpath.Path) bool {
	role := ev.Acts[acked.Offered].Role
	if trace.HasBelow(ev.LeavesOf(tl, ev.Acts[acked.Offered].Exchange.Answer), list) {
		return true
	}
	for _, other := range ev.Timelines {
		if other.Manifest.APIVersion != tl.Manifest.APIVersion || other.Manifest.Kind != tl.Manifest.Kind {
			continue
		}
		for _, o := range other.AckedValues {
			if o.Acknowledged && ev.Acts[o.Offered].Role == role && path.Contains(list, o.Leaf.Path) {
				return true
			}
		}
	}
	return false
}

// classNotAccepted distinguishes the expected impact of a server without the change, or with its
// gate off, from the violation of a server that publishes the field, answers with success, and
// silently changed what was sent. A disabled gate clears its own field, and nothing else.
func classNotAccepted(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, why term.Cause) (term.Class, term.Rule) {
	class, _ := blame.ClassOf(ev, tl, acked.Leaf.Path)
	declared := ev.Keeps(ev.Acts[acked.Offered].Role, tl, acked.Leaf)
	switch {
	case why == term.GateDisabled: // as the rule requires
		return term.Impact, term.RuleLifecycle
	case why == term.UnionEmptied && declared:
		return term.Impact, term.RuleLifecycle
	case why == term.ElementGone && blame.ClearedWith(ev, tl, acked.Offered):
		return term.Violation, term.RuleLifecycle
	case blame.Retired(ev, tl, acked.Leaf.Path) && !declared:
		return term.Impact, term.RuleLifecycle
	case !declared:
		return class, term.Rule3
	case trace.IsOfOtherPart(ev, tl, acked) && ev.Acts[acked.Offered].Role == term.Old: // it never takes it
		return term.Impact, term.Rule3
	case ev.IsChange(tl, acked.Leaf.Path): // it does not round trip
		return term.Violation, term.Rule4
	}
	return class, term.Rule2
}

// causeNotAccepted derives why the answer to the write that sent a value does not show it.
func causeNotAccepted(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, d dropped) term.Cause {
	act := ev.Acts[acked.Offered]
	w := blame.Write{Ev: ev, Timeline: tl, Acked: acked, Act: act, Step: ev.Steps[acked.Offered].Step}
	_, typed := act.Client.Role()
	declared := ev.Declares(act.Role, tl, acked.Leaf.Path)
	converted := blame.StoredConverted(ev, tl, act.Role, acked.Offered, w.Step)
	switch {
	case !declared && d.union(tl):
		return term.UnionEmptied
	case !declared && !d.element:
		return blame.CauseNotKept(ev, tl, act.Role)
	case blame.Mutated(act.Exchange, acked.Leaf.Path):
		return term.NotAdmitted
	case trace.OtherVersion(tl, w.Step):
		return term.Converted
	case (w.Step.Verb.Whole() || typed && ev.History.HasObject(act.Exchange.Sent)) && !w.Sends():
		return blame.Unless(!typed, term.ClientOmitted)
	case d.element && !converted:
		return term.ElementGone
	case blame.Clears(ev, tl, act.Role, acked.Leaf):
		if d.union(tl) {
			return term.UnionEmptied
		}
		return term.GateDisabled
	}
	if d.shown != nil && ev.IsPublishedDefault(tl, act.Role, *d.shown) {
		return term.Defaulted
	}
	if converted {
		return term.Converted
	}
	return blame.Unless(!blame.MovedToStatus(ev, tl, acked.Offered, acked.Leaf.Path), term.OtherSubresource)
}

// union reports whether the parent that was left empty is published as a union.
func (d dropped) union(tl *trace.Timeline) bool { return d.empty != nil && tl.Kind.Union(d.empty) }

// gateOf names the gate that is off, if it is the cause, or may be.
func gateOf(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, why term.Cause) string {
	role := ev.Acts[acked.Offered].Role
	gated := why == term.GateDisabled || why == term.UnionEmptied && ev.Declares(role, tl, acked.Leaf.Path)
	switch {
	case gated:
		return fmt.Sprintf(" (%s)", blame.GateText(ev, tl, role, acked.Leaf))
	case why == term.Unattributed:
		return blame.GateGuess(ev, tl, role, acked.Leaf)
	case why == term.ElementGone && blame.Clears(ev, tl, role, acked.Leaf):
		return fmt.Sprintf(", and more than a gate that is off has cleared (%s)", blame.GateText(ev, tl, role, acked.Leaf))
	}
	return ""
}

// warned reports whether the client got a warning.
func warned(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) string {
	warnings := ev.Acts[acked.Offered].Exchange.Warnings
	if len(warnings) == 0 {
		return "without a warning"
	}
	return fmt.Sprintf("with the warning %q", blame.ServerText(ev, tl, warnings[0]))
}

// instead says what the answer shows in the value's place: another value, or how much is gone
// with it.
func instead(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, d dropped, f *result.Finding) string {
	switch {
	case d.shown != nil:
		f.After = blame.Redacted(ev, tl, acked.Name, d.shown.Value)
		return "shows " + schema.Text(f.After)
	case d.element:
		return "does not show it: the whole element is gone"
	case d.empty != nil:
		return fmt.Sprintf("does not show it: it leaves %s empty", path.String(d.empty))
	}
	return "does not show it"
}

// emptied reports whether a value's parent exists and is empty.
func emptied(leaves schema.Leaves, at fieldpath.Path) bool {
	leaf, there := leaves[path.String(at)]
	return there && leaf.Semantic == schema.Empty
}
