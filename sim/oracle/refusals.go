package oracle

import (
	"fmt"
	"net/http"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// A server that refuses a call as invalid names the fields that it objects to. What it
// objects to may be what it has made of the body itself: it drops what it has no place
// for, or whose gate is off, and an object that held nothing else is left empty.

// whyInvalid is why a call, or a try, was refused as invalid: what it was to store
// held, in a place that the server names, nothing that the server keeps. Any other
// answer tells nothing.
func (e *evidence) whyInvalid(l *life, op history.Operation) term.Cause {
	if x := op.Exchange; x.Code != http.StatusUnprocessableEntity || x.Reason != invalidReason {
		return term.Unattributed
	}
	fields := e.fieldsNamed(op.Exchange)
	for _, object := range e.objectsMeant(l, op) {
		for _, field := range fields {
			if e.emptiedBy(l, op.Role, object, field) {
				return term.UnionEmptied
			}
		}
	}
	return e.notSentBack(l, op, fields)
}

// notSentBack is why a client did not send back what the object holds at a field that a
// server names when it refuses the whole object: as for a value that is lost.
func (e *evidence) notSentBack(l *life, op history.Operation, fields []string) term.Cause {
	step, v := e.steps[op.Step].step, e.storedBy(l, op.Step)
	if op.Purpose != history.Act || !step.Verb.Whole() || !step.Verb.Reads() || v == nil {
		return term.Unattributed
	}
	for _, object := range e.objectsStored(v) {
		for _, field := range fields {
			at, _, found := l.kind.Named(object, field)
			if !found {
				continue
			}
			if cause := e.notSentBackAt(l, op, v, at); cause != term.Unattributed {
				return cause
			}
		}
	}
	return term.Unattributed
}

// notSentBackAt is that of the first acknowledged value at a path, or below it, which is
// stored, and which the client did not send.
func (e *evidence) notSentBackAt(l *life, op history.Operation, v *version, at fieldpath.Path) term.Cause {
	for _, n := range l.entries {
		if !n.acknowledged || !path.Contains(at, n.leaf.Path) || n.over(v) || !e.holds(l, v, n) {
			continue
		}
		w := write{e: e, l: l, n: n, act: op, step: e.steps[op.Step].step}
		if w.sends() {
			continue
		}
		if cause := w.omitted(term.Unattributed); cause != term.Unattributed {
			return cause
		}
	}
	return term.Unattributed
}

// invalidReason is what a Status says whose validation failed.
const invalidReason = "Invalid"

// fieldsNamed are the fields that a refusal names.
func (e *evidence) fieldsNamed(x history.Exchange) []string {
	details, _ := e.history.Object(x.Answer)["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	var all []string
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		if field, _ := cause["field"].(string); field != "" {
			all = append(all, field)
		}
	}
	return all
}

// objectsMeant are what a call was to store, as far as the record shows it: the body,
// where it is the whole object, and what was stored, as the newest release shows it.
func (e *evidence) objectsMeant(l *life, op history.Operation) []map[string]any {
	var all []map[string]any
	if op.Purpose == history.Act && (e.steps[op.Step].step.Verb.Whole() || born(e.steps[op.Step].step)) {
		all = append(all, e.history.Object(op.Exchange.Sent))
	}
	if v := e.storedBy(l, op.Step); v != nil {
		all = append(all, e.objectsStored(v)...)
	}
	return all
}

// objectsStored is a stored version as the newest release that was asked shows it; none
// where no server has shown it.
func (e *evidence) objectsStored(v *version) []map[string]any {
	for _, role := range newestFirst() {
		for _, s := range v.views[role] {
			if s.types == "" && s.ok() {
				return []map[string]any{e.history.Object(s.answer)}
			}
		}
	}
	return nil
}

// emptiedBy tells whether an object holds, in a place that a server names, values of
// which the server keeps none.
func (e *evidence) emptiedBy(l *life, role term.Role, object map[string]any, field string) bool {
	_, leaves, found := l.kind.Named(object, field)
	if !found || len(leaves) == 0 {
		return false
	}
	for _, leaf := range leaves {
		if leaf.Semantic == schema.Empty {
			return false // so it was sent
		}
	}
	return len(e.leftWithout(l, role, leaves)) == 0
}

// refusedChange is what must be expected where a server refuses what its own drop has
// left of a value that the very call was to set: no harm on a server without the change,
// and what a gate that is off does. False: the call was to do something else.
func (e *evidence) refusedChange(l *life, op history.Operation) (term.Class, term.Rule, bool) {
	if op.Purpose != history.Act {
		return "", "", false
	}
	gated := false
	for _, p := range e.sentPaths(l, op.Step) {
		if !e.declares(op.Role, l, p) {
			return term.Impact, term.Rule3, true
		}
		gated = gated || e.clears(l, op.Role, schema.Leaf{Path: p})
	}
	return term.Impact, term.Lifecycle, gated
}

// refusedSince is the cause of a refusal in words, where there is one to add.
func refusedSince(c term.Cause) string {
	if c == term.Unattributed || c == term.Misread {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", c, term.Causes().Meaning(c))
}
