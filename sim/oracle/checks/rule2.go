package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Rule2 judges that calls which do not use the change have the same effect as before the upgrade.
// Its facts are the successes of rule-1's calls whose effect is known, each compared with its
// reference; creations, compared with those of equal bodies; and stored versions, as each release
// serves them.
func (r Readings) Rule2(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	references := map[int][]int{}     // by step: the calls that it was compared with
	for _, tl := range ev.Timelines { // copy by copy: what a call left is what the next one found
		for _, number := range tl.Acts {
			at := ev.Steps[number]
			if at.Step.CreatesCopy() || at.Step.Verb.Deletes() || !ev.Acts[number].Done() {
				continue
			}
			if before := trace.Rule1Reference(ev, tl, at); before > 0 && showsOwn(ev, tl, number) {
				references[number] = []int{before}
				judgeEffect(ev, tl, number, before, &j)
			}
		}
	}
	for _, b := range laterCreates(ev) {
		references[b.number] = b.before
	}
	judgeCreates(ev, &j)
	judgeReadings(ev, r, &j)
	judgeGenerations(ev, &j)
	judgeRelaxed(ev, &j)
	j.Findings = slices.DeleteFunc(j.Findings, func(f result.Finding) bool { return isOfConversion(ev, f, references[f.Step]) })
	return j
}

// isOfConversion reports whether a finding is about an annotation of a custom resource that was never stored: a
// conversion makes it of what a version lacks, for its own way back, and takes it out of what a client sends back. What it
// holds is judged in the fields that it is of. An annotation that the copy of a reference was stored with is an ordinary
// value.
func isOfConversion(ev *trace.Evidence, f result.Finding, references []int) bool {
	tl := ev.ByCopy[f.Copy]
	if tl == nil || !strings.HasPrefix(f.Path, ".metadata.annotations[") || !ev.IsCustom(tl, f.Via) {
		return false
	}
	name := trace.NeutralText(ev, tl, f.Step, f.Path)
	return !slices.ContainsFunc(append([]int{f.Step}, references...), func(number int) bool {
		of := ev.ByCopy[ev.Steps[number].Step.Copy]
		if number == f.Step {
			of = tl
		}
		return of == nil || mayStore(ev, of, number, name)
	})
}

// mayStore reports whether a copy was ever stored with a value, or whether that is not known.
func mayStore(ev *trace.Evidence, tl *trace.Timeline, number int, name string) bool {
	return len(tl.Versions) == 0 || slices.ContainsFunc(tl.Versions, func(v trace.StoredVersion) bool {
		return !v.Change.Deleted && len(ev.LeavesOf(tl, v.Change.Value)) == 0 || hasNamed(ev, tl, number, v.Change.Value, name)
	})
}

// hasNamed reports whether a body has a value under a name that is neutral for a call on the copy.
func hasNamed(ev *trace.Evidence, tl *trace.Timeline, number int, body, name string) bool {
	for at := range ev.LeavesOf(tl, body) {
		if trace.NeutralText(ev, tl, number, at) == name {
			return true
		}
	}
	return false
}

// Rule2Applies reports whether some of the steps are calls that can be compared, or whether the
// run shows another fact that the check judges.
func (r Readings) Rule2Applies(ev *trace.Evidence, steps []int) bool {
	return trace.FromOld(ev.Trace) &&
		(trace.Repeats(ev, steps, showsEffect) || len(laterCreates(ev)) > 0 || r.Compared > 0 || standsStill(ev))
}

// showsEffect reports whether a call of the verb shows its effect on a copy. The guarantee does
// not cover deletes, and a LIST has no effect.
func showsEffect(v term.Verb) bool { return !v.Deletes() && !v.Lists() }

// showsOwn reports whether the call's release can show its effect in the copy's own version: a
// release that does not serve that version cannot, and a GET in another version showed the object
// in that one.
func showsOwn(ev *trace.Evidence, tl *trace.Timeline, number int) bool {
	role, step := ev.Acts[number].Role, ev.Steps[number].Step
	return !trace.OtherVersion(tl, step) || step.Verb.Writes() && ev.MayServe(role, tl.Manifest.APIVersion)
}

// noEffect is the reason why a call's effect is indeterminate.
const noEffect = "the release that was called has not shown the object both before the call and after it"

func judgeEffect(ev *trace.Evidence, tl *trace.Timeline, number, before int, j *blame.Judged) {
	reference, step := ev.ByCopy[ev.Steps[before].Step.Copy], ev.Steps[number].Step
	depends := tl.Copy.Order > 0 || step.Follows || step.Verb.Applies()
	if depends && !trace.SameBefore(ev, tl, number, reference, before) {
		return // its effect may depend on that
	}
	if step.Verb.Applies() && !trace.SendSame(ev, tl, number, reference, before) {
		return // the effect of an apply is what it sends, and two objects differ
	}
	was, known := trace.EffectOf(ev, reference, before)
	if !known {
		j.Indeterminate, j.Reason = j.Indeterminate+1, noEffect
		return
	}
	is, known := trace.EffectOf(ev, tl, number)
	if !known {
		j.Indeterminate, j.Reason = j.Indeterminate+1, noEffect
		if ev.LacksBody(ev.Acts[number].Exchange) {
			j.Reason = trace.BodyMissing
		}
		return
	}
	j.Facts++
	for _, name := range trace.NamesOf(was, is) {
		one, other := was[name], is[name]
		if one.Meaning == other.Meaning || had(ev, reference, before, name, one) != had(ev, tl, number, name, other) {
			continue // how the call changes an absent value is not known
		}
		if trace.IsDrawn(one, other) && !ev.IsPublishedDefault(tl, ev.Acts[number].Role, other.After) && !agreed(ev, number, before, name, one) {
			continue
		}
		at := cmp.Or(trace.PathText(other.Path), trace.PathText(one.Path))
		j.Findings = append(j.Findings, otherEffect(ev, tl, number, before, at, one, other))
	}
}

// had reports whether a call found a value at a path, whether or not it changed the value.
func had(ev *trace.Evidence, tl *trace.Timeline, number int, name string, t trace.Turn) bool {
	if t.Meaning != "" {
		return t.Had
	}
	return hasNamed(ev, tl, number, trace.ShownBefore(ev, tl, number), name)
}

// agreed reports whether another call of the first stage, on another copy, set the same value as
// the reference, so that servers do not generate it for each object.
func agreed(ev *trace.Evidence, number, before int, name string, due trace.Turn) bool {
	const some = 3 // enough to find one that agrees, and cheap if none does
	tried := 0
	for _, other := range ev.Calls.Alike[ev.Steps[number].Signature] {
		copyOf := ev.Steps[other].Step.Copy
		if copyOf == ev.Steps[before].Step.Copy || tried == some {
			continue
		}
		tried++
		if was, known := trace.EffectOf(ev, ev.ByCopy[copyOf], other); known && trace.IsDrawn(was[name], due) && was[name].Meaning == due.Meaning {
			return true
		}
	}
	return false
}

// otherEffect returns the finding about one value: due is the reference's turn, came is the
// call's.
func otherEffect(ev *trace.Evidence, tl *trace.Timeline, number, before int, at string, due, came trace.Turn) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.Outcome, f.Path = term.Rule2, term.Violation, term.Changed, at
	if came.Had {
		f.Before = blame.Redacted(ev, tl, at, came.Before.Value)
	}
	did := "left " + at + " unchanged"
	switch {
	case came.Has:
		f.After = blame.Redacted(ev, tl, at, came.After.Value)
		did = fmt.Sprintf("set %s = %s", at, schema.Text(f.After))
		sent, sends := ev.LeavesOf(tl, ev.Acts[number].Exchange.Sent)[at]
		switch {
		case trace.IsDefault(ev, tl, number, came):
			f.Cause = term.Defaulted
		case (!sends || sent.Semantic != came.After.Semantic) && isConverted(ev, tl, number, came):
			f.Cause = term.Converted
		}
	case came.Had:
		f.Outcome = ev.OutcomeOfGone(tl, ev.Acts[number].Exchange.Revision, came.Before)
		did = "removed " + at
		if _, sends := ev.LeavesOf(tl, ev.Acts[number].Exchange.Sent)[at]; sends && isConverted(ev, tl, number, came) {
			f.Cause = term.Converted
		}
	}
	blame.AddOwners(ev, &f, trace.ShownBefore(ev, tl, number), trace.ShownAfter(ev, tl, number))
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) %s; the same call %s in %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Step, f.Stage, blame.StepText(ev, f.Step), did, didThen(ev, tl, due), blame.ReferenceText(ev, before),
		f.Cause, blame.CauseText(ev, f), f.Class, f.Rule)
	return f
}

// isConverted reports whether a conversion made what a step stored, and no admission webhook changed the value.
func isConverted(ev *trace.Evidence, tl *trace.Timeline, number int, came trace.Turn) bool {
	if blame.Mutated(ev.Acts[number].Exchange, came.Path) {
		return false
	}
	return blame.Rewrites(tl, number) || blame.StoredConverted(ev, tl, ev.Acts[number].Role, number, ev.Steps[number].Step)
}

func didThen(ev *trace.Evidence, tl *trace.Timeline, due trace.Turn) string {
	switch {
	case due.Has:
		return "set it to " + schema.Text(blame.Redacted(ev, tl, trace.PathText(due.Path), due.After.Value))
	case due.Had:
		return "removed it"
	}
	return "left it unchanged"
}
