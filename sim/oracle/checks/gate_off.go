package checks

import (
	"fmt"
	"maps"
	"slices"

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

// A server whose feature gate is off must take no new value of the field, in any call: a create,
// a PUT, a patch, an apply, the status or another subresource, or another API version. Create and
// update often share the code that clears the field, and the write of a subresource has code of
// its own.

// acceptedWhileOff reports the values that a copy's writes added through a release whose gates
// for them are off. Its facts are the values behind such gates that were sent.
func acceptedWhileOff(ev *trace.Evidence, tl *trace.Timeline, j *blame.Judged) {
	for _, number := range tl.Acts {
		act, step := ev.Acts[number], ev.Steps[number].Step
		offers := step.Verb.Writes() && !step.Verb.Deletes() && !step.Adoption() && !step.Verb.SendsOtherKind() && !trace.WritesScale(step)
		if !offers || !act.Exchange.Succeeded() || !ev.History.HasObject(act.Exchange.Answer) {
			continue
		}
		said := map[string]bool{}
		offered := trace.Offers(ev.Trace, tl, act, step)
		for _, name := range slices.Sorted(maps.Keys(offered)) {
			leaf := offered[name]
			at, off := behindOff(ev, tl, act.Role, step, leaf)
			if len(off) == 0 {
				continue
			}
			j.Facts++
			shown, ok := ev.LeavesOf(tl, act.Exchange.Answer)[name]
			if !ok || shown.Semantic != leaf.Semantic || trace.IsZero(leaf) || said[path.String(at)] || inUse(ev, tl, act, off) {
				continue
			}
			said[path.String(at)] = true
			j.Findings = append(j.Findings, acceptedFinding(ev, tl, act, at, offered, off))
		}
	}
}

// kindOf returns the kind as a release publishes it in the version that a step uses.
func kindOf(ev *trace.Evidence, tl *trace.Timeline, role term.Role, step plan.Step) schema.Kind {
	kind, _ := ev.Schemas[role].Kind(trace.VersionOf(tl, step), tl.Manifest.Kind)
	return kind
}

// guardsOf returns the gates of a value's field, and of the value itself.
func guardsOf(kind schema.Kind, leaf schema.Leaf) []schema.Guard {
	return slices.Concat(kind.Gating().Guards(leaf.Path), kind.Gating().GuardsOfValue(leaf.Path, leaf.Value))
}

// behindOff returns the highest member of a value's path whose gates are all off in a release,
// and these gates: if one field has several, one that is on may be enough. It returns nothing if
// no source names a gate, if one is on, or if the gates may be gone.
func behindOff(ev *trace.Evidence, tl *trace.Timeline, role term.Role, step plan.Step, leaf schema.Leaf) (fieldpath.Path, []schema.Guard) {
	kind := kindOf(ev, tl, role, step)
	on := func(g schema.Guard) bool {
		return !blame.GateIsDisabled(ev, role, g.Gate) || blame.MayBeGone(ev, g.Gate)
	}
	for i, own := range kind.Gating().GuardsAlong(leaf.Path) {
		at := leaf.Path[:i+1]
		if own = blame.KnownGuards(ev, own, func() bool { return blame.MayBeLater(ev, tl, role, at) }); len(own) > 0 && !slices.ContainsFunc(own, on) {
			return at, own
		}
	}
	own := blame.KnownGuards(ev, kind.Gating().GuardsOfValue(leaf.Path, leaf.Value), func() bool { return blame.MayBeLaterValue(ev, tl, role, leaf) })
	if !slices.ContainsFunc(own, on) {
		return leaf.Path, own
	}
	return nil, nil
}

// inUse reports whether the object held, before a call, a value behind one of the gates: the rule
// keeps the value that an object already has, and lets it change. If no answer shows the object
// before the call, inUse is true.
func inUse(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, off []schema.Guard) bool {
	if ev.Creates(act) {
		return false
	}
	shown := []string{trace.ShownBefore(ev, tl, act.Step)}
	if v := tl.Version(act.Exchange.Revision); v != nil && tl.Previous(v) != nil {
		for _, role := range trace.NewestFirst() {
			for _, obs := range tl.Previous(v).Views[role] {
				shown = append(shown, obs.Answer)
			}
		}
	}
	shown = slices.DeleteFunc(shown, func(digest string) bool { return !ev.History.HasObject(digest) })
	return len(shown) == 0 || slices.ContainsFunc(shown, func(digest string) bool {
		for _, leaf := range ev.LeavesOf(tl, digest) {
			for _, g := range guardsOf(tl.Kind, leaf) {
				if slices.ContainsFunc(off, func(o schema.Guard) bool { return o.Gate == g.Gate }) {
					return true
				}
			}
		}
		return false
	})
}

func acceptedFinding(ev *trace.Evidence, tl *trace.Timeline, act history.Operation, at fieldpath.Path, offered schema.Leaves, off []schema.Guard) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, act.Step)
	f.Path, f.Outcome, f.Class, f.Rule, f.AcknowledgedStep = path.String(at), term.Accepted, term.Violation, term.RuleLifecycle, act.Step
	shown, ok := path.Get(ev.History.Object(act.Exchange.Answer), at)
	if leaf, is := offered[f.Path]; is && !ok {
		shown = leaf.Value
	}
	f.After = blame.Redacted(ev, tl, f.Path, shown)
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d and accepted, though the object had no such value and %s; %s under %s: %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.After), f.Step, f.Stage, blame.StepText(ev, f.Step), act.Exchange.Code, blame.GatesOffText(off, ev.History.Releases[act.Role].Version),
		f.Class, f.Rule, term.Rules().Meaning(f.Rule))
	return f
}
