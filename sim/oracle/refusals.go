package oracle

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server that refuses a call as invalid names the fields that it objects to. What it
// objects to may be what it has made of the body itself: it drops what it has no place
// for, or whose gate is off, and an object that held nothing else is left empty. Its words
// tell that from a value that it has seen, and does not take.

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
			if e.emptiedBy(l, op, object, field) {
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

// emptiedBy reports whether an object holds, in a place that a server names, values of
// which the server keeps none. Nothing of what the server says, or has served of the same
// stored object, may show that it saw one; and where its release has a place for them, the
// server must say that it found nothing there.
func (e *evidence) emptiedBy(l *life, op history.Operation, object map[string]any, field objection) bool {
	_, leaves, found := l.kind.Named(object, field.name)
	if !found || len(leaves) == 0 || e.servesAny(l, op, leaves) {
		return false
	}
	foundNothing := field.foundNothing()
	for _, leaf := range leaves {
		known := e.declares(op.Role, l, leaf.Path)
		if leaf.Semantic == schema.Empty || field.shows(leaf.Value) || known && !foundNothing {
			return false // so it was sent, and came through
		}
	}
	return len(e.leftWithout(l, op.Role, leaves)) == 0
}

// servesAny reports whether the release that was called has served any of the values, of
// what was stored when the call came.
func (e *evidence) servesAny(l *life, op history.Operation, leaves schema.Leaves) bool {
	v := e.storedBy(l, op.Step)
	if v == nil {
		return false
	}
	for _, s := range v.views[op.Role] {
		if s.types != "" || !s.ok() {
			continue
		}
		served := e.leavesOf(l, s.answer)
		for name, leaf := range leaves {
			if is, there := served[name]; there && is.Semantic == leaf.Semantic {
				return true
			}
		}
	}
	return false
}

// refusedSince is the cause of a refusal in words, where there is one to add.
func refusedSince(c term.Cause) string {
	if c == term.Unattributed || c == term.Misread {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", c, term.Causes().Meaning(c))
}
