package blame

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server that refuses a call as invalid names the fields that it objects to. It may object to
// what it made of the body itself: it drops fields that it lacks or whose gate is off, and an
// object that held nothing else becomes empty. Its message distinguishes that from a value that
// it has seen and does not accept.

// WhyInvalid returns why a call, or a dry run, was refused as invalid: at a place that the server
// names, the object held nothing that the server keeps; or the value is not in the server's list;
// or the value was stored before. For any other answer the cause is unattributed.
func WhyInvalid(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) term.Cause {
	if x := op.Exchange; x.Code != http.StatusUnprocessableEntity || x.Reason != invalidReason {
		return term.Unattributed
	}
	fields := FieldsNamed(ev, op.Exchange)
	objects := ObjectsMeant(ev, tl, op)
	for _, object := range objects {
		for _, field := range fields {
			if emptiedBy(ev, tl, op, object, field) {
				return term.UnionEmptied
			}
		}
	}
	if cause := whyHeld(ev, tl, op, fields); cause != term.Unattributed {
		return cause
	}
	return notSentBack(ev, tl, op, fields)
}

// ChangesImmutable reports whether a server refuses an update for a field that never changes, as it says, and
// that the call changes.
func ChangesImmutable(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) bool {
	if op.Purpose != history.Act || ev.Steps[op.Step].Step.CreatesCopy() {
		return false
	}
	met := objectMet(ev, tl, op)
	return slices.ContainsFunc(trace.StatusCauses(ev, op.Exchange), func(c result.StatusCause) bool {
		return c.SaysImmutable() && (met == nil || !leaves(ev, tl, op, met, c.Field))
	})
}

// invalidReason is the reason in the Status of a failed validation.
const invalidReason = "Invalid"

// FieldsNamed returns the fields that a refusal names.
func FieldsNamed(ev *trace.Evidence, x history.Exchange) []Objection {
	var all []Objection
	for _, c := range trace.StatusCauses(ev, x) {
		if c.Field != "" {
			all = append(all, Objection{c.Field, c.Reason, c.Message})
		}
	}
	return all
}

// ObjectsMeant returns what a call was to store, as far as the record shows it: the body, if it
// is the whole object, and what was stored, as the newest release shows it.
func ObjectsMeant(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) []map[string]any {
	var all []map[string]any
	if op.Purpose == history.Act && (ev.Steps[op.Step].Step.Verb.Whole() || ev.Steps[op.Step].Step.CreatesCopy()) {
		all = append(all, ev.History.Object(op.Exchange.Sent))
	}
	if met := objectMet(ev, tl, op); met != nil {
		all = append(all, met)
	}
	return all
}

// objectMet returns what was stored when a call came, as the newest release shows it; nil if
// nothing was, or if no release has shown it.
func objectMet(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) map[string]any {
	return objectShown(ev, tl, op, trace.NewestFirst()...)
}

// objectShown returns what was stored when a call came, as the first of releases shows it that has
// shown it; nil for none.
func objectShown(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, by ...term.Role) map[string]any {
	v := ev.StoredBy(tl, op.Step)
	if v == nil {
		return nil
	}
	for _, role := range by {
		for _, obs := range v.Views[role] {
			if obs.Types == "" && obs.ShowsObject() {
				return ev.History.Object(obs.Answer)
			}
		}
	}
	return nil
}

// emptiedBy reports whether an object holds, at a place that a server names, only values that the
// server does not keep. The server must not have shown any of them, in its message or in the
// stored object; and if its release has their fields, it must say that it found nothing there.
func emptiedBy(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, object map[string]any, field Objection) bool {
	_, leaves, found := tl.Kind.Named(object, field.Name)
	kind, published := ev.Schemas[op.Role].Kind(versionCalled(ev, tl, op), tl.Manifest.Kind)
	if !found || len(leaves) == 0 || !published || servesAny(ev, tl, op, leaves) {
		return false // of a version that is not published nothing shows what a server keeps
	}
	foundNothing := field.FoundNothing()
	for _, leaf := range leaves {
		if leaf.Semantic == schema.Empty || field.Shows(leaf.Value) {
			return false // it was sent so, and accepted
		}
		if kind.Declares(leaf.Path) && (!foundNothing || !Clears(ev, tl, op.Role, leaf)) {
			return false
		}
	}
	return true
}

// versionCalled returns the API version of a call or a dry run: a step may name another than the
// copy's own.
func versionCalled(ev *trace.Evidence, tl *trace.Timeline, op history.Operation) string {
	if op.Purpose != history.Act {
		return tl.Manifest.APIVersion
	}
	return trace.VersionOf(tl, ev.Steps[op.Step].Step)
}

// servesAny reports whether the release that was called has served any of the values of what was
// stored when the call came.
func servesAny(ev *trace.Evidence, tl *trace.Timeline, op history.Operation, leaves schema.Leaves) bool {
	v := ev.StoredBy(tl, op.Step)
	if v == nil {
		return false
	}
	for _, obs := range v.Views[op.Role] {
		if obs.Types != "" || !obs.ShowsObject() {
			continue
		}
		served := ev.LeavesOf(tl, obs.Answer)
		for name, leaf := range leaves {
			if is, there := served[name]; there && is.Semantic == leaf.Semantic {
				return true
			}
		}
	}
	return false
}

// RefusedSince returns the cause of a refusal in words, "" for none.
func RefusedSince(c term.Cause) string {
	if c == term.Unattributed || c == term.Misread {
		return ""
	}
	return fmt.Sprintf(" (%s: %s)", c, term.Causes().Meaning(c))
}
