package ruling

import (
	"net/http"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Answer is what a server answered to one call about an object that is stored.
type Answer struct {
	Code    int    // 0: no answer came
	Message string // the server's words
	// Malformed reports a success whose body is no object.
	Malformed bool
}

// Ending is how a call ended.
type Ending int

// The endings. All judges ask [Answer.Ending], so that one answer means the same to each of them.
const (
	Done       Ending = iota // a success with the expected body
	Misread                  // a success that the client's own types could not read
	Missing                  // 404: there is no such object
	TurnedAway               // 401, 403: to a read, the answer says nothing about the object
	Refusal                  // any other answer without success: the server rejects the request
	CannotRead               // the server cannot read what is stored, or its answer is malformed
	Unable                   // the server runs and cannot answer at the moment
	Unanswered               // no answer came
)

// initializing is the message of a server whose cache does not fill, which is permanent if the
// cache covers values that the server cannot read.
const initializing = "storage is (re)initializing"

// Ending returns how a call ended. A server answers 500 when it cannot decode; 502 to 504 are about the
// connection or the server's shutdown, not about what is stored.
func (a Answer) Ending() Ending {
	switch {
	case a.Code/100 == 2 && a.Malformed:
		return CannotRead
	case a.Code/100 == 2:
		return Done
	case a.Code == 0:
		return Unanswered
	case a.Code == http.StatusNotFound:
		return Missing
	case a.Code == http.StatusUnauthorized, a.Code == http.StatusForbidden:
		return TurnedAway
	case a.Code == http.StatusInternalServerError, a.Code == http.StatusTooManyRequests && strings.Contains(a.Message, initializing):
		return CannotRead
	case a.Code == http.StatusTooManyRequests, a.Code == http.StatusRequestTimeout, a.Code > http.StatusInternalServerError:
		return Unable
	}
	return Refusal
}

// OfRead returns what an answer without the object says of it: gone, unreadable, or nothing.
func (e Ending) OfRead() term.Outcome {
	switch e {
	case Missing:
		return term.Lost
	case Refusal:
		return term.Refused
	case TurnedAway, Unable, Unanswered, Misread:
		return term.Failed
	}
	return term.Undecodable
}

// OfCall returns the outcome of a call that did not end as required.
func (e Ending) OfCall() term.Outcome {
	switch e {
	case Done:
		return term.Dropped
	case Missing, TurnedAway, Refusal:
		return term.Refused
	}
	return term.Failed
}

// OfWrite returns what the answer to a write that leaves an object as it is says of the object: it is kept, it is
// frozen, or nothing is known. A conflict with another write, throttling and a missing answer say nothing.
func (a Answer) OfWrite() term.Outcome {
	switch a.Ending() {
	case Done, Misread:
		return term.Kept
	case Unable, Unanswered:
		return term.Indeterminate
	}
	if a.Code == http.StatusConflict {
		return term.Indeterminate
	}
	return term.Frozen
}

// Decodes returns the class and the rule of an object that cannot be read: everything that is stored must be
// readable, by each release that meets it.
func Decodes() (term.Class, term.Rule) { return term.Violation, term.RuleStorage }

// Writable returns the class and the rule of an object that can no longer be written. The new release must accept
// what is stored; the old one cannot accept what uses the change.
func Writable(by term.Role, usesChange bool) (term.Class, term.Rule) {
	if by == term.Old && usesChange {
		return term.Impact, term.RuleWritable
	}
	return term.Violation, term.RuleWritable
}

// Cause returns why a call did not succeed, where its ending shows that.
func (e Ending) Cause() term.Cause {
	if e == Misread {
		return term.Misread
	}
	return term.Unattributed
}
