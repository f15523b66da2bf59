package oracle

import (
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// What must be made of a refusal depends on what the call asks for, and on nothing else:
// not on the stage, the client, or the cause. A call that itself sends a value of the
// change may be refused by a server without the change. One that leaves the value as it
// is must not be. docs/checks.md states the rule.

// refusedForm is the expectation where a server refuses a call that itself sends a value
// which the server lacks: because its release has no place for it, or does not take it
// (rule-3), or because a gate is off there (lifecycle). False: the call is about something
// else, or the server objects to something else.
func (e *evidence) refusedForm(l *life, act history.Operation) (class term.Class, rule term.Rule, gates []schema.Guard, is bool) {
	if act.Purpose != history.Act || !isInvalid(act.Exchange) || !e.calls.usesIn(l, act.Step) {
		return "", "", nil, false
	}
	gated, lacking, only := false, false, e.onlyGatesDiffer()
	for _, leaf := range e.objectedTo(l, act, e.offeredForm(l, act)) {
		off := append(e.gatesOff(l, act.Role, leaf.Path), e.valueGatesOff(l, act.Role, leaf)...)
		gates = append(gates, off...)
		switch {
		case len(off) > 0:
			gated = true
		case e.without(act.Role) && e.lacksForm(l, act, leaf):
			gated, lacking = gated || only, lacking || !only
		case e.clears(l, act.Role, leaf):
			gated = true
		case e.without(act.Role) && e.treatedAlone(l, leaf):
			gated, lacking = gated || only, lacking || !only
		}
	}
	switch {
	case lacking:
		return term.Impact, term.Rule3, nil, true
	case gated:
		return term.Impact, term.Lifecycle, gates, true
	}
	return "", "", nil, false
}

// isInvalid reports whether an answer refuses what was sent: 422, or 400 of a server that
// was asked to be strict.
func isInvalid(x history.Exchange) bool {
	return x.Code == http.StatusUnprocessableEntity || x.Code == http.StatusBadRequest
}

// lacksForm reports whether a value is one that the server's release does not have: its
// field, or the value, as the release lists them, or as the server says.
func (e *evidence) lacksForm(l *life, act history.Operation, leaf schema.Leaf) bool {
	if !e.declares(act.Role, l, leaf.Path) || !e.takes(l, act.Role, leaf) {
		return true
	}
	return slices.ContainsFunc(e.fieldsNamed(act.Exchange), func(o objection) bool {
		return o.reason == notSupported && e.isAbout(l, act, o, leaf)
	})
}

// asRefused gives a finding about a refused call the class and the rule of refusedForm,
// where that applies, with the gates that are off.
func (e *evidence) asRefused(l *life, act history.Operation, f *result.Finding) {
	class, rule, gates, is := e.refusedForm(l, act)
	if !is || f.State != term.Refused {
		return
	}
	f.Class, f.Rule, f.Gates = class, rule, gatesOf(gates)
}

// onlyGatesDiffer reports whether both releases are of one version, so that the change is
// what gates switch.
func (e *evidence) onlyGatesDiffer() bool {
	old, new := e.history.Releases[term.Old], e.history.Releases[term.New]
	return old.Version == new.Version && (e.gatesDiffer(term.Old) || e.gatesDiffer(term.New))
}

// offeredForm are the values that a call itself sends: the whole body where the call
// creates or applies, and else what its change names. What a client carries back of what
// it was shown does not count.
func (e *evidence) offeredForm(l *life, act history.Operation) []schema.Leaf {
	step := e.steps[act.Step].step
	names := named(l.manifest.Kind, step)
	whole := born(step) || step.Verb == term.Apply || step.Verb == term.ClientSideApply
	sent, told := e.about(l, act)
	if !told { // nothing but the places is known
		for _, p := range names {
			sent = append(sent, schema.Leaf{Path: p})
		}
	}
	return slices.DeleteFunc(sent, func(leaf schema.Leaf) bool {
		isNamed := slices.ContainsFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, leaf.Path) })
		return told && (leaf.Semantic == schema.Empty || leaf.Value == nil) || !whole && !isNamed
	})
}

// objectedTo are those of the values that a refusal is about: in a place that the server
// names, or all where it names none.
func (e *evidence) objectedTo(l *life, act history.Operation, leaves []schema.Leaf) []schema.Leaf {
	fields := e.fieldsNamed(act.Exchange)
	if len(fields) == 0 {
		return leaves
	}
	return slices.DeleteFunc(slices.Clone(leaves), func(leaf schema.Leaf) bool {
		return !slices.ContainsFunc(fields, func(o objection) bool { return e.isAbout(l, act, o, leaf) })
	})
}

// isAbout reports whether an objection names the place of a value, or one above or below.
func (e *evidence) isAbout(l *life, act history.Operation, o objection, leaf schema.Leaf) bool {
	for _, object := range e.objectsMeant(l, act) {
		at, _, found := l.kind.Named(object, o.name)
		if found && (path.Contains(at, leaf.Path) || path.Contains(leaf.Path, at)) {
			return true
		}
	}
	return false
}
