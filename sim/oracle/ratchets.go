package oracle

import (
	"maps"
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server that asks more of a value than the one that stored it should ask it of new
// values alone: validation is said to ratchet. Where it does not, an object that is
// there can no longer be written, whatever the write is about.

// whyHeld is why a server objects to fields of an object: to a value that is none of
// those it takes, whoever sends it; else to what it found stored, and what the call
// left as it was. Where the call changes something else of the spec, that may be at
// fault, unless the server refused a try for the same field, which changes nothing.
func (e *evidence) whyHeld(l *life, op history.Operation, fields []objection) term.Cause {
	if e.notListed(l, op, fields) {
		return term.UnknownValue
	}
	met := e.objectMet(l, op)
	if met == nil || len(fields) == 0 || born(e.steps[op.Step].step) {
		return term.Unattributed
	}
	alone := e.leavesSpec(l, op)
	for _, field := range fields {
		if !e.leaves(l, op, met, field.name) || !alone && !e.triedInVain(l, op, field) {
			return term.Unattributed
		}
	}
	return term.NotRatcheted
}

// notListed reports whether a server refuses a value that is not one of those it takes:
// it says so, or shows a value that its release does not list for the field, or lists
// behind a gate that is off.
func (e *evidence) notListed(l *life, op history.Operation, fields []objection) bool {
	for _, field := range fields {
		if field.reason == notSupported {
			return true
		}
		if field.reason != invalidValue {
			continue
		}
		for _, object := range e.objectsMeant(l, op) {
			_, leaves, _ := l.kind.Named(object, field.name)
			for _, leaf := range leaves {
				if field.shows(leaf.Value) && !e.takes(l, op.Role, leaf) {
					return true
				}
			}
		}
	}
	return false
}

// takes reports whether a release takes a value, as far as what it publishes and its
// source tell: it is listed where the field has a list, and its gate is not off.
func (e *evidence) takes(l *life, role term.Role, leaf schema.Leaf) bool {
	kind, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	listed, isIn := kind.ListsValue(leaf.Path, leaf.Value)
	return (!listed || isIn) && len(e.valueGatesOff(l, role, leaf)) == 0
}

// triedInVain tells whether the call's release refused a try on the very copy as well,
// or on one that is like it, and named the same field.
func (e *evidence) triedInVain(l *life, op history.Operation, field objection) bool {
	return slices.ContainsFunc(e.calls.tries, func(try history.Operation) bool {
		return try.Role == op.Role && (try.Copy == l.copy.Name || slices.Contains(try.For, l.copy.Name)) &&
			try.Exchange.Code == http.StatusUnprocessableEntity &&
			slices.ContainsFunc(e.fieldsNamed(try.Exchange), func(other objection) bool { return other.name == field.name })
	})
}

// leavesSpec tells whether a call names nothing but what is about the object, its
// status or its scale. Tries do no other.
func (e *evidence) leavesSpec(l *life, op history.Operation) bool {
	step := e.steps[op.Step].step
	switch {
	case op.Purpose == history.Try:
		return true
	case op.Purpose != history.Act || born(step):
		return false
	case ofScale(step):
		return true
	}
	about := []fieldpath.Path{fieldpath.MakePathOrDie("metadata"), statusPath()}
	return !slices.ContainsFunc(named(l.manifest.Kind, step), func(p fieldpath.Path) bool {
		return !slices.ContainsFunc(about, func(whole fieldpath.Path) bool { return path.Contains(whole, p) })
	})
}

// leaves tells whether a call leaves a field as it found it, or as absent: it does not
// name it, and what it sends of it is what was stored.
func (e *evidence) leaves(l *life, op history.Operation, met map[string]any, field string) bool {
	at, was, _ := l.kind.Named(met, field)
	step := e.steps[op.Step].step
	if op.Purpose == history.Try {
		return true
	}
	if slices.ContainsFunc(named(l.manifest.Kind, step), func(p fieldpath.Path) bool {
		return at != nil && (path.Contains(p, at) || path.Contains(at, p))
	}) {
		return false
	}
	_, sent, holds := l.kind.Named(e.history.Object(op.Exchange.Sent), field)
	return !holds && !step.Verb.Whole() ||
		maps.EqualFunc(was, sent, func(a, b schema.Leaf) bool { return a.Semantic == b.Semantic })
}
