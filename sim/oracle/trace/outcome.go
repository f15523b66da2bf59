package trace

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
)

// BodyMissing is the reason why facts that depend on a lost body are indeterminate.
const BodyMissing = "the history lacks the body of an answer"

// LacksBody reports whether the record lost the answer's body. The rest of the record does not
// say what the server showed.
func (tr *Trace) LacksBody(x history.Exchange) bool {
	return x.Answer != "" && !tr.History.Holds(x.Answer)
}

// BodyUnread is the reason why facts that depend on an unreadable answer are indeterminate.
const BodyUnread = "the client could not read the answer to a write"

// LacksObject reports whether a success shows nothing of the server's answer: its body was cut
// off, or is protobuf that the client's types could not decode. An empty body is an answer
// without an object.
func (tr *Trace) LacksObject(op history.Operation) bool {
	x := op.Exchange
	broken := x.Answer != "" || x.Error != "" || op.Undecoded != ""
	return x.Succeeded() && broken && !tr.History.HasObject(x.Answer)
}

// IsUnclear reports whether a write may have taken effect without an answer that confirms it.
func IsUnclear(x history.Exchange) bool { return x.Code == 0 || x.Code >= 500 }

// Answer returns the answer of an exchange in the form that package ruling takes.
func Answer(x history.Exchange) ruling.Answer {
	return ruling.Answer{Code: x.Code, Message: x.Message, Malformed: x.Succeeded() && x.Error != ""}
}

// OutcomeOf returns how an operation ended.
func OutcomeOf(op history.Operation) ruling.Ending {
	if op.Exchange.Succeeded() && !op.Done() {
		return ruling.Misread
	}
	return Answer(op.Exchange).Ending()
}

const (
	// unconverted is what a server says of an object that the webhook of its definition did not convert.
	unconverted = "conversion webhook for "
	// uncalled is what it says of an admission webhook that gave no answer.
	uncalled = "failed calling webhook "
	// denied is what it says of one that refused.
	denied = "admission webhook "
	// unmatched and unmatchedAll, for one or several, begin what it says if matchConditions of a webhook that fails closed could not be
	// evaluated, and unevaluated comes before the reason; a policy's answer begins with the policy.
	unmatched, unmatchedAll, unevaluated = " is forbidden: expression '", " is forbidden: [expression '", "' resulted in error: "
	// unattended, and unadmitted, are what it says if nobody was there to answer: see package crd.
	unattended, unadmitted = "nobody converts: ", "nobody admits: "
)

// ProgramCause returns why an answer says that the program beside the servers failed the call; "" if it
// does not.
func ProgramCause(x history.Exchange) term.Cause {
	said := func(what string) bool { return strings.Contains(x.Message, what) }
	switch {
	case x.Succeeded():
		return ""
	case said(unconverted) && said(unattended), said(uncalled) && said(unadmitted):
		return term.NoProgram
	case said(unconverted):
		return term.NotConverted
	case said(uncalled), said(denied) && said("denied the request"), (said(unmatched) || said(unmatchedAll)) && said(unevaluated):
		return term.NotAdmitted
	}
	return ""
}

// IsRefusal reports whether the server itself rejected a write of the object, so that a later
// rejection is not caused by an upgrade. Conflicts, throttling and missing answers do not count:
// they say nothing about the object.
func IsRefusal(x history.Exchange) bool { return Answer(x).OfWrite() == term.Frozen }
