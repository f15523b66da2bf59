package oracle

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// A server that refuses a call as invalid names the fields that it objects to. What it
// objects to may be what it has made of the body itself: it drops what it has no place
// for, or whose gate is off, and an object that held nothing else is left empty.

// whyInvalid is why a call, or a try, was refused as invalid: what it was to store
// held, in a place that the server names, nothing that the server keeps; or a value
// that is none of those it takes; or what was stored before. Any other answer tells
// nothing.
func (e *evidence) whyInvalid(l *life, op history.Operation) term.Cause {
	if x := op.Exchange; x.Code != http.StatusUnprocessableEntity || x.Reason != invalidReason {
		return term.Unattributed
	}
	fields := e.fieldsNamed(op.Exchange)
	objects := e.objectsMeant(l, op)
	for _, object := range objects {
		for _, field := range fields {
			if e.emptiedBy(l, op.Role, object, field) {
				return term.UnionEmptied
			}
		}
	}
	if cause := e.whyHeld(l, op, fields); cause != term.Unattributed {
		return cause
	}
	return e.notSentBack(l, op, fields)
}

// invalidReason is what a Status says whose validation failed.
const invalidReason = "Invalid"

// objection is one field that a refusal names, the kind of error it is, and what it says.
type objection struct{ name, reason, message string }

// shows tells whether an objection repeats a value: "Invalid value: 0: must be more". The
// server has then seen it, and has not dropped it.
func (o objection) shows(v any) bool {
	_, rest, found := strings.Cut(o.message, " value: ")
	return found && (rest == schema.Text(v) || strings.HasPrefix(rest, schema.Text(v)+":"))
}

// fieldsNamed are the fields that a refusal names.
func (e *evidence) fieldsNamed(x history.Exchange) []objection {
	details, _ := e.history.Object(x.Answer)["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	var all []objection
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		reason, _ := cause["reason"].(string)
		message, _ := cause["message"].(string)
		if field, _ := cause["field"].(string); field != "" {
			all = append(all, objection{field, reason, message})
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
	if met := e.objectMet(l, op); met != nil {
		all = append(all, met)
	}
	return all
}

// objectMet is what was stored when a call came, as the newest release shows it; nil
// where there was nothing, or none has shown it.
func (e *evidence) objectMet(l *life, op history.Operation) map[string]any {
	v := e.storedBy(l, op.Step)
	if v == nil {
		return nil
	}
	for _, role := range newestFirst() {
		for _, s := range v.views[role] {
			if s.types == "" && s.ok() {
				return e.history.Object(s.answer)
			}
		}
	}
	return nil
}

// emptiedBy tells whether an object holds, in a place that a server names, values of
// which the server keeps none, and repeats none.
func (e *evidence) emptiedBy(l *life, role term.Role, object map[string]any, field objection) bool {
	_, leaves, found := l.kind.Named(object, field.name)
	if !found || len(leaves) == 0 {
		return false
	}
	for _, leaf := range leaves {
		if leaf.Semantic == schema.Empty || field.shows(leaf.Value) {
			return false // so it was sent, and came through
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
