package oracle

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server whose feature gate is off must take no new value of the field, by whichever call
// it comes: a create, a PUT, a patch, an apply, the status or another subresource, or another
// API version. Create and update often share the code that clears the field, and the write of
// a subresource has code of its own.

// acceptedWhileOff reports the values that a copy's writes brought in through a release whose
// gates for them are off. Its facts are the values behind such gates that were sent.
func (e *evidence) acceptedWhileOff(l *life, j *judged) {
	for _, number := range l.acts {
		act, step := e.acts[number], e.steps[number].step
		offers := step.Verb.Writes() && !step.Verb.Deletes() && !step.Adoption() && step.Verb != term.Post && !ofScale(step)
		if !offers || !act.Exchange.Succeeded() || !e.history.HasObject(act.Exchange.Answer) {
			continue
		}
		said := map[string]bool{}
		offered := e.offers(l, act, step)
		for _, name := range slices.Sorted(maps.Keys(offered)) {
			leaf := offered[name]
			at, off := e.behindOff(l, act.Role, step, leaf)
			if len(off) == 0 {
				continue
			}
			j.facts++
			shown, ok := e.leavesOf(l, act.Exchange.Answer)[name]
			if !ok || shown.Semantic != leaf.Semantic || isZero(leaf) || said[path.String(at)] || e.inUse(l, act, off) {
				continue
			}
			said[path.String(at)] = true
			j.findings = append(j.findings, e.acceptedFinding(l, act, at, offered, off))
		}
	}
}

// kindOf is the kind as a release publishes it in the version that a step goes through.
func (e *evidence) kindOf(l *life, role term.Role, step plan.Step) schema.Kind {
	kind, _ := e.schemas[role].Kind(versionOf(l, step), l.manifest.Kind)
	return kind
}

// guardsOf are the gates that a value is behind, in its place and as the value that it is.
func guardsOf(kind schema.Kind, leaf schema.Leaf) []schema.Guard {
	return slices.Concat(kind.Guards(leaf.Path), kind.GuardsOfValue(leaf.Path, leaf.Value))
}

// behindOff is the highest member of a value's path that is behind gates which are all off
// in a release, and these gates: of several that one field has, one that is on may be
// enough. None: nothing names any, or one is on, or they may be gone.
func (e *evidence) behindOff(l *life, role term.Role, step plan.Step, leaf schema.Leaf) (fieldpath.Path, []schema.Guard) {
	kind := e.kindOf(l, role, step)
	on := func(g schema.Guard) bool { return !e.isOff(role, g.Gate) || e.mayBeGone(g.Gate) }
	for i, own := range kind.GuardsAlong(leaf.Path) {
		at := leaf.Path[:i+1]
		if own = e.existing(own, e.mayBeLater(l, role, at)); len(own) > 0 && !slices.ContainsFunc(own, on) {
			return at, own
		}
	}
	own := e.existing(kind.GuardsOfValue(leaf.Path, leaf.Value), e.mayBeLaterValue(l, role, leaf))
	if !slices.ContainsFunc(own, on) {
		return leaf.Path, own
	}
	return nil, nil
}

// inUse reports whether the object held, before a call, a value behind one of the gates: the
// rule keeps what an object has already, and lets it change. Where nothing has shown what the
// call met, that cannot be excluded.
func (e *evidence) inUse(l *life, act history.Operation, off []schema.Guard) bool {
	if e.bears(act) {
		return false
	}
	shown := []string{e.shownBefore(l, act.Step)}
	if v := l.version(act.Exchange.Revision); v != nil && l.previous(v) != nil {
		for _, role := range newestFirst() {
			for _, s := range l.previous(v).views[role] {
				shown = append(shown, s.answer)
			}
		}
	}
	shown = slices.DeleteFunc(shown, func(digest string) bool { return !e.history.HasObject(digest) })
	return len(shown) == 0 || slices.ContainsFunc(shown, func(digest string) bool {
		for _, leaf := range e.leavesOf(l, digest) {
			for _, g := range guardsOf(l.kind, leaf) {
				if slices.ContainsFunc(off, func(o schema.Guard) bool { return o.Gate == g.Gate }) {
					return true
				}
			}
		}
		return false
	})
}

func (e *evidence) acceptedFinding(l *life, act history.Operation, at fieldpath.Path, offered schema.Leaves, off []schema.Guard) result.Finding {
	f := e.finding(l, term.NothingLost, act.Step)
	f.Path, f.State, f.Class, f.Rule, f.AcknowledgedStep = path.String(at), term.Accepted, term.Violation, term.Lifecycle, act.Step
	shown, ok := path.Get(e.history.Object(act.Exchange.Answer), at)
	if leaf, is := offered[f.Path]; is && !ok {
		shown = leaf.Value
	}
	f.After = e.shown(l, f.Path, shown)
	f.Message = fmt.Sprintf("%s %s: %s = %s, sent in step %d (%s: %s), was answered %d and accepted, though the object had no such value and %s; %s under %s: %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.After), f.Step, f.Stage, e.made(f.Step), act.Exchange.Code, offWords(off, e.history.Releases[act.Role].Version),
		f.Class, f.Rule, term.Rules().Meaning(f.Rule))
	return f
}
