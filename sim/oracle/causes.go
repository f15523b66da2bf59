package oracle

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// write is the write that lost or changed a value, with what tells why.
type write struct {
	e    *evidence
	l    *life
	n    *entry
	v    *version // what it stored; nil: nothing is known of it
	act  history.Operation
	step plan.Step
}

// cause derives why the step's write lost an entry's value, from what the
// releases publish, what the client had read and what it sent.
func (e *evidence) cause(l *life, n *entry, step int) term.Cause {
	i := slices.IndexFunc(l.versions, func(v version) bool { return v.step == step && v.change.Revision > n.revision })
	if i < 0 {
		return e.causeOf(write{e: e, l: l, n: n, act: e.acts[step], step: e.steps[step].step})
	}
	return e.causeAt(l, n, &l.versions[i])
}

// causeAt is the cause of what became of a value in a stored version.
func (e *evidence) causeAt(l *life, n *entry, v *version) term.Cause {
	return e.causeOf(write{e: e, l: l, n: n, v: v, act: e.acts[v.step], step: e.steps[v.step].step})
}

// causeOf asks first whether the server could have kept the value, then whether
// the request left it alone, then what else a server drops values for. What
// none of this tells is unattributed.
func (e *evidence) causeOf(w write) term.Cause {
	if w.act.Step == 0 { // nobody asked for it
		return w.restored()
	}
	if !e.declares(w.act.Role, w.l, w.n.leaf.Path) {
		return e.ignorance(w.l, w.act.Role)
	}
	if cause := w.misread(); cause != term.Unattributed {
		return cause
	}
	if cause, asked := w.asked(); asked {
		return cause
	}
	if e.gateIsOff(w.l, w.act.Role, w.n.leaf.Path) {
		return term.GateDisabled
	}
	return w.restored()
}

// ignorance is why a server drops what its release publishes no place for: of a
// custom resource it prunes what the definition does not declare, of any other
// its types have no place for it.
func (e *evidence) ignorance(l *life, role term.Role) term.Cause {
	if e.isCustom(l, role) {
		return term.Pruned
	}
	return term.UnknownField
}

// prunes tells whether a release takes a value out of what it serves, whoever stored
// it: of a custom resource it serves nothing that the definition does not declare.
func (e *evidence) prunes(l *life, role term.Role, p fieldpath.Path) bool {
	return e.isCustom(l, role) && !e.declares(role, l, p)
}

// definitions is the group of the objects that define custom resources.
const definitions = "apiextensions.k8s.io"

// isCustom tells whether the release's manifests, or the plan itself, define the
// copy's kind: a definition is called after the resource that it defines. Without
// one, a kind is as good as built in: nothing tells.
func (e *evidence) isCustom(l *life, role term.Role) bool {
	resource := resourceOf(e.history, l.manifest.APIVersion, l.manifest.Kind)
	if resource != "" && slices.Contains(e.history.Releases[role].Defines, resource) {
		return true
	}
	for _, m := range e.history.Header.Plan.Manifests {
		meta, _ := m.Body["metadata"].(map[string]any)
		if schema.GroupOf(m.APIVersion) == definitions && meta["name"] == resource {
			return true
		}
	}
	return false
}

// restored is the cause where only the stored form changed: a conversion, when
// the object was stored in another apiVersion than before.
func (w write) restored() term.Cause {
	if w.v == nil {
		return term.Unattributed
	}
	before := w.l.previous(w.v)
	now := w.v.change.APIVersion
	if before != nil && now != "" && before.change.APIVersion != "" && before.change.APIVersion != now {
		return term.Converted
	}
	return term.Unattributed
}

// asked tells whether the request itself took the value away, or may have, and
// then why: it is the client's doing, and what the server did is not asked.
func (w write) asked() (term.Cause, bool) {
	verb := w.step.Verb
	switch {
	case !w.reaches():
		return "", false
	case otherVersion(w.l, w.step):
		return w.omitted(term.Converted), true
	case w.sends():
		return "", false
	case verb == term.Put, verb == term.UnchangedPut, verb == term.StatusPut:
		return w.omitted(term.Unattributed), true
	case verb == term.Apply, verb == term.ExtractApply:
		return w.applied()
	case verb.Modifies():
		return w.patched()
	}
	return "", false
}

// reaches reports whether the call can change the value at all, so that what its body
// lacks may be why the value is gone. A call to a subresource changes its part, and
// metadata; the server takes the rest from what is stored. What /scale changes is named.
func (w write) reaches() bool {
	p := w.n.leaf.Path
	switch {
	case ofScale(w.step), w.step.Verb == term.Post:
		return false
	case w.step.Part() == "", path.Contains(metadataMember, p):
		return true
	case ofStatus(w.step):
		return path.Contains(statusPath(), p)
	}
	return slices.ContainsFunc(named(w.l.manifest.Kind, w.step), func(name fieldpath.Path) bool { return path.Contains(memberOf(name), p) })
}

var metadataMember = fieldpath.MakePathOrDie("metadata")

// memberOf is the member of the spec, or of the status, that a path is in. Which part a
// subresource other than the status writes, only the server knows: it is taken to be the
// members that the line names.
func memberOf(p fieldpath.Path) fieldpath.Path { return p[:min(len(p), 2)] }

// sends tells whether the request holds the value as it was acknowledged.
func (w write) sends() bool {
	leaf, sent := w.n.in(leavesIn(w.l.kind, plainly(w.l.manifest.Kind, w.e.history.Object(w.act.Exchange.Sent))))
	return sent && leaf.Semantic == w.n.leaf.Semantic
}

// omitted is why a client did not send what it should have sent back: it was
// not shown it, or its types have no place for it. Without a record of what it
// had read, nothing tells.
func (w write) omitted(otherwise term.Cause) term.Cause {
	if cause, told := w.unread(); told {
		return cause
	}
	role, typed := w.act.Client.Role()
	if typed && (role == term.Older || !w.e.typesDeclare(role, w.l, w.n.leaf.Path)) {
		return term.ClientOmitted // of an older client's types its own body tells
	}
	return otherwise
}

// unread tells whether the client's read leaves nothing to ask its types: it is
// not recorded, or does not show the value. A release that does not publish the
// field hides it; why another should, nothing tells.
func (w write) unread() (term.Cause, bool) {
	read, ok := w.e.reads[w.act.Step]
	if !ok {
		return term.Unattributed, w.step.Verb.Reads()
	}
	published := w.e.declares(read.Role, w.l, w.n.leaf.Path)
	if otherVersion(w.l, w.step) {
		return term.ReadHidden, !published // its form is another: only that it has no place for the value tells
	}
	if _, shown := w.n.in(w.e.leavesOf(w.l, read.Exchange.Answer)); shown {
		return "", false
	}
	role, typed := read.Client.Role()
	if published && read.Exchange.AnswerBytes != "" && typed && !w.e.typesDeclare(role, w.l, w.n.leaf.Path) {
		return "", false // what is recorded is what its types made of the answer
	}
	return unless(published, term.ReadHidden), true
}

func unless(contradicted bool, cause term.Cause) term.Cause {
	if contradicted {
		return term.Unattributed
	}
	return cause
}

// patched is what a patch did to a value that it does not hold: it replaced a
// list above it whole, or took it away, or left it alone.
func (w write) patched() (term.Cause, bool) {
	switch w.cut() {
	case untouched:
		return "", false
	case byList:
		if cause, told := w.unread(); told && cause == term.ReadHidden {
			return cause, true
		}
		return term.ListReplaced, true
	}
	return w.omitted(term.Unattributed), true
}

// applied is what an apply did to a value that it does not hold: it replaced an
// atomic list above it whole, or gave it up, or left it to its owner.
func (w write) applied() (term.Cause, bool) {
	list, released := w.atomicListSent(), w.owned()
	if !list && !released {
		return "", false
	}
	if cause, told := w.unread(); told && cause == term.ReadHidden {
		return cause, true
	}
	if list {
		return term.ListReplaced, true
	}
	return term.ApplyReleased, true
}

// atomicListSent tells whether the request holds the atomic list that the value
// was in.
func (w write) atomicListSent() bool {
	i := slices.IndexFunc(w.n.leaf.Path, func(e fieldpath.PathElement) bool { return e.Index != nil })
	if i < 0 || !w.l.kind.Atomic(w.n.leaf.Path[:i]) {
		return false
	}
	sent, _ := path.Get(w.e.history.Object(w.act.Exchange.Sent), w.n.leaf.Path[:i])
	_, list := sent.([]any)
	return list
}

// owned tells whether the manager had applied the value before: the object that
// the write met says so.
func (w write) owned() bool {
	if w.v == nil {
		return false
	}
	before := w.l.previous(w.v)
	if before == nil {
		return false
	}
	manager := cmp.Or(w.step.Manager, plan.DefaultManager)
	for _, role := range newestFirst() {
		for _, s := range before.views[role] {
			if owns(appliedBy(w.e.history.Object(s.answer), manager), w.l.kind, w.n.leaf.Path) {
				return true
			}
		}
	}
	return false
}
