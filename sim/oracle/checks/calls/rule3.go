package calls

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// MeetsOld tells whether the plan lets a call that can carry the change go to a
// server without it, and what is published tells that change from the rest.
func MeetsOld(tr *trace.Trace, steps []int) bool {
	change := map[string]bool{} // by manifest
	for _, tl := range tr.ByCopy {
		if _, known := change[tl.Copy.Manifest]; !known {
			change[tl.Copy.Manifest] = slices.ContainsFunc(slices.Collect(maps.Values(trace.LeavesIn(tl.Kind, tl.Manifest.Body))),
				func(leaf schema.Leaf) bool { return evidence.IsChange(tr, tl, leaf.Path) })
		}
	}
	return slices.ContainsFunc(steps, func(number int) bool {
		step := tr.Steps[number].Step
		tl := tr.Calls.Lives[step.Copy]
		if tl == nil || !evidence.UsesIn(tr.Calls, tl, number) || !tr.MayServeKind(term.Old, trace.VersionOf(tl, step), tl.Manifest.Kind) {
			return false
		}
		carries := change[tl.Copy.Manifest] && canCarry(tr, step) && !trace.OtherVersion(tl, step)
		return carries || namesChange(tr, tl, step)
	})
}

// Met tells whether a call did send the change to a server without it, or ended
// one, or had one panic.
func Met(tr *trace.Trace) bool {
	return len(Deaths(tr, term.CheckRule3))+len(panics(tr)) > 0 || slices.ContainsFunc(tr.Calls.Steps, func(number int) bool {
		tl := tr.Calls.Lives[tr.Steps[number].Step.Copy]
		return tl != nil && sendsChange(tr, tl, number)
	})
}

// namesChange tells whether the step's own mutation is one of the change,
// through an old server.
func namesChange(tr *trace.Trace, tl *trace.Timeline, s plan.Step) bool {
	return tr.Without(s.ViaRole) && !evidence.OldClient(s.Client) && !s.Verb.Deletes() &&
		slices.ContainsFunc(evidence.Named(tl.Manifest.Kind, s), func(p fieldpath.Path) bool { return evidence.IsChangeOf(tr, tl, s, p) })
}

// canCarry tells whether a call through an old server can hold what that server
// does not know: what the client makes of the manifest, or of what a new server
// shows it.
func canCarry(tr *trace.Trace, s plan.Step) bool {
	if !tr.Without(s.ViaRole) || evidence.OldClient(s.Client) || !s.Verb.Writes() || s.Part() != "" {
		return false
	}
	return evidence.Born(s) || s.Verb == term.Apply || s.Verb == term.ClientSideApply || s.Verb.Whole() && s.ReadRole == term.New
}

// Rule3 judges that calls which use the change do no harm to a server without
// it, and that none has a server panic. Its facts are those calls. A refusal is no harm, and neither is trouble
// that the release has with any field it does not know: a made-up one tells.
func Rule3(tr *trace.Trace) finding.Judged {
	var j finding.Judged
	for _, number := range tr.Calls.Steps {
		tl := tr.Calls.Lives[tr.Steps[number].Step.Copy]
		if tl != nil && sendsChange(tr, tl, number) {
			judgeRule3(tr, tl, number, &j)
		}
	}
	j.Findings = append(j.Findings, Deaths(tr, term.CheckRule3)...)
	panics := panics(tr)
	j.Facts, j.Findings = j.Facts+len(panics), append(j.Findings, panics...)
	return j
}

func judgeRule3(tr *trace.Trace, tl *trace.Timeline, number int, j *finding.Judged) {
	x := tr.Acts[number].Exchange
	if finding.Interrupted(tr, x) {
		j.Untold++
		return
	}
	if metUnreadable(tr, tl, number) || tr.Panicked(number) {
		return // everything-decodes tells it, or panics
	}
	if !harms(tr, tl, number) {
		j.Facts++
		return
	}
	if Teller(tr, number) != term.CheckRule3 {
		return
	}
	j.Facts++
	f := failedCall(tr, tl, term.CheckRule3, term.Rule3, number)
	f.State, f.Path = term.Failed, path.String(sent(tr, tl, number))
	also := "nothing tells that it fails alike on any field it does not know"
	switch made := tr.Calls.Probes[number]; {
	case alike(tr, number):
		f.State, f.Class = term.Refused, term.Impact
		also = "a made-up field is answered the same"
	case len(made) > 0:
		also = fmt.Sprintf("a made-up field is answered %s", finding.AnswerText(tr, tl.Manifest.Kind, made[len(made)-1].Exchange))
	}
	f.Message = fmt.Sprintf("%s sent %s, which %s does not publish, and was answered %s; %s; %s under %s",
		finding.Called(tr, tl, f), f.Path, f.Release, finding.AnswerText(tr, tl.Manifest.Kind, x), also, f.Class, f.Rule)
	j.Findings = append(j.Findings, f)
}

// metUnreadable tells whether a call failed at an object that its release cannot
// decode, whatever is sent: that it fails alike on a made-up field says nothing
// of fields.
func metUnreadable(tr *trace.Trace, tl *trace.Timeline, number int) bool {
	act := tr.Acts[number]
	return trace.OutcomeOf(act) == trace.CannotRead && !evidence.Born(tr.Steps[number].Step) &&
		(tr.Calls.Unread.Has(act.Role, tr.ValueAt(tl, number)) || blame.UnreadBefore(tr, tl, act) != term.Unattributed)
}

// alike tells whether a made-up field got the same answer from the same release.
func alike(tr *trace.Trace, number int) bool {
	act := tr.Acts[number]
	for _, made := range tr.Calls.Probes[number] {
		if made.Role == act.Role && made.Exchange.Code == act.Exchange.Code && act.Exchange.Code >= 500 {
			return true
		}
	}
	return false
}

// sendsChange tells whether the call sends a value of the change to a server
// whose release has no place for it.
func sendsChange(tr *trace.Trace, tl *trace.Timeline, number int) bool {
	act := tr.Acts[number]
	return act.Purpose == history.Act && tr.Without(act.Role) && evidence.UsesIn(tr.Calls, tl, number) && sent(tr, tl, number) != nil
}

// sent is the topmost member of the change that the call sends; nil: there is none.
func sent(tr *trace.Trace, tl *trace.Timeline, number int) fieldpath.Path {
	step := tr.Steps[number].Step
	for _, p := range evidence.SentPaths(tr, tl, number) {
		if !evidence.IsChangeOf(tr, tl, step, p) {
			continue
		}
		for len(p) > 1 && evidence.IsChangeOf(tr, tl, step, p[:len(p)-1]) {
			p = p[:len(p)-1]
		}
		return p
	}
	return nil
}
