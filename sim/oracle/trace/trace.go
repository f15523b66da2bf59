package trace

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// Trace is the history, put in order copy by copy.
type Trace struct {
	History *history.History
	Policy  redact.Policy // what of it no result shows
	Schemas Schemas
	Steps   map[int]Place
	Acts    map[int]history.Operation // by step: the operation itself
	Reads   map[int]history.Operation // by step: the GET of a GET-PUT
	ByCopy  []*Timeline
	Related [][]fieldpath.Path // groups of paths that servers keep in step
	Reigns  []reign
	Memo    memo
	Zeros   zeros
	Dealt   map[Spot]Dealings // what releases did about a place, where that was asked
	Calls   *Calls
	// Counting: kinds of which some object has a generation, once it was asked.
	Counting map[string]bool
	// alikeForms: of a kind and an API version that it is stored in, whether both have one form.
	alikeForms map[string]bool
	// Emulator is the end whose servers emulate the version of the other; "": none does.
	Emulator term.Role
}

// MakeRoom lets a copy hold as many sights as the history has of it: there are
// a hundred of each copy, and growing to that takes the same again.
func MakeRoom(h *history.History, lives map[string]*Timeline) {
	sights := map[*Timeline]int{}
	for _, op := range h.Operations {
		if slices.Contains([]history.Purpose{history.Act, history.Read, history.Look}, op.Purpose) {
			sights[lives[op.Copy]]++
		}
	}
	for _, l := range h.Listings {
		for _, item := range l.Items {
			sights[lives[item.Copy]]++
		}
	}
	delete(sights, nil)
	for tl, n := range sights {
		tl.Sights = make([]Observation, 0, n)
	}
}

// Lives adds a timeline for each copy of the plan, and returns them by the copy's name.
func (tr *Trace) Lives() map[string]*Timeline {
	all := map[string]*Timeline{}
	p := tr.History.Header.Plan
	for _, c := range p.Copies {
		m := p.Manifests[c.Manifest]
		tl := &Timeline{Copy: c, Manifest: m, Kind: tr.kind(m)}
		all[c.Name] = tl
		tr.ByCopy = append(tr.ByCopy, tl)
	}
	return all
}

// kind is the kind as the newest release that serves it publishes it.
func (tr *Trace) kind(m plan.Manifest) schema.Kind {
	for _, role := range NewestFirst() {
		if k, ok := tr.TypesOf(role).Kind(m.APIVersion, m.Kind); ok {
			return k
		}
	}
	return schema.Kind{}
}

// AddOperation takes in a request of a step. What was only tried is no sight: a
// dry run answers with what would be stored.
func (tr *Trace) AddOperation(op history.Operation, tl *Timeline) {
	switch op.Purpose {
	case history.Act:
		takeTurn(tr.Acts, op)
	case history.Read:
		takeTurn(tr.Reads, op)
	case history.Look:
	default:
		return
	}
	if tl == nil || op.Follows != "" { // another version's form of it
		return
	}
	if op.Purpose == history.Act && !slices.Contains(tl.Acts, op.Step) {
		tl.Acts = append(tl.Acts, op.Step)
	}
	x, step := op.Exchange, tr.Steps[op.Step].Step
	s := observed{
		Replica: op.Replica, Role: op.Role, Purpose: op.Purpose,
		Code: x.Code, Message: x.Message, Revision: x.Revision, Answer: x.Answer,
		wrote: op.Purpose == history.Act && step.Verb.Writes(),
		part:  op.Purpose != history.Look && apart(tl, step),
	}
	if x.AnswerBytes != "" {
		s.Types = op.Client
	}
	if step.Verb == term.DeleteCollection {
		s.Revision = 0 // that of a list, and so any object's
	}
	s.object = !s.part && tr.History.HasObject(x.Answer)
	tl.sees(op.Step, s)
}

// takeTurn keeps the last turn of a step that met conflicts: what it came to.
func takeTurn(turns map[int]history.Operation, op history.Operation) {
	if before, ok := turns[op.Step]; !ok || op.Turn >= before.Turn {
		turns[op.Step] = op
	}
}

// apart tells whether a step's own answers are about the copy without showing
// it as it is looked at: those of /scale, of a POST of another kind, of a delete, and of another apiVersion.
func apart(tl *Timeline, step plan.Step) bool {
	return OfScale(step) || step.Verb == term.Post || step.Verb.Deletes() || OtherVersion(tl, step)
}

// AddListing adds what a LIST showed to the timelines of the copies that it names.
func (tr *Trace) AddListing(l history.Listing, lives map[string]*Timeline) {
	if l.FieldSelector != "" {
		return // the one beside it shows the same, and all of it
	}
	for _, item := range l.Items {
		life := lives[item.Copy]
		if life == nil || life.Manifest.APIVersion != l.APIVersion || life.Manifest.Kind != l.Kind {
			continue
		}
		life.sees(l.Step, observed{
			Replica: l.Replica, Role: l.Role, Code: l.Exchange.Code,
			Revision: item.Revision, Answer: item.Answer, object: tr.History.HasObject(item.Answer), cached: l.Form == term.CachedList,
		})
	}
}
