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

// Build groups a history by copy. The numbers of steps give the order, not the order of lines:
// operations of a stage overlap, and each uses its own copy or waits for the earlier operations
// of that copy.
func Build(h *history.History, schemas Schemas) *Trace {
	b := newBuilder(attributed(whileStoreLived(WithTitles(h))), schemas)
	b.Emulator = Emulator(h)
	b.addTimelines()
	b.makeRoom()
	for _, op := range b.History.Operations {
		// The conflict is not the outcome of a step whose client continued after it and failed
		// later.
		if op.Purpose != history.Act || !b.skipped[op.Step] {
			b.addOperation(op)
		}
	}
	b.nameElements()
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
	b.Schemas = b.ungated()
	for _, s := range h.Skips {
		b.skipped[s.Step] = true
	}
	for _, c := range h.Changes {
		b.Changes[c.Revision] = c
		b.stored[c.Key] = append(b.stored[c.Key], c)
	}
	return b
}

// makeRoom allocates the observations of each copy at once: a copy has about a hundred, and
// growing the slices would allocate as much again.
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

// addOperation adds a request of a step. The answer to a dry run is not an observation: it shows
// what would be stored.
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
	if tl == nil || op.Follows != "" { // the copy's form in another version
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
	if step.Verb.OfCollection() {
		s.Revision = 0 // the revision of a list belongs to no single object
	}
	s.object = !s.part && b.History.HasObject(x.Answer)
	tl.observe(op.Step, s)
}

// takeTurn keeps the last attempt of a step that met conflicts: it is the step's outcome.
func takeTurn(turns map[int]history.Operation, op history.Operation) {
	if before, ok := turns[op.Step]; !ok || op.Turn >= before.Turn {
		turns[op.Step] = op
	}
}

// apart reports whether a step's own answers are about the copy without showing the object in its
// own version: answers of /scale, of a POST of another kind, of a delete, of another apiVersion.
func apart(tl *Timeline, step plan.Step) bool {
	return WritesScale(step) || step.Verb.SendsOtherKind() || step.Verb.Deletes() || OtherVersion(tl, step)
}

// addListing adds what a LIST showed to the timelines of the copies that it names.
func (b *builder) addListing(l history.Listing) {
	if l.FieldSelector != "" {
		return // the LIST beside it shows all of this, and more
	}
	for _, item := range l.Items {
		tl := b.ByCopy[item.Copy]
		if tl == nil || tl.Manifest.APIVersion != l.APIVersion || tl.Manifest.Kind != l.Kind {
			continue
		}
		tl.observe(l.Step, observed{
			Replica: l.Replica, Role: l.Role, Code: l.Exchange.Code,
			Revision: item.Revision, Answer: item.Answer, object: b.History.HasObject(item.Answer), cached: l.Form == term.CachedList,
		})
	}
}

// addMilestones finds the steps that created and deleted the copy; stored are the changes of its
// key.
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

// wasDeleted reports whether a delete without a clear answer took effect: the store records a
// deletion after the last version seen before it, and no answer shows the object in between.
func (b *builder) wasDeleted(tl *Timeline, step int, stored []history.Change) bool {
	seen := tl.NewestSeenBefore(step)
	return slices.ContainsFunc(stored, func(c history.Change) bool {
		return c.Deleted && c.Revision > seen && !b.seenSince(tl, step, c.Revision)
	})
}

// addAsides adds what events of watches and trials of recorded bytes show of stored versions.
// They show what a version holds, but not when a client was served it.
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

// isStored reports whether a trial read the bytes that were recorded as stored.
func (b *builder) isStored(t history.Trial) bool {
	c, ok := b.Changes[t.Revision]
	return ok && c.Key == t.Key && c.Value == t.Value
}
