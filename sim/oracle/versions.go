package oracle

import (
	"cmp"
	"iter"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// version is one stored value of a copy, with who wrote it and what each
// release served of it.
type version struct {
	change history.Change
	// unrecorded tells that only answers tell of it: the record of the store
	// does not hold its revision.
	unrecorded bool
	step       int // whose write it was; 0: the servers' own
	// suspects are the writes that may have made it, where no answer tells of it.
	suspects []int
	// views are the answers that showed it, by release. Of alike ones it has the first.
	views map[term.Role][]*sight
}

// addVersions finds the copy's stored values: every change of its key, and
// every revision that an answer showed.
func (e *evidence) addVersions(l *life, stored []history.Change) {
	created := e.acts[l.created].Exchange.Revision
	if l.created == 0 {
		return
	}
	found := map[int64]version{}
	for s := range l.everySight() {
		if s.dated() && s.revision >= created && s.revision > 0 {
			found[s.revision] = version{change: history.Change{Revision: s.revision}, unrecorded: true}
		}
	}
	for _, c := range stored {
		if c.Revision >= created {
			found[c.Revision] = version{change: c}
		}
	}
	writers, views := e.writers(l), l.views()
	for _, v := range found {
		v.step, v.views = writers[v.change.Revision], views[v.change.Revision].shown()
		if v.step == 0 {
			v.suspects = e.suspects(l, writers, v.change.Revision)
		}
		if len(v.suspects) == 1 {
			v.step = v.suspects[0]
		}
		v.placeAsides()
		l.versions = append(l.versions, v)
	}
	slices.SortFunc(l.versions, func(a, b version) int { return cmp.Compare(a.change.Revision, b.change.Revision) })
}

// placeAsides gives what has no place among the steps that of the version's
// write: an event of a watch follows from it.
func (v *version) placeAsides() {
	for _, views := range v.views {
		for _, s := range views {
			if s.step == 0 {
				s.step = v.step
			}
		}
	}
}

// key is the key that changed at the revisions which answers about the copy
// carry; no table of key layouts is needed. It takes the key that most answers
// agree on: one revision alone might be another object's.
func (l *life) key(changes map[int64]history.Change) string {
	votes, best := map[string]int{}, ""
	for _, s := range l.sights {
		c, ok := changes[s.revision]
		if !ok || !s.dated() {
			continue
		}
		votes[c.Key]++
		if votes[c.Key] > votes[best] {
			best = c.Key
		}
	}
	return best
}

// everySight yields the answers that have a place among the steps, then the others.
func (l *life) everySight() iter.Seq[*sight] {
	return func(yield func(*sight) bool) {
		for _, all := range [][]sight{l.sights, l.asides} {
			for i := range all {
				if !yield(&all[i]) {
					return
				}
			}
		}
	}
}

// views are the answers that showed the copy at one revision, by release: those
// to writes, and all others.
type views struct{ answers, looks map[term.Role][]*sight }

// views are the answers that showed the copy, by revision. Most of a long
// history are the same answers, LIST after LIST: the first of them tells all.
func (l *life) views() map[int64]views {
	all := map[int64]views{}
	for s := range l.everySight() {
		if !s.ok() {
			continue
		}
		at, known := all[s.revision]
		if !known {
			at = views{map[term.Role][]*sight{}, map[term.Role][]*sight{}}
			all[s.revision] = at
		}
		to := at.looks
		if s.wrote {
			to = at.answers
		}
		if !slices.ContainsFunc(to[s.role], s.alike) {
			to[s.role] = append(to[s.role], s)
		}
	}
	return all
}

// alike tells whether two answers of a release show the same, to somebody or to nobody.
func (s *sight) alike(o *sight) bool {
	return s.answer == o.answer && s.types == o.types && (s.replica == "") == (o.replica == "")
}

// shown are the answers that tell what was stored. The answer to a write counts
// only where nothing read the object back: a server can answer with what it
// then does not store.
func (v views) shown() map[term.Role][]*sight {
	for role, answers := range v.answers {
		if len(v.looks[role]) == 0 {
			v.looks[role] = answers
		}
	}
	return v.looks
}

// writers are the steps whose answers carry a revision, by that revision. A
// write that changed nothing answers with an older one, which it or an earlier
// step has seen already: that is not its own. A LIST among the operations of a
// stage overlaps those of a higher number, so it is no earlier than they are.
func (e *evidence) writers(l *life) map[int64]int {
	all, seen := map[int64]int{}, map[int64]bool{}
	for _, s := range l.sights {
		if s.wrote && s.dated() && !seen[s.revision] {
			all[s.revision] = s.step
		}
		if s.dated() && !(s.list() && e.steps[s.step].step.Action == plan.Operate) {
			seen[s.revision] = true
		}
	}
	return all
}

// suspects are the writes that may have made a version which no answer tells
// of: those whose answers do not tell what they did, between the writes before
// and after. Later steps that were shown the version before clear them.
func (e *evidence) suspects(l *life, writers map[int64]int, revision int64) []int {
	after, before := 0, len(e.steps)+1
	for at, step := range writers {
		if at < revision {
			after = max(after, step)
		} else {
			before = min(before, step)
		}
	}
	var found []int
	for _, step := range l.acts {
		act, between := e.acts[step], step > after && step < before
		untold := unclear(act.Exchange) || e.mute(act) && act.Exchange.Revision == 0
		if between && untold && e.steps[step].step.Verb.Writes() && !e.seenSince(l, step, revision) {
			found = append(found, step)
		}
	}
	return found
}

// mayBeOf tells whether a step may have made one of the copy's stored versions.
func (l *life) mayBeOf(step int) bool {
	return slices.ContainsFunc(l.versions, func(v version) bool { return v.step == step || slices.Contains(v.suspects, step) })
}

// left is the version that a step left behind: its own or, where it changed
// nothing, the one that was looked at. Nil: none is known.
func (l *life) left(step int) *version {
	for i := range l.versions {
		if l.versions[i].step == step {
			return &l.versions[i]
		}
	}
	for _, s := range l.sights {
		if s.step == step && s.purpose == history.Look && s.ok() {
			return l.version(s.revision)
		}
	}
	return nil
}

// between are the steps among which a version came to be that no step wrote:
// the last that had seen an older one, and the first that saw it or a newer one.
// 0: there is none.
func (l *life) between(v *version) (after, before int) {
	for _, s := range l.sights {
		switch {
		case !s.dated():
		case s.revision < v.change.Revision:
			after = max(after, s.step)
		case before == 0 || s.step < before:
			before = s.step
		}
	}
	return after, before
}

// previous is the stored value that a version took the place of; nil: there was
// none, or it was deleted.
func (l *life) previous(v *version) *version {
	i := slices.IndexFunc(l.versions, func(o version) bool { return o.change.Revision == v.change.Revision })
	if i <= 0 || l.versions[i-1].change.Deleted {
		return nil
	}
	return &l.versions[i-1]
}

// version returns the stored value at a revision, nil when there is none.
func (l *life) version(revision int64) *version {
	for i := range l.versions {
		if l.versions[i].change.Revision == revision {
			return &l.versions[i]
		}
	}
	return nil
}

// presence is what is known of a value inside a stored version.
type presence int

const (
	untold  presence = iota // seen only by releases that do not publish the field
	present                 // some release served it
	absent                  // a release that publishes the field did not serve it
	altered                 // a release served another value
)

// look finds out what became of an entry's value in a stored version.
func (e *evidence) look(l *life, v *version, n *entry) (presence, schema.Leaf) {
	found, other := untold, schema.Leaf{}
	for _, role := range newestFirst() {
		for _, s := range v.views[role] {
			leaf, shown := n.in(e.leavesOf(l, s.answer))
			switch {
			case shown && leaf.Semantic == n.leaf.Semantic:
				return present, leaf
			case shown && found != altered:
				found, other = altered, leaf
			case !shown && found == untold && e.tells(l, *s, n.leaf.Path):
				found = absent
			}
		}
	}
	if found == untold {
		return e.inStored(l, v, n)
	}
	return found, other
}

// newestFirst is the order in which releases are asked, so that the answer
// does not depend on how a map is walked.
func newestFirst() []term.Role { return []term.Role{term.New, term.Old} }
