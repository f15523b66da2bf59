package sweep

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// FateOf returns the fate that a finding is for what the object holds: by its state first, then
// by who did it. This file alone turns the words of findings into those of sweeps.
func FateOf(f result.Finding) term.Fate {
	if strings.HasPrefix(f.Path, ".metadata.managedFields") {
		return term.FateOwnershipChanged // only who owns a value differs
	}
	switch f.State {
	case term.Changed:
		if f.Path == "" {
			return "" // what was refused is accepted now: nothing that is stored means something else
		}
	case term.Lost:
		return ofLoss(f)
	case term.Refused, term.Failed:
		return ofRefusal(f)
	}
	return ofState()[f.State]
}

// ofState has the states that mean the same whoever caused them. Those that are absent are
// of nothing that was decided: an indeterminate value is neither kept nor lost.
func ofState() map[term.State]term.Fate {
	return map[term.State]term.Fate{
		// The bytes are there, and a release cannot read them: worse than a loss, since whole
		// lists and watches fail with them.
		term.Undecodable: term.FateUndecodable,
		// A server that ends takes everything with it that it serves.
		term.Panicked: term.FateCrashed,
		// Dry runs of a label, a finalizer and the object's own bytes fail.
		term.Frozen: term.FateFrozen,
		// Stored, and read as something else, by a default, a conversion or another field's tag:
		// no error says so, and controllers act on it.
		term.Changed: term.FateMeansOther,
		// Two live replicas say different things of one stored value.
		term.Varies: term.FateMeansOther,
		// The answer was a success, and the value is not in it.
		term.NotAccepted: term.FateDropped,
		// Not served and still stored.
		term.Hidden: term.FateDormant,
		// Served again after a rollback hid it: it was dormant in between.
		term.Resurrected: term.FateDormant,
		// A server whose gate is off took the value. It is stored and served: the class of the
		// finding says that a rule is broken.
		term.Accepted:  term.FateKept,
		term.Withdrawn: term.FateKept,
		term.Kept:      term.FateKept,
	}
}

// clientCauses are the causes of a loss where the request already lacked the value.
func clientCauses() []term.Cause {
	return []term.Cause{term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread}
}

// ofLoss tells losses by who lost the value: a client whose types lack it, or the server
// that stored the object. A dynamic client loses only what the server it read from hid.
func ofLoss(f result.Finding) term.Fate {
	if f.Verb.Creates() && f.AcknowledgedStep == 0 {
		return term.FateMeansOther // nothing was stored yet: one release fills it in, and one does not
	}
	at := f.Via
	if f.Cause == term.ReadHidden && f.Read != "" {
		at = f.Read
	}
	if role, typed := f.Client.Role(); typed && slices.Contains(clientCauses(), f.Cause) {
		if role == term.New {
			return term.FateLostByNew
		}
		return term.FateLostByClients
	}
	if at == term.New {
		return term.FateLostByNew
	}
	return term.FateLostByOld
}

// sendsMore reports whether the refusal may be about what the client sends beside the change: a
// typed client sends all that its types have, and Strict refuses what is unknown.
func sendsMore(f result.Finding) bool {
	_, typed := f.Client.Role()
	return typed || f.FieldValidation == term.Strict
}

// ofRefusal tells a request that sends the value, whose refusal leaves nothing behind, from
// one that only changes a stored object, which is then frozen.
func ofRefusal(f result.Finding) term.Fate {
	switch {
	case f.Check == term.CheckInstalls:
		return term.FateRefused // the definition before it still serves what is stored
	case f.Cause == term.NotServed:
		return term.FateRefused // a 404 of a version says nothing about what is stored
	case f.Cause == term.BadVersion, f.Cause == term.BadEncoding, f.Cause == term.KeyMissing:
		return term.FateUndecodable
	case f.Cause == term.Misread:
		return term.FateUndecodable // a controller that lists the kind gets nothing at all
	case f.Cause == term.ServerPanic:
		return term.FateCrashed
	case f.State == term.Refused && f.Verb != "" && !f.Verb.Writes():
		return term.FateRefused // a read says nothing of whether the object can be written
	case f.Verb.Creates(), f.Verb == "", f.Verb.Subresource() == term.ScalePart:
		return term.FateRefused // of a scale, the object itself can still be written
	case sendsMore(f):
		return term.FateRefused // another client can still write the object
	case f.State == term.Failed && !f.Verb.Writes():
		return term.FateUndecodable
	}
	return term.FateFrozen
}
