package oracle

import (
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// version is one stored value of a copy, with who wrote it and what each
// release served of it.
type version struct {
	change history.Change
	step   int // whose write it was; 0: the servers' own
	views  map[term.Role]schema.Leaves
}

// addVersions finds the copy's stored values. The key is the one that changed
// at the revision which the answer to its create carries; no table of key
// layouts is needed.
func (e *evidence) addVersions(l *life, changes map[int64]history.Change, keys map[string][]history.Change) {
	created := e.acts[l.created].Exchange.Revision
	first, ok := changes[created]
	if l.created == 0 || !ok {
		return
	}
	writers := e.writers(l)
	for _, c := range keys[first.Key] {
		if c.Revision < created {
			continue
		}
		v := version{change: c, step: writers[c.Revision], views: map[term.Role]schema.Leaves{}}
		if c.Deleted {
			v.step = l.deleted
		}
		l.versions = append(l.versions, v)
	}
	for _, s := range l.sights {
		if v := l.version(s.revision); v != nil && s.ok() && v.views[s.role] == nil {
			v.views[s.role] = e.leavesOf(l, s.answer)
		}
	}
}

// writers are the steps whose answers carry a revision, by that revision. A
// write that changed nothing answers with an older one, so the first counts.
func (e *evidence) writers(l *life) map[int64]int {
	all := map[int64]int{}
	for _, s := range l.sights {
		if s.purpose != history.Act || !s.ok() || !e.steps[s.step].step.Verb.Writes() {
			continue
		}
		if _, taken := all[s.revision]; !taken {
			all[s.revision] = s.step
		}
	}
	return all
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
		leaves, seen := v.views[role]
		leaf, shown := n.in(leaves)
		switch {
		case !seen:
		case shown && leaf.Semantic == n.leaf.Semantic:
			return present, leaf
		case shown:
			found, other = altered, leaf
		case found == untold && e.declares(role, l, n.leaf.Path):
			found = absent
		}
	}
	return found, other
}

// newestFirst is the order in which releases are asked, so that the answer
// does not depend on how a map is walked.
func newestFirst() []term.Role { return []term.Role{term.New, term.Old} }
