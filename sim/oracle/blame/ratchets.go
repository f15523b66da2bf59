package blame

import (
	"maps"
	"net/http"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server with stricter validation than the server that stored an object should apply it to new
// values only (ratcheting validation). Otherwise an existing object can no longer be written,
// whatever the write changes.

// whyHeld returns why a server objects to fields of an object: to a value that it accepts from
// nobody; else to what is stored, and what the call did not change. If the call changes something
// else of the spec, that may be the reason, unless the server also refused a dry run that changes
// nothing for the same field.
func whyHeld(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, fields []Objection) term.Cause {
	if notListed(ev, tl, op, fields) {
		return term.UnknownValue
	}
	met := objectMet(ev, tl, op)
	if met == nil || len(fields) == 0 || ev.Steps[op.Step].Step.CreatesCopy() || meetsOtherVersion(ev, tl, op) {
		return term.Unattributed
	}
	alone := leavesSpec(ev, tl, op)
	for _, field := range fields {
		if !leaves(ev, tl, op, met, field.Name) || !alone && !triedInVain(ev, tl, op, field) {
			return term.Unattributed
		}
	}
	return term.NotRatcheted
}

// meetsOtherVersion reports whether a call writes an object through another API version than its own, which both releases
// serve: the rules of that version are not new, the object was never held to them.
func meetsOtherVersion(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) bool {
	step := ev.Steps[op.Step].Step
	return op.Purpose == history.Act && trace.OtherVersion(tl, step) &&
		ev.MayServeKind(term.Old, step.APIVersion, tl.Manifest.Kind) && ev.MayServeKind(term.New, step.APIVersion, tl.Manifest.Kind)
}

// notListed reports whether a server refuses a value outside of its list of values: it says so,
// or it shows a value that its release does not list for the field, or lists behind a gate that
// is off.
func notListed(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, fields []Objection) bool {
	for _, field := range fields {
		if field.Reason == NotSupported {
			return true
		}
		if field.Reason != invalidValue {
			continue
		}
		for _, object := range ObjectsMeant(ev, tl, op) {
			_, leaves, _ := tl.Kind.Named(object, field.Name)
			for _, leaf := range leaves {
				if field.Shows(leaf.Value) && !Accepts(ev, tl, op.Role, leaf) {
					return true
				}
			}
		}
	}
	return false
}

// Accepts reports whether a release takes a value, according to what it publishes and its source:
// the value is in the field's list, if there is one, and its gate is not off.
func Accepts(ev *trace.Evidence, tl *trace.Timeline, role term.Role, leaf schema.Leaf) bool {
	kind, _ := ev.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	listed, isIn := kind.ListsValue(leaf.Path, leaf.Value)
	return (!listed || isIn) && len(ValueGatesOff(ev, tl, role, leaf)) == 0
}

// triedInVain reports whether the call's release also refused a dry run on the same copy, or on
// one of the same manifest, and named the same field.
func triedInVain(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, field Objection) bool {
	return slices.ContainsFunc(ev.Calls.Tries, func(try history.Operation) bool {
		return try.Role == op.Role && (try.Copy == tl.Copy.Name || slices.Contains(try.For, tl.Copy.Name)) &&
			try.Exchange.Code == http.StatusUnprocessableEntity &&
			slices.ContainsFunc(FieldsNamed(ev, try.Exchange), func(other Objection) bool { return other.Name == field.Name })
	})
}

// leavesSpec reports whether a call names only metadata, the status or the scale. Dry runs always
// do.
func leavesSpec(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) bool {
	step := ev.Steps[op.Step].Step
	switch {
	case op.Purpose == history.Try:
		return true
	case op.Purpose != history.Act || step.CreatesCopy():
		return false
	case trace.WritesScale(step):
		return true
	}
	about := []fieldpath.Path{fieldpath.MakePathOrDie("metadata"), trace.StatusPath()}
	return !slices.ContainsFunc(trace.NamedPaths(tl.Manifest.Kind, step), func(p fieldpath.Path) bool {
		return !slices.ContainsFunc(about, func(whole fieldpath.Path) bool { return path.Contains(whole, p) })
	})
}

// leaves reports whether a call leaves a field unchanged or absent: it does not name the field,
// and sends what was stored.
func leaves(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, met map[string]any, field string) bool {
	at, was, _ := tl.Kind.Named(met, field)
	step := ev.Steps[op.Step].Step
	if op.Purpose == history.Try {
		return true
	}
	if slices.ContainsFunc(trace.NamedPaths(tl.Manifest.Kind, step), func(p fieldpath.Path) bool {
		return at != nil && (path.Contains(p, at) || path.Contains(at, p))
	}) {
		return false
	}
	_, sent, holds := tl.Kind.Named(ev.History.Object(op.Exchange.Sent), field)
	if !step.Verb.Whole() && !holds {
		return true
	}
	_, shown, _ := tl.Kind.Named(objectShown(ev, tl, op, op.Role), field)
	if !step.Verb.Whole() || len(shown) == 0 {
		return maps.EqualFunc(was, sent, sameValue)
	}
	return sendsBack(was, shown, sent, func(leaf schema.Leaf) bool { return ev.IsPublishedDefault(tl, op.Role, leaf) })
}

func sameValue(a, b schema.Leaf) bool { return a.Semantic == b.Semantic }

// sendsBack reports whether values that were sent are those that the newest release and the called
// one show of what was stored: each release may hide fields of the other. The called release fills
// in its defaults again.
func sendsBack(newest, called, sent schema.Leaves, isDefault func(schema.Leaf) bool) bool {
	for name, leaf := range sent {
		was, known := newest[name]
		own, shown := called[name]
		if (!known || !sameValue(was, leaf)) && (!shown || !sameValue(own, leaf)) {
			return false
		}
	}
	for name, leaf := range called {
		if _, has := sent[name]; !has && !isDefault(leaf) {
			return false
		}
	}
	for name, leaf := range newest {
		_, has := sent[name]
		_, shown := called[name]
		if !has && (shown || leaf.Semantic != schema.Empty) && !isDefault(leaf) { // a release shows empty what holds only hidden fields
			return false
		}
	}
	return true
}
