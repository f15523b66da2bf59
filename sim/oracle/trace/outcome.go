package trace

import (
	"net/http"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// BodyMissing is the reason for what a lost body leaves untold.
const BodyMissing = "the history lacks the body of an answer"

// LacksBody reports whether the record lost the answer's body. What is left of it
// says nothing of what the server showed.
func (tr *Trace) LacksBody(x history.Exchange) bool {
	return x.Answer != "" && !tr.History.Holds(x.Answer)
}

// BodyUnread is the reason for what an answer leaves untold that nobody could read.
const BodyUnread = "the client could not read the answer to a write"

// LacksObject tells that a success shows nothing of what the server answered: its body
// was cut, or is protobuf that the client's types could not decode. A body that
// is empty is an answer, which shows nothing.
func (tr *Trace) LacksObject(op history.Operation) bool {
	x := op.Exchange
	broken := x.Answer != "" || x.Error != "" || op.Undecoded != ""
	return x.Succeeded() && broken && !tr.History.HasObject(x.Answer)
}

// IsUnclear tells that a write may have been done, though no answer says so.
func IsUnclear(x history.Exchange) bool { return x.Code == 0 || x.Code >= 500 }

// outcome is what became of a call. Every check asks it of outcomeOf, so that
// one answer means the same to all of them.
type outcome int

const (
	Done       outcome = iota // a success, and what was asked for came
	Misread                   // a success that the client's own types could not read
	Missing                   // 404: there is no such object
	turnedAway                // 401, 403: nothing is said of the object
	Refusal                   // any other 4xx: the server will not
	CannotRead                // the server cannot read what it holds, or answered with what is no answer
	unable                    // the server is there, and cannot answer just now
	unanswered                // no answer came
)

// initializing is what a server says while its cache does not fill, as one over
// values that it cannot read never does.
const initializing = "storage is (re)initializing"

// OutcomeOf tells what became of an operation.
func OutcomeOf(op history.Operation) outcome {
	if op.Exchange.Succeeded() && !op.Done() {
		return Misread
	}
	return OutcomeOfExchange(op.Exchange)
}

// OutcomeOfExchange tells what an answer that no client's types had to read says.
// 500 is what a server gives when it cannot decode; 502 to 504 tell of the way
// to it, or of its own going, and nothing of what is stored.
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

// ReadState is what an answer without the object says of it: that it is gone,
// or not to be read, or nothing at all.
func (o outcome) ReadState() term.State {
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

// CallState is what became of a call that did not come to what was due.
func (o outcome) CallState() term.State {
	switch o {
	case Done:
		return term.NotAccepted
	case Missing, turnedAway, Refusal:
		return term.Refused
	}
	return term.Failed
}

// Cause is why a call did not succeed, where its outcome says that.
func (o outcome) Cause() term.Cause {
	if o == Misread {
		return term.Misread
	}
	return term.Unattributed
}

// IsRefusal reports whether the server itself said no to a write of the object, so
// that a later no is none of an upgrade's doing: a conflict, haste and silence
// say nothing of the object.
func IsRefusal(x history.Exchange) bool {
	switch OutcomeOfExchange(x) {
	case Refusal:
		return x.Code != http.StatusConflict
	case Missing, turnedAway, CannotRead:
		return true
	}
	return false
}
