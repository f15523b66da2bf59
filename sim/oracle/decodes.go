package oracle

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
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
	j.facts++
	if op.Exchange.Succeeded() {
		return
	}
	f := e.unreadable(l, op.Step, op.Replica, op.Role, op.Exchange)
	f.Message = fmt.Sprintf("%s %s: GET through %s (%s) after step %d (%s: %s) was answered %s; %s",
		l.manifest.Kind, l.copy.Name, op.Replica, f.Release, op.Step, f.Stage, e.made(op.Step), answerText(op.Exchange),
		term.Rules().Meaning(term.Storage))
	j.findings = append(j.findings, f)
}

// unreadable is a finding about an answer that is no object. A 404 for an
// object that is stored means that it is gone; anything else, that it cannot
// be read.
func (e *evidence) unreadable(l *life, step int, replica string, role term.Role, x history.Exchange) result.Finding {
	f := e.finding(l, term.EverythingDecodes, step)
	f.Rule, f.Class, f.State = term.Storage, term.Violation, term.Undecodable
	f.Replica, f.Via, f.Release = replica, role, e.history.Releases[role].Version
	if x.Code == http.StatusNotFound {
		f.State = term.Lost
	}
	return f
}

func (e *evidence) judgeList(listing history.Listing, j *judged) {
	if e.interrupted(listing.Exchange) {
		j.untold++
		return
	}
	if !listing.Exchange.Succeeded() {
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
		State: term.Undecodable, Cause: term.Unattributed, Step: listing.Step, Stage: at.stage, Verb: term.ListAll,
		Replica: listing.Replica, Via: listing.Role, Release: release,
		Message: fmt.Sprintf("%s: LIST through %s (%s) in step %d (%s) was answered %s: one object that cannot be decoded breaks the whole resource",
			listing.Kind, listing.Replica, release, listing.Step, at.stage, answerText(listing.Exchange)),
	}
}

func (e *evidence) leftOut(l *life, listing history.Listing) result.Finding {
	f := e.unreadable(l, listing.Step, listing.Replica, listing.Role, history.Exchange{Code: http.StatusNotFound})
	f.Verb = term.ListAll
	f.Message = fmt.Sprintf("%s %s: LIST through %s (%s) in step %d (%s) does not show it, and no step deleted it",
		l.manifest.Kind, l.copy.Name, listing.Replica, f.Release, listing.Step, f.Stage)
	return f
}

func answerText(x history.Exchange) string {
	switch {
	case x.Code == 0:
		return "not at all: " + x.Error
	case x.Message != "":
		return fmt.Sprintf("%d: %s", x.Code, x.Message)
	}
	return fmt.Sprint(x.Code)
}
