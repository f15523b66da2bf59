package oracle

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// entry is one value that a client sent, and what became of it.
type entry struct {
	name string // the path as text
	leaf schema.Leaf
	// offered is the step that sent it; acknowledged says whether the answer
	// showed it, and at which revision.
	offered      int
	acknowledged bool
	revision     int64
	// unread says that the answer could not be read, and nothing else shows
	// whether the value was accepted.
	unread bool
	// withdrawn is the step that named its path later; 0: none did. floor is
	// the newest revision that an answer had shown before that step.
	withdrawn int
	floor     int64
	// losses are the turns for the worse, in the order of versions.
	losses []loss
	// withheld are answers that do not show it, though it is stored.
	withheld []withheld
	// resurrected is the first step that showed it again after a rollback had
	// hidden it; 0: none did.
	resurrected int
	open        bool // whether it is lost at the end cannot be told
	back        bool // it was lost, and is there at the end
}

// loss is a version that no longer holds an entry's value.
type loss struct {
	version *version   // that lost it
	seen    *version   // that showed it
	state   term.State // lost or changed
	after   schema.Leaf
	shown   string // the answer that shows it, "" when it is only known not to be shown
}

// in finds the entry's value in an answer. An empty container counts as shown
// by any container: servers fill it.
func (n *entry) in(leaves schema.Leaves) (schema.Leaf, bool) {
	if leaf, ok := leaves[n.name]; ok {
		return leaf, true
	}
	if n.leaf.Semantic == schema.Empty && below(leaves, n.leaf.Path) {
		return n.leaf, true
	}
	return schema.Leaf{}, false
}

func below(leaves schema.Leaves, prefix fieldpath.Path) bool {
	for _, leaf := range leaves {
		if path.Contains(prefix, leaf.Path) {
			return true
		}
	}
	return false
}

// keepAccount fills the ledger of a copy: what it was created with, and what
// later operations declare that they change. What a client merely sends back
// is not offered anew, and what it leaves out is not withdrawn. A write without
// a clear answer withdraws what it names if it may have been done, and nothing
// that it sent counts.
func (e *evidence) keepAccount(l *life) {
	for _, number := range l.acts {
		act, step := e.acts[number], e.steps[number].step
		if l.dies(number) {
			e.withdraw(l, plan.Step{Number: number, Verb: term.Delete})
		}
		if !step.Verb.Writes() && !step.Adoption() || !act.Exchange.Succeeded() && !unclear(act.Exchange) {
			continue
		}
		if unclear(act.Exchange) && !l.mayBeOf(number) {
			continue
		}
		if step.Verb.Deletes() && act.Exchange.Succeeded() {
			continue // what it takes away is withdrawn once it is gone
		}
		e.withdraw(l, step)
		e.withdrawAll(l, step, e.appliedAnew(l, act, step))
		if unclear(act.Exchange) || e.lacks(act.Exchange) {
			continue
		}
		e.addOffers(l, act, e.offers(l, act, step))
	}
}

func (e *evidence) addOffers(l *life, act history.Operation, offered schema.Leaves) {
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		if !e.counts(l, act, offered[name].Path) || l.stands(name, offered[name]) {
			continue
		}
		n := &entry{name: e.memo.same(name), leaf: e.memo.sameLeaf(name, offered[name]), offered: act.Step, revision: act.Exchange.Revision}
		e.acknowledge(l, act, n)
		l.entries = append(l.entries, n)
	}
}

// acknowledge finds out whether the server accepted a value. Where the answer
// cannot be read, what was seen of the object then says so, or nothing does.
func (e *evidence) acknowledge(l *life, act history.Operation, n *entry) {
	if !e.mute(act) {
		got, ok := n.in(e.leavesOf(l, act.Exchange.Answer))
		n.acknowledged = ok && got.Semantic == n.leaf.Semantic
		return
	}
	n.unread = true
	v := l.left(act.Step)
	if v == nil {
		return
	}
	if state, _ := e.look(l, v, n); state == present {
		n.acknowledged, n.unread, n.revision = true, false, v.change.Revision
	}
}

// stands tells whether a value was acknowledged already, and is not withdrawn:
// to send it again, as every apply does, offers nothing new.
func (l *life) stands(name string, leaf schema.Leaf) bool {
	return slices.ContainsFunc(l.entries, func(n *entry) bool {
		return n.name == name && n.acknowledged && n.withdrawn == 0 && n.leaf.Semantic == leaf.Semantic
	})
}

// unclear tells that a write may have been done, though no answer says so.
func unclear(x history.Exchange) bool { return x.Code == 0 || x.Code >= 500 }

// leavesIn are an object's values. Nothing, or an object without members, has
// none: it is no empty value of the whole object.
func leavesIn(k schema.Kind, object map[string]any) schema.Leaves {
	if len(object) == 0 {
		return schema.Leaves{}
	}
	return k.Leaves(object)
}

// seenBefore is the newest revision that an answer showed before a step.
func (l *life) seenBefore(step int) int64 {
	var newest int64
	for _, s := range l.sights {
		if s.step < step && s.dated() {
			newest = max(newest, s.revision)
		}
	}
	return newest
}

// over tells that a version came to be when the value was withdrawn already.
// What no step wrote is placed by what was seen before.
func (n *entry) over(v *version) bool {
	return n.withdrawn > 0 && (v.step >= n.withdrawn || v.step == 0 && v.change.Revision > n.floor)
}

// settle walks the stored versions and notes where each entry's value went.
func (e *evidence) settle(l *life) {
	for _, n := range l.entries {
		if n.acknowledged {
			e.settleEntry(l, n)
			e.findWithheld(l, n)
		}
	}
}

func (e *evidence) settleEntry(l *life, n *entry) {
	known, last := present, n.leaf.Semantic
	var pending []*version
	for i := range l.versions {
		v := &l.versions[i]
		if v.change.Revision < n.revision {
			continue
		}
		if v.change.Deleted || n.over(v) {
			pending = nil
			break
		}
		state, leaf := e.look(l, v, n)
		switch {
		case state == untold:
			pending = append(pending, v)
			continue
		case state == present:
			leaf = n.leaf
		case state != known || leaf.Semantic != last:
			n.losses = append(n.losses, e.lossAt(l, n, v, pending, state, leaf))
		}
		known, last, pending = state, leaf.Semantic, nil
	}
	n.open = len(pending) > 0 && known == present
	n.back = known == present
}

// lossAt says which version lost the value. Among versions that nothing which
// knows the field has read, it is the first whose writer does not know it: no
// other could not have kept it.
func (e *evidence) lossAt(l *life, n *entry, seen *version, pending []*version, state presence, after schema.Leaf) loss {
	at := seen
	for _, v := range pending {
		if act, ok := e.acts[v.step]; ok && !e.declares(act.Role, l, n.leaf.Path) {
			at = v
			break
		}
	}
	lost := loss{version: at, seen: seen, state: term.Lost, after: after}
	if state == altered {
		lost.state = term.Changed
	}
	lost.shown = e.shownWithout(l, n, seen)
	return lost
}

// shownWithout is an answer that tells what a version holds at the path, and
// around it; "": there is none.
func (e *evidence) shownWithout(l *life, n *entry, v *version) string {
	for _, role := range newestFirst() {
		for _, s := range v.views[role] {
			if e.tells(l, *s, n.leaf.Path) {
				return s.answer
			}
		}
	}
	return ""
}
