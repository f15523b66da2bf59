package agreement

import (
	"cmp"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/checks/losses"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Rule2 judges that calls which do not use the change do what they did before
// the upgrade. Its facts are the successes of rule-1's calls whose effect can
// be told, each held against its reference; births, held against those of equal
// bodies; and stored versions, as each release serves them.
func Rule2(tr *trace.Trace) finding.Judged {
	var j finding.Judged
	for _, number := range tr.Calls.Steps {
		at := tr.Steps[number]
		tl := tr.Calls.Lives[at.Step.Copy]
		if tl == nil || evidence.Born(at.Step) || at.Step.Verb.Deletes() || !tr.Acts[number].Done() {
			continue
		}
		if before := evidence.Rule1Reference(tr, tl, at); before > 0 && showsOwn(tr, tl, number) {
			judgeEffect(tr, tl, number, before, &j)
		}
	}
	judgeBirths(tr, &j)
	judgeReadings(tr, &j)
	judgeGenerations(tr, &j)
	judgeRelaxed(tr, &j)
	return j
}

// ShowsEffect tells whether a call of the verb shows what it did to a copy. The
// guarantee is not about deletes, and a LIST does nothing.
func ShowsEffect(v term.Verb) bool { return !v.Deletes() && v != term.ListAll }

// showsOwn tells whether the call's release can show what it did, in the copy's
// own version: one that does not serve that never shows it, and a GET in another
// version has shown it in that one.
func showsOwn(tr *trace.Trace, tl *trace.Timeline, number int) bool {
	role, step := tr.Acts[number].Role, tr.Steps[number].Step
	return !trace.OtherVersion(tl, step) || step.Verb != term.Get && tr.MayServe(role, tl.Manifest.APIVersion)
}

// noEffect is the reason for what nothing tells of a call's effect.
const noEffect = "the release that was called has not shown the object both before the call and after it"

func judgeEffect(tr *trace.Trace, tl *trace.Timeline, number, before int, j *finding.Judged) {
	reference := tr.Calls.Lives[tr.Steps[before].Step.Copy]
	if (tl.Copy.Order > 0 || tr.Steps[number].Step.Follows) && !evidence.SameBefore(tr, tl, number, reference, before) {
		return // what it does may depend on that
	}
	was, known := evidence.EffectOf(tr, reference, before)
	if !known {
		j.Untold, j.Reason = j.Untold+1, noEffect
		return
	}
	is, known := evidence.EffectOf(tr, tl, number)
	if !known {
		j.Untold, j.Reason = j.Untold+1, noEffect
		if tr.Lacks(tr.Acts[number].Exchange) {
			j.Reason = trace.LackedBody
		}
		return
	}
	j.Facts++
	for _, name := range evidence.EitherOf(was, is) {
		one, other := was[name], is[name]
		if one.Meaning == other.Meaning || had(tr, reference, before, name, one) != had(tr, tl, number, name, other) {
			continue // of a value that was not there, nothing tells what the call would do to it
		}
		if evidence.Drawn(one, other) && !evidence.IsPublishedDefault(tr, tl, tr.Acts[number].Role, other.After) && !agreed(tr, number, before, name, one) {
			continue
		}
		if at := cmp.Or(trace.Text(other.Path), trace.Text(one.Path)); !evidence.IsTold(tr.Calls, tl, trace.Parsed(at)) {
			j.Findings = append(j.Findings, otherEffect(tr, tl, number, before, at, one, other))
		}
	}
}

// had tells whether a call found a value at a place, whether it changed it or not.
func had(tr *trace.Trace, tl *trace.Timeline, number int, name string, t trace.Turn) bool {
	if t.Meaning != "" {
		return t.Had
	}
	for at := range tr.LeavesOf(tl, evidence.ShownBefore(tr, tl, number)) {
		if evidence.NeutralText(tr, tl, number, at) == name {
			return true
		}
	}
	return false
}

// agreed tells whether another call of the first stage, on another copy, gave
// the very value that the reference did: it is none that is drawn anew.
func agreed(tr *trace.Trace, number, before int, name string, due trace.Turn) bool {
	const some = 3 // enough to find one that agrees, and cheap where none does
	tried := 0
	for _, other := range tr.Calls.Alike[tr.Steps[number].Sign] {
		copyOf := tr.Steps[other].Step.Copy
		if copyOf == tr.Steps[before].Step.Copy || tried == some {
			continue
		}
		tried++
		if was, known := evidence.EffectOf(tr, tr.Calls.Lives[copyOf], other); known && evidence.Drawn(was[name], due) && was[name].Meaning == due.Meaning {
			return true
		}
	}
	return false
}

// otherEffect is the finding about one value: what was due is the reference's
// turn, what came is the call's.
func otherEffect(tr *trace.Trace, tl *trace.Timeline, number, before int, at string, due, came trace.Turn) result.Finding {
	f := finding.Finding(tr, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Changed, at
	if came.Had {
		f.Before = finding.Shown(tr, tl, at, came.Before.Value)
	}
	did := "left " + at + " as it was"
	switch {
	case came.Has:
		f.After = finding.Shown(tr, tl, at, came.After.Value)
		did = fmt.Sprintf("made %s = %s", at, schema.Text(f.After))
		if evidence.IsDefault(tr, tl, number, came) {
			f.Cause = term.Defaulted
		}
	case came.Had:
		f.State = tr.StateOfGone(tl, tr.Acts[number].Exchange.Revision, came.Before)
		did = "took " + at + " away"
	}
	finding.CloseBooks(tr, &f, evidence.ShownBefore(tr, tl, number), evidence.ShownAfter(tr, tl, number))
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) %s; the same call %s in %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Step, f.Stage, finding.Made(tr, f.Step), did, didThen(tr, tl, due), finding.Referred(tr, before),
		f.Cause, losses.Why(tr, f), f.Class, f.Rule)
	return f
}

func didThen(tr *trace.Trace, tl *trace.Timeline, due trace.Turn) string {
	switch {
	case due.Has:
		return "made it " + schema.Text(finding.Shown(tr, tl, trace.Text(due.Path), due.After.Value))
	case due.Had:
		return "took it away"
	}
	return "left it as it was"
}
