package trace

import (
	"net/http"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
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

// outcome is how a call ended. All checks use OutcomeOf, so that one answer means the same to
// each of them.
type outcome int

const (
	Done       outcome = iota // a success with the expected body
	Misread                   // a success that the client's own types could not read
	Missing                   // 404: there is no such object
	turnedAway                // 401, 403: the answer says nothing about the object
	Refusal                   // any other 4xx: the server rejects the request
	CannotRead                // the server cannot read what is stored, or its answer is malformed
	unable                    // the server runs and cannot answer at the moment
	unanswered                // no answer came
)

// initializing is the message of a server whose cache does not fill, which is permanent if the
// cache covers values that the server cannot read.
const initializing = "storage is (re)initializing"

// OutcomeOf returns how an operation ended.
func OutcomeOf(op history.Operation) outcome {
	if op.Exchange.Succeeded() && !op.Done() {
		return Misread
	}
	return OutcomeOfExchange(op.Exchange)
}

// OutcomeOfExchange returns the outcome of an answer that no client's types had to read. A server
// answers 500 when it cannot decode; 502 to 504 are about the connection or the server's
// shutdown, not about what is stored.
func OutcomeOfExchange(x history.Exchange) outcome {
	switch {
	case x.Succeeded():
		if x.Error != "" {
			return CannotRead
		}
		return Done
	case x.Code == 0:
		return unanswered
	case x.Code == http.StatusNotFound:
		return Missing
	case x.Code == http.StatusUnauthorized, x.Code == http.StatusForbidden:
		return turnedAway
	case x.Code == http.StatusInternalServerError, x.Code == http.StatusTooManyRequests && strings.Contains(x.Message, initializing):
		return CannotRead
	case x.Code == http.StatusTooManyRequests, x.Code > http.StatusInternalServerError:
		return unable
	}
	return Refusal
}

// ReadOutcome returns what an answer without the object says of it: gone, unreadable, or nothing.
func (o outcome) ReadOutcome() term.Outcome {
	switch o {
	case Missing:
		return term.Lost
	case Refusal:
		return term.Refused
	case turnedAway, unable, unanswered, Misread:
		return term.Failed
	}
	return term.Undecodable
}

// CallOutcome returns the state of a call that did not end as required.
func (o outcome) CallOutcome() term.Outcome {
	switch o {
	case Done:
		return term.Dropped
	case Missing, turnedAway, Refusal:
		return term.Refused
	}
	return term.Failed
}

// Cause returns why a call did not succeed, where its outcome shows that.
func (o outcome) Cause() term.Cause {
	if o == Misread {
		return term.Misread
	}
	return term.Unattributed
}

const (
	// unconverted is what a server says of an object that the webhook of its definition did not convert.
	unconverted = "conversion webhook for "
	// unattended is what it says if nobody was there to convert the object: see crd.ErrNobody.
	unattended = "nobody converts: "
)

// ConversionCause returns why an answer says that an object was not converted; "" if it does not.
func ConversionCause(x history.Exchange) term.Cause {
	switch {
	case x.Succeeded() || !strings.Contains(x.Message, unconverted):
		return ""
	case strings.Contains(x.Message, unattended):
		return term.NoConverter
	}
	return term.NotConverted
}

// IsRefusal reports whether the server itself rejected a write of the object, so that a later
// rejection is not caused by an upgrade. Conflicts, throttling and missing answers do not count:
// they say nothing about the object.
func IsRefusal(x history.Exchange) bool {
	switch OutcomeOfExchange(x) {
	case Refusal:
		return x.Code != http.StatusConflict
	case Missing, turnedAway, CannotRead:
		return true
	}
	return false
}
