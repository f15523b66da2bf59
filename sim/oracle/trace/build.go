package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
)

// builder adds what a history records to the timelines of its copies.
type builder struct {
	*Trace
	skipped map[int]bool                // steps whose client gave up after a conflict
	stored  map[string][]history.Change // by key
}

// Build orders a history by copy. Steps, not the order of lines, say what came
// before what: operations of a stage overlap, and each has its own copy,
// or waits for those of its copy that come before it.
func Build(h *history.History, schemas Schemas) *Trace {
	b := newBuilder(attributed(whileStoreLived(WithTitles(h))), schemas)
	b.Emulator = Emulator(h)
	b.addTimelines()
	b.makeRoom()
	for _, op := range b.History.Operations {
		// A conflict is not what a step came to when its client went on from it,
		// and then could not.
		if op.Purpose != history.Act || !b.skipped[op.Step] {
			b.addOperation(op)
		}
	}
	for _, l := range b.History.Listings {
		b.addListing(l)
	}
	b.addAsides()
	for _, tl := range b.Timelines {
		slices.Sort(tl.Acts)
		slices.SortStableFunc(tl.Observations, CompareObservations)
		stored := b.stored[tl.Key(b.Changes)]
		b.addMilestones(tl, stored)
		b.addVersions(tl, stored)
	}
	return b.Trace
}

func newBuilder(h *history.History, schemas Schemas) *builder {
	b := &builder{skipped: map[int]bool{}, stored: map[string][]history.Change{}}
	b.Trace = &Trace{
		History: h, Policy: redact.For(h.Header.Plan.Confidential), Published: Published{Schemas: schemas, history: h}, Steps: StagedSteps(h),
		Acts: map[int]history.Operation{}, Reads: map[int]history.Operation{}, Epochs: SchemaEpochs(h),
		ByCopy: map[string]*Timeline{}, Changes: make(map[int64]history.Change, len(h.Changes)),
	}
	for _, s := range h.Skips {
		b.skipped[s.Step] = true
	}
	for _, c := range h.Changes {
		b.Changes[c.Revision] = c
		b.stored[c.Key] = append(b.stored[c.Key], c)
	}
	return b
}

// makeRoom lets a copy hold as many observations as the history has of it: there are
// a hundred of each copy, and growing to that takes the same again.
func (b *builder) makeRoom() {
	counts := map[*Timeline]int{}
	for _, op := range b.History.Operations {
		if slices.Contains([]history.Purpose{history.Act, history.Read, history.Look}, op.Purpose) {
			counts[b.ByCopy[op.Copy]]++
		}
	}
	for _, l := range b.History.Listings {
		for _, item := range l.Items {
			counts[b.ByCopy[item.Copy]]++
		}
	}
	delete(counts, nil)
	for tl, n := range counts {
		tl.Observations = make([]Observation, 0, n)
	}
}

// addTimelines adds a timeline for each copy of the plan.
func (b *builder) addTimelines() {
	p := b.History.Header.Plan
	for _, c := range p.Copies {
		m := p.Manifests[c.Manifest]
		tl := &Timeline{Copy: c, Manifest: m, Kind: b.kind(m)}
		b.ByCopy[c.Name] = tl
		b.Timelines = append(b.Timelines, tl)
	}
}

// addOperation takes in a request of a step. What was only tried is no observation: a
// dry run answers with what would be stored.
func (b *builder) addOperation(op history.Operation) {
	tl := b.ByCopy[op.Copy]
	switch op.Purpose {
	case history.Act:
		takeTurn(b.Acts, op)
	case history.Read:
		takeTurn(b.Reads, op)
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
	x, step := op.Exchange, b.Steps[op.Step].Step
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
	s.object = !s.part && b.History.HasObject(x.Answer)
	tl.sees(op.Step, s)
}

// takeTurn keeps the last turn of a step that met conflicts: what it came to.
func takeTurn(turns map[int]history.Operation, op history.Operation) {
	if before, ok := turns[op.Step]; !ok || op.Turn >= before.Turn {
		turns[op.Step] = op
	}
}

// apart reports whether a step's own answers are about the copy without showing
// it as it is looked at: those of /scale, of a POST of another kind, of a delete, and of another apiVersion.
func apart(tl *Timeline, step plan.Step) bool {
	return WritesScale(step) || step.Verb == term.Post || step.Verb.Deletes() || OtherVersion(tl, step)
}

// addListing adds what a LIST showed to the timelines of the copies that it names.
func (b *builder) addListing(l history.Listing) {
	if l.FieldSelector != "" {
		return // the one beside it shows the same, and all of it
	}
	for _, item := range l.Items {
		tl := b.ByCopy[item.Copy]
		if tl == nil || tl.Manifest.APIVersion != l.APIVersion || tl.Manifest.Kind != l.Kind {
			continue
		}
		tl.sees(l.Step, observed{
			Replica: l.Replica, Role: l.Role, Code: l.Exchange.Code,
			Revision: item.Revision, Answer: item.Answer, object: b.History.HasObject(item.Answer), cached: l.Form == term.CachedList,
		})
	}
}

// addMilestones finds out which steps brought the copy into being, and took it
// away; stored are the changes of its key.
func (b *builder) addMilestones(tl *Timeline, stored []history.Change) {
	for _, step := range tl.Acts {
		act := b.Acts[step]
		switch verb := b.Steps[step].Step.Verb; {
		case verb.Deletes() && (act.Exchange.Succeeded() || IsUnclear(act.Exchange) && b.wasDeleted(tl, step, stored)):
			if at := tl.goneAt(step); at > 0 {
				tl.milestones, tl.Deleted = append(tl.milestones, milestone{at, false}), at
			}
		case act.Exchange.Succeeded() && b.Creates(act):
			tl.milestones, tl.Deleted = append(tl.milestones, milestone{step, true}), 0
			if tl.Created == 0 {
				tl.Created = step
			}
		}
	}
}

// wasDeleted reports whether a delete without a clear answer was done: the store
// tells of a deletion after what was seen before it, and nothing saw the object
// in between.
func (b *builder) wasDeleted(tl *Timeline, step int, stored []history.Change) bool {
	seen := tl.NewestSeenBefore(step)
	return slices.ContainsFunc(stored, func(c history.Change) bool {
		return c.Deleted && c.Revision > seen && !b.seenSince(tl, step, c.Revision)
	})
}

// addAsides takes in what is known of stored versions by other ways than the
// steps: events of watches, and trials of recorded bytes. They say what a
// version holds. When they came, and so what anybody was served at some step,
// they do not say.
func (b *builder) addAsides() {
	for _, w := range b.History.Watches {
		tl := b.ByCopy[w.Copy]
		shows := w.Event == history.WatchAdded || w.Event == history.WatchModified
		if tl == nil || !shows || tl.Manifest.APIVersion != w.APIVersion || tl.Manifest.Kind != w.Kind {
			continue
		}
		tl.Asides = append(tl.Asides, Observation{observed: &observed{
			Replica: w.Replica, Role: w.Role, Code: 200, Revision: w.Revision, Answer: w.Answer, object: b.History.HasObject(w.Answer),
		}})
	}
	for _, t := range b.History.Trials {
		tl := b.ByCopy[t.Copy]
		if tl == nil || t.Trial != history.TrialGet || tl.Manifest.APIVersion != t.APIVersion || tl.Manifest.Kind != t.Kind || !b.isStored(t) {
			continue
		}
		tl.Asides = append(tl.Asides, Observation{observed: &observed{
			Role: t.Role, Code: t.Code, Revision: t.Revision, Answer: t.Answer, object: b.History.HasObject(t.Answer),
		}})
	}
}

// isStored reports whether a trial read what the record says was stored.
func (b *builder) isStored(t history.Trial) bool {
	c, ok := b.Changes[t.Revision]
	return ok && c.Key == t.Key && c.Value == t.Value
}
