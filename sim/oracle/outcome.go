package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// outcome is what became of a call. Every check asks it of outcomeOf, so that
// one answer means the same to all of them.
type outcome int

const (
	done       outcome = iota // a success, and what was asked for came
	misread                   // a success that the client's own types could not read
	missing                   // 404: there is no such object
	turnedAway                // 401, 403: nothing is said of the object
	refusal                   // any other 4xx: the server will not
	cannotRead                // the server cannot read what it holds, or answered with what is no answer
	unable                    // the server is there, and cannot answer just now
	unanswered                // no answer came
)

// initializing is what a server says while its cache does not fill, as one over
// values that it cannot read never does.
const initializing = "storage is (re)initializing"

// outcomeOf tells what became of an operation.
func outcomeOf(op history.Operation) outcome {
	if op.Exchange.Succeeded() && !op.Done() {
		return misread
	}
	return outcomeOfAnswer(op.Exchange)
}

// outcomeOfAnswer tells what an answer that no client's types had to read says.
// 500 is what a server gives when it cannot decode; 502 to 504 tell of the way
// to it, or of its own going, and nothing of what is stored.
func outcomeOfAnswer(x history.Exchange) outcome {
	switch {
	case x.Succeeded():
		if x.Error != "" {
			return cannotRead
		}
		return done
	case x.Code == 0:
		return unanswered
	case x.Code == http.StatusNotFound:
		return missing
	case x.Code == http.StatusUnauthorized, x.Code == http.StatusForbidden:
		return turnedAway
	case x.Code == http.StatusInternalServerError, x.Code == http.StatusTooManyRequests && strings.Contains(x.Message, initializing):
		return cannotRead
	case x.Code == http.StatusTooManyRequests, x.Code > http.StatusInternalServerError:
		return unable
	}
	return refusal
}

// readState is what an answer without the object says of it: that it is gone,
// or not to be read, or nothing at all.
func (o outcome) readState() term.State {
	switch o {
	case missing:
		return term.Lost
	case refusal:
		return term.Refused
	case turnedAway, unable, unanswered, misread:
		return term.Failed
	}
	return term.Undecodable
}

// callState is what became of a call that did not come to what was due.
func (o outcome) callState() term.State {
	switch o {
	case done:
		return term.NotAccepted
	case missing, turnedAway, refusal:
		return term.Refused
	}
	return term.Failed
}

// cause is why a call did not succeed, where its outcome says that.
func (o outcome) cause() term.Cause {
	if o == misread {
		return term.Misread
	}
	return term.Unattributed
}

// refuses tells whether the server itself said no to a write of the object, so
// that a later no is none of an upgrade's doing: a conflict, haste and silence
// say nothing of the object.
func refuses(x history.Exchange) bool {
	switch outcomeOfAnswer(x) {
	case refusal:
		return x.Code != http.StatusConflict
	case missing, turnedAway, cannotRead:
		return true
	}
	return false
}

// cameTo is what became of an operation, in words.
func (e *evidence) cameTo(kind string, op history.Operation) string {
	switch outcomeOf(op) {
	case misread:
	case refusal:
		return e.answerText(kind, op.Exchange) + inBrackets(validation(op.Exchange))
	default:
		return e.answerText(kind, op.Exchange)
	}
	why := cmp.Or(op.Undecoded, op.Exchange.Error)
	if e.policy.Covers(kind) {
		why = redact.Withheld // it may quote the object
	}
	return fmt.Sprintf("%d, which the client's types could not read: %s", op.Exchange.Code, why)
}

// validation says which fieldValidation a write asked for: what a client does not send, the
// server decides. "": the request is not a write, or its step says it already.
func validation(x history.Exchange) string {
	writes := []string{http.MethodPost, http.MethodPut, http.MethodPatch}
	if q, err := url.ParseQuery(x.Query); err != nil || !slices.Contains(writes, x.Method) || q.Has("fieldValidation") && q.Get("dryRun") == "" {
		return ""
	} else if asked := q.Get("fieldValidation"); asked != "" {
		return " with fieldValidation=" + asked
	}
	return " without fieldValidation"
}

func inBrackets(words string) string {
	if words == "" {
		return ""
	}
	return " (" + strings.TrimSpace(words) + ")"
}

// withheldNote says where the words are that messages leave out, where any does.
func withheldNote(all []result.Finding) []string {
	kinds := map[string]bool{}
	for _, f := range all {
		if strings.Contains(f.Message, redact.Withheld) {
			kinds[f.Kind] = true
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("what servers say of a %s is left out: history.jsonl of the run holds their answers whole, and is not for publishing",
		strings.Join(slices.Sorted(maps.Keys(kinds)), ", or a "))}
}
