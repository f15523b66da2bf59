package blame

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
)

// Write is the write that lost or changed a value, with the evidence for the cause.
type Write struct {
	Ev       *trace.Evidence
	Timeline *trace.Timeline
	Acked    *trace.AckedValue
	version  *trace.StoredVersion // what it stored, nil if unknown
	Act      history.Operation
	Step     plan.Step
}

// CauseOf derives why the step's write lost an acknowledged value, from what the releases
// publish, what the client had read and what it sent.
func CauseOf(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, step int) term.Cause {
	i := slices.IndexFunc(tl.Versions, func(v trace.StoredVersion) bool { return v.Step == step && v.Change.Revision > acked.Revision })
	if i < 0 {
		return causeOfWrite(ev, Write{Ev: ev, Timeline: tl, Acked: acked, Act: ev.Acts[step], Step: ev.Steps[step].Step})
	}
	return CauseAt(ev, tl, acked, &tl.Versions[i])
}

// CauseAt returns the cause of a value's loss or change in a stored version.
func CauseAt(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, v *trace.StoredVersion) term.Cause {
	return causeOfWrite(ev, Write{Ev: ev, Timeline: tl, Acked: acked, version: v, Act: ev.Acts[v.Step], Step: ev.Steps[v.Step].Step})
}

// causeOfWrite first checks whether the server could have kept the value, then whether the
// request left it alone, then the other reasons for which a server drops values. Without evidence
// for any of them the cause is unattributed.
func causeOfWrite(ev *trace.Evidence, w Write) term.Cause {
	if w.Act.Step == 0 { // no step asked for it
		return w.restored()
	}
	if !ev.Keeps(w.Act.Role, w.Timeline, w.Acked.Leaf) {
		return CauseNotKept(ev, w.Timeline, w.Act.Role)
	}
	if cause := w.misread(); cause != term.Unattributed {
		return cause
	}
	if Mutated(w.Act.Exchange, w.Acked.Leaf.Path) {
		return term.NotAdmitted
	}
	if cause, asked := w.asked(); asked {
		return cause
	}
	if GateIsOff(ev, w.Timeline, w.Act.Role, w.Acked.Leaf.Path) {
		return term.GateDisabled
	}
	if w.version != nil && StoredConverted(ev, w.Timeline, w.Act.Role, w.Act.Step, w.Step) {
		return term.Converted // neither the request nor the schema took it away
	}
	return w.restored()
}

// CauseNotKept returns why a server drops a field that its release does not publish.
func CauseNotKept(ev *trace.Evidence, tl *trace.Timeline, role term.Role) term.Cause {
	return ruling.NotKept(ev.IsCustom(tl, role))
}

// Prunes reports whether a release drops a value from what it serves, whoever stored it: of a
// custom resource it serves only what the definition declares.
func Prunes(ev *trace.Evidence, tl *trace.Timeline, role term.Role, p fieldpath.Path) bool {
	return ev.IsCustom(tl, role) && !ev.Declares(role, tl, p)
}

// restored returns the cause if only the stored form changed: a conversion, if the object was
// stored in another apiVersion before.
func (w Write) restored() term.Cause {
	if w.version == nil {
		return term.Unattributed
	}
	before := w.Timeline.Previous(w.version)
	now := w.version.Change.APIVersion
	if before != nil && now != "" && before.Change.APIVersion != "" && before.Change.APIVersion != now {
		return term.Converted
	}
	return term.Unattributed
}

// Rewrites reports whether a step stored its object in another API version than it was stored in before: a conversion
// made what it stored.
func Rewrites(tl *trace.Timeline, step int) bool {
	i := slices.IndexFunc(tl.Versions, func(v trace.StoredVersion) bool { return v.Step == step })
	return i >= 0 && Write{Timeline: tl, version: &tl.Versions[i]}.restored() == term.Converted
}

// StoredConverted reports whether a step stored a custom resource in another API version than it used: a conversion
// made what was stored of the request, and what the answer shows of that.
func StoredConverted(ev *trace.Evidence, tl *trace.Timeline, role term.Role, number int, step plan.Step) bool {
	return ev.IsCustom(tl, role) && StoredInAnother(tl, number, trace.VersionOf(tl, step))
}

// StoredInAnother reports whether a step stored its object in another API version than it sent: a conversion made the answer.
func StoredInAnother(tl *trace.Timeline, step int, version string) bool {
	return slices.ContainsFunc(tl.Versions, func(v trace.StoredVersion) bool {
		return v.Step == step && v.Change.APIVersion != "" && v.Change.APIVersion != version
	})
}

// asked reports whether the request itself removed the value, or may have, and why. Then the
// client is the cause, whatever the server did.
func (w Write) asked() (term.Cause, bool) {
	verb := w.Step.Verb
	switch {
	case !w.Reaches():
		return "", false
	case trace.OtherVersion(w.Timeline, w.Step):
		return w.omitted(term.Converted), true
	case w.Sends():
		return "", false
	case verb.Replaces():
		return w.omitted(term.Unattributed), true
	case verb.Applies():
		return w.applied()
	case verb.Modifies():
		return w.patched()
	}
	return "", false
}

// Reaches reports whether the call can change the value at all, so that its absence from the body
// may be the cause. A call to a subresource changes its part and metadata; the server takes the
// rest from what is stored. A change of /scale is always named.
func (w Write) Reaches() bool {
	p := w.Acked.Leaf.Path
	switch {
	case trace.WritesScale(w.Step), w.Step.Verb.PostsPart():
		return false
	case w.Step.Part() == "", path.Contains(metadataMember, p):
		return true
	case trace.WritesStatus(w.Step):
		return path.Contains(trace.StatusPath(), p)
	}
	return slices.ContainsFunc(trace.NamedPaths(w.Timeline.Manifest.Kind, w.Step), func(name fieldpath.Path) bool { return path.Contains(memberOf(name), p) })
}

var metadataMember = fieldpath.MakePathOrDie("metadata")

// memberOf returns the member of the spec or the status that a path is in. Only the server knows
// what a subresource other than the status writes: the members that the line names are assumed.
func memberOf(p fieldpath.Path) fieldpath.Path { return p[:min(len(p), 2)] }

// Sends reports whether the request holds the value as it was acknowledged.
func (w Write) Sends() bool {
	leaf, sent := w.Acked.FoundIn(w.Ev.SentLeaves(w.Timeline, w.Act))
	return sent && leaf.Semantic == w.Acked.Leaf.Semantic
}

// omitted returns why a client did not send back a value: it was not shown the value, or its
// types lack the field. Without a record of what the client read, it returns otherwise.
func (w Write) omitted(otherwise term.Cause) term.Cause {
	if cause, told := w.unread(); told {
		return cause
	}
	role, typed := w.Act.Client.Role()
	if typed && (role == term.Older || !w.Ev.TypesDeclare(role, w.Timeline, w.Acked.Leaf.Path)) {
		return term.ClientOmitted // an older client's own body shows it
	}
	return otherwise
}

// unread returns the cause if the client's read already explains the omission: the read is not
// recorded, or does not show the value. A release that does not publish the field hides it; why
// another release would is unknown.
func (w Write) unread() (term.Cause, bool) {
	read, ok := w.Ev.Reads[w.Act.Step]
	if !ok {
		return term.Unattributed, w.Step.Verb.Reads()
	}
	published := w.Ev.Keeps(read.Role, w.Timeline, w.Acked.Leaf)
	if trace.OtherVersion(w.Timeline, w.Step) {
		return term.ReadHidden, !published // it serves another form, so only a missing field explains it
	}
	if _, shown := w.Acked.FoundIn(w.Ev.LeavesOf(w.Timeline, read.Exchange.Answer)); shown {
		return "", false
	}
	role, typed := read.Client.Role()
	if published && read.Exchange.AnswerBytes != "" && typed && !w.Ev.TypesDeclare(role, w.Timeline, w.Acked.Leaf.Path) {
		return "", false // the record shows what its types made of the answer
	}
	return Unless(published, term.ReadHidden), true
}

// Unless returns a cause, or Unattributed where an answer contradicts the cause.
func Unless(contradicted bool, cause term.Cause) term.Cause {
	if contradicted {
		return term.Unattributed
	}
	return cause
}

// patched returns what a patch did to a value that it does not hold: it replaced a whole list
// above it, removed it, or left it alone.
func (w Write) patched() (term.Cause, bool) {
	switch w.Cut() {
	case Untouched:
		return "", false
	case byList:
		if cause, told := w.unread(); told && cause == term.ReadHidden {
			return cause, true
		}
		return term.ListReplaced, true
	}
	return w.omitted(term.Unattributed), true
}

// applied returns what an apply did to a value that it does not hold: it replaced a whole atomic
// list above it, gave it up, or left it to its owner.
func (w Write) applied() (term.Cause, bool) {
	whole, released := w.sendsAtomic(), w.owned()
	if !whole && !released {
		return "", false
	}
	if cause, told := w.unread(); told && cause == term.ReadHidden {
		return cause, true
	}
	if whole {
		return term.ListReplaced, true
	}
	return term.ApplyReleased, true
}

// sendsAtomic reports whether the request holds the list or map that contained the value, and the release that
// it goes through publishes it as atomic.
func (w Write) sendsAtomic() bool {
	p := w.Acked.Leaf.Path
	kind, _ := w.Ev.Schemas[w.Act.Role].Kind(w.Timeline.Manifest.APIVersion, w.Timeline.Manifest.Kind)
	for i := 1; i < len(p); i++ {
		if !kind.Atomic(p[:i]) {
			continue
		}
		sent, has := path.Get(w.Ev.History.Object(w.Act.Exchange.Sent), p[:i])
		return has && sent != nil
	}
	return false
}

// owned reports whether the manager had applied the value before, according to the object that
// the write met.
func (w Write) owned() bool {
	if w.version == nil {
		return false
	}
	before := w.Timeline.Previous(w.version)
	if before == nil {
		return false
	}
	manager := cmp.Or(w.Step.Manager, plan.DefaultManager)
	for _, role := range trace.NewestFirst() {
		for _, obs := range before.Views[role] {
			if owns(appliedBy(w.Ev.History.Object(obs.Answer), manager), w.Timeline.Kind, w.Acked.Leaf.Path) {
				return true
			}
		}
	}
	return false
}

// ClassOf distinguishes an expected impact from a violation: rule-6 says that objects which use
// the change are impacted by a rollback, and a field is part of the change if the old release
// does not publish it.
func ClassOf(ev *trace.Evidence, tl *trace.Timeline, at fieldpath.Path) (term.Class, term.Rule) {
	class, rule := ruling.ClassOf(trace.ValueIsOfChange(ev, tl, at), false)
	if class == term.Violation && tl.Copy.Role == term.Bystander && slices.Contains(ev.History.Header.Plan.Journey, term.Rollback) {
		rule = term.Rule6
	}
	return class, rule
}
