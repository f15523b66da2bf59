package oracle

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// everythingDecodes judges that whatever is stored can be read: by GET after
// each write and by LIST at each edge, through every live replica. Its facts
// are those GETs, and each copy that a LIST must show.
func everythingDecodes(e *evidence) judged {
	var j judged
	lives := map[string]*life{}
	for _, l := range e.byCopy {
		lives[l.copy.Name] = l
	}
	for _, op := range e.history.Operations {
		if l := lives[op.Copy]; l != nil {
			e.judgeGet(op, l, &j)
		}
	}
	for _, listing := range e.history.Listings {
		e.judgeList(listing, &j)
	}
	return j
}

func (e *evidence) judgeGet(op history.Operation, l *life, j *judged) {
	looks := op.Purpose == history.Look || op.Purpose == history.Read
	if !looks || l.created == 0 || l.created > op.Step || l.deleted > 0 && op.Step >= l.deleted {
		return
	}
	if e.interrupted(op.Exchange) {
		j.untold++
		return
	}
	if op.Exchange.Succeeded() && e.lacks(op.Exchange) {
		j.untold, j.reason = j.untold+1, lackedBody
		return
	}
	j.facts++
	if op.Exchange.Succeeded() && e.history.HasObject(op.Exchange.Answer) {
		return
	}
	said := answerText(l.manifest.Kind, op.Exchange)
	if op.Exchange.Succeeded() {
		said += " with a body that is no object"
	}
	f := e.unreadable(l, op.Step, op.Replica, op.Role, op.Exchange)
	f.Message = fmt.Sprintf("%s %s: GET through %s (%s) after step %d (%s: %s) was answered %s; %s",
		l.manifest.Kind, l.copy.Name, op.Replica, f.Release, op.Step, f.Stage, e.made(op.Step), said,
		term.Rules().Meaning(term.Storage))
	j.findings = append(j.findings, f)
}

// unreadable is a finding about an answer that is no object. A 404 for an
// object that is stored means that it is gone; anything else, that it cannot
// be read.
func (e *evidence) unreadable(l *life, step int, replica string, role term.Role, x history.Exchange) result.Finding {
	f := e.finding(l, term.EverythingDecodes, step)
	f.Rule, f.Class = term.Storage, term.Violation
	f.Replica, f.Via, f.Release = replica, role, e.history.Releases[role].Version
	f.State = unreadState(x.Code)
	return f
}

// unreadState is what an answer other than the object says of it: gone, or not
// to be read. A server that turns the caller away, or does not answer, says
// neither.
func unreadState(code int) term.State {
	switch code {
	case http.StatusNotFound:
		return term.Lost
	case 0, http.StatusUnauthorized, http.StatusForbidden:
		return term.Failed
	}
	return term.Undecodable
}

func (e *evidence) judgeList(listing history.Listing, j *judged) {
	if e.interrupted(listing.Exchange) {
		j.untold++
		return
	}
	if !listing.Exchange.Succeeded() || listing.Exchange.Error != "" {
		j.facts++
		j.findings = append(j.findings, e.listRefused(listing))
		return
	}
	shown := map[string]bool{}
	for _, item := range listing.Items {
		shown[item.Copy] = true
	}
	for _, l := range e.byCopy {
		if l.manifest.Kind != listing.Kind || l.manifest.APIVersion != listing.APIVersion || !e.mustShow(l, listing.Step) {
			continue
		}
		j.facts++
		if !shown[l.copy.Name] {
			j.findings = append(j.findings, e.leftOut(l, listing))
		}
	}
}

// mustShow tells whether the copy is there for sure when a step LISTs. The
// operations of a stage overlap: a copy that one of them deletes may be gone
// before another, of a lower number, looks.
func (e *evidence) mustShow(l *life, step int) bool {
	at, deleted := e.steps[step], e.steps[l.deleted]
	overlap := at.step.Action == plan.Operate && at.index == deleted.index
	return l.created > 0 && l.created < step && (l.deleted == 0 || step < l.deleted && !overlap)
}

func (e *evidence) listRefused(listing history.Listing) result.Finding {
	release := e.history.Releases[listing.Role].Version
	at := e.steps[listing.Step]
	return result.Finding{
		Check: term.EverythingDecodes, Rule: term.Storage, Class: term.Violation, Kind: listing.Kind,
		State: unreadState(listing.Exchange.Code), Cause: term.Unattributed, Step: listing.Step, Stage: at.stage, Verb: term.ListAll,
		Replica: listing.Replica, Via: listing.Role, Release: release,
		Message: fmt.Sprintf("%s: LIST through %s (%s) in step %d (%s) was answered %s: one object that cannot be decoded breaks the whole resource",
			listing.Kind, listing.Replica, release, listing.Step, at.stage, answerText(listing.Kind, listing.Exchange)),
	}
}

func (e *evidence) leftOut(l *life, listing history.Listing) result.Finding {
	f := e.unreadable(l, listing.Step, listing.Replica, listing.Role, history.Exchange{Code: http.StatusNotFound})
	f.Verb = term.ListAll
	f.Message = fmt.Sprintf("%s %s: LIST through %s (%s) in step %d (%s) does not show it, and no step deleted it",
		l.manifest.Kind, l.copy.Name, listing.Replica, f.Release, listing.Step, f.Stage)
	return f
}

// answerText is an answer in words. Of a Secret the server's own words are left
// out: they may quote it.
func answerText(kind string, x history.Exchange) string {
	switch {
	case kind == redact.Kind && x.Message != "":
		return fmt.Sprintf("%d %s (%s)", x.Code, x.Reason, redact.Withheld)
	case x.Code == 0:
		return "not at all: " + x.Error
	case x.Error != "":
		return fmt.Sprintf("%d: %s", x.Code, x.Error)
	case x.Message != "":
		return fmt.Sprintf("%d: %s", x.Code, x.Message)
	}
	return fmt.Sprint(x.Code)
}
