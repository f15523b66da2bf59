package ruling

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// EffectOf returns what a finding means for the object that has the value: the finding's outcome and
// actor, and of a refused write whether the object can still be written. This file alone turns
// findings on calls into outcomes of objects. The zero Effect: nothing that is stored is another.
func EffectOf(f result.Finding) term.Effect {
	if strings.HasPrefix(f.Path, ".metadata.managedFields") {
		return term.OwnershipChanged.Effect() // only who owns a value differs
	}
	switch f.Outcome {
	case term.Changed:
		if f.Path == "" {
			return term.Effect{} // what was refused is accepted now
		}
	case term.Lost:
		if f.Verb.Creates() && f.AcknowledgedStep == 0 {
			return term.Changed.Effect() // nothing was stored yet: one release fills it in, and one does not
		}
		return term.Lost.By(f.Actor)
	case term.Refused, term.Failed:
		return ofRefusal(f).Effect()
	case term.Resurrected:
		return term.Hidden.Effect() // that it is back is the other half of what a rollback hides
	case term.Indeterminate:
		return term.Effect{} // neither kept nor lost
	}
	return f.Outcome.Effect()
}

// sendsMore reports whether the refusal may be about what the client sends beside the change: a
// typed client sends all that its types have, and Strict refuses what is unknown.
func sendsMore(f result.Finding) bool {
	_, typed := f.Client.Role()
	return typed || f.FieldValidation == term.Strict
}

// ofRefusal tells a request that sends the value, whose refusal leaves nothing behind, from
// one that only changes a stored object, which is then frozen.
func ofRefusal(f result.Finding) term.Outcome {
	switch {
	case f.Check == term.CheckInstalls:
		return term.Refused // the definition before it still serves what is stored
	case f.Cause == term.NotServed:
		return term.Refused // a 404 of a version says nothing about what is stored
	case f.Cause == term.BadVersion, f.Cause == term.BadEncoding, f.Cause == term.KeyMissing:
		return term.Undecodable
	case f.Cause == term.Misread:
		return term.Undecodable // a controller that lists the kind gets nothing at all
	case f.Cause == term.ServerPanic:
		return term.Panicked
	case f.Outcome == term.Refused && f.Verb != "" && !f.Verb.Writes():
		return term.Refused // a read says nothing of whether the object can be written
	case f.Verb.Creates(), f.Verb == "", f.Verb.Subresource() == term.ScalePart:
		return term.Refused // of a scale, the object itself can still be written
	case sendsMore(f):
		return term.Refused // another client can still write the object
	case f.Outcome == term.Failed && !f.Verb.Writes():
		return term.Undecodable
	}
	return term.Frozen
}
