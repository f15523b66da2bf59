package oracle

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// mistaken is a value that a release shows where nobody put one: it took the
// protobuf tag of a field that it does not know for one of its own.
type mistaken struct {
	version *version
	sight   *sight
	leaf    schema.Leaf
}

// findMistaken notes where each release that does not know an entry's field shows
// its value as another field's: of each release the first. Equal values alone say
// little, so the two fields must come and go together wherever they are seen.
func (e *evidence) findMistaken(l *life, n *entry) []mistaken {
	var all []mistaken
	for _, role := range newestFirst() {
		if e.declares(role, l, n.leaf.Path) {
			continue
		}
		if m := e.mistakenBy(l, n, role); m.sight != nil {
			all = append(all, m)
		}
	}
	return all
}

func (e *evidence) mistakenBy(l *life, n *entry, role term.Role) mistaken {
	for i := range l.versions {
		v := &l.versions[i]
		if v.change.Revision < n.revision || n.over(v) || storage.Encoding(v.change.Encoding) != storage.Protobuf {
			continue
		}
		if state, _ := e.look(l, v, n); state != present {
			continue
		}
		for _, s := range servedAs(v, role) {
			leaves := e.leavesOf(l, s.answer)
			for _, name := range union(leaves, nil) {
				if e.takenFor(l, n, v, s, leaves[name]) && e.comeTogether(l, n, role, leaves[name]) {
					return mistaken{v, s, leaves[name]}
				}
			}
		}
	}
	return mistaken{}
}

// takenFor tells whether an answer shows the entry's value at another place beside
// its own, where nobody put it, no default does, and no other release sees it.
func (e *evidence) takenFor(l *life, n *entry, v *version, s *sight, leaf schema.Leaf) bool {
	up := n.leaf.Path[:len(n.leaf.Path)-1]
	if leaf.Semantic != n.leaf.Semantic || void(leaf) || !path.Contains(up, leaf.Path) || e.isPublishedDefault(l, s.role, leaf) {
		return false
	}
	return !e.shownByOthers(l, v, s.role, leaf.Path) && !e.everSent(l, v, leaf.Path)
}

// shownByOthers tells whether another release shows anything at a place of a version.
func (e *evidence) shownByOthers(l *life, v *version, role term.Role, at fieldpath.Path) bool {
	for _, other := range newestFirst() {
		for _, s := range v.views[other] {
			if _, shown := e.leavesOf(l, s.answer)[path.String(at)]; other != role && shown {
				return true
			}
		}
	}
	return false
}

// everSent tells whether a client had sent the copy anything at a place by the time
// that a version was stored.
func (e *evidence) everSent(l *life, v *version, at fieldpath.Path) bool {
	for _, n := range l.entries {
		if path.Contains(at, n.leaf.Path) && n.offered <= v.step {
			return true
		}
	}
	for _, step := range l.acts {
		if step <= v.step && e.wasSent(l, e.acts[step], at) {
			return true
		}
	}
	return false
}

// comeTogether tells whether a release shows a value at a place whenever, and only
// when, the other one shows that same value in the entry's field: of all copies of
// the kind, in every version that both have served, some with it and some without.
func (e *evidence) comeTogether(l *life, n *entry, role term.Role, leaf schema.Leaf) bool {
	with, without := 0, 0
	for _, other := range e.byCopy {
		if other.manifest.APIVersion != l.manifest.APIVersion || other.manifest.Kind != l.manifest.Kind {
			continue
		}
		for i := range other.versions {
			v := &other.versions[i]
			mine, theirs := servedAs(v, role), servedAs(v, role.Other())
			if len(mine) == 0 || len(theirs) == 0 || e.everSent(other, v, leaf.Path) {
				continue
			}
			here := e.leavesOf(other, mine[0].answer)[path.String(leaf.Path)]
			there := e.leavesOf(other, theirs[0].answer)[n.name]
			switch {
			case here.Semantic != there.Semantic:
				return false
			case void(here):
				without++
			default:
				with++
			}
		}
	}
	return with > 0 && without > 0
}

func (e *evidence) mistakenFinding(l *life, n *entry, m mistaken) result.Finding {
	s := m.sight
	f := e.finding(l, term.NothingLost, s.step)
	f.Replica, f.Via, f.Release = s.replica, s.role, e.history.Releases[s.role].Version
	f.AcknowledgedStep, f.Path = n.offered, path.String(m.leaf.Path)
	f.State, f.Cause, f.Class, f.Rule = term.Changed, term.BadEncoding, term.Violation, term.Storage
	f.After = e.shown(l, f.Path, m.leaf.Value)
	f.Message = fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s), is stored, and %s, whose release does not know it, shows it as %s, which nobody sent, in step %d (%s)%s; %s under %s",
		f.Kind, f.Copy, n.name, schema.Text(e.shown(l, n.name, n.leaf.Value)), n.offered, e.servedBy(n.offered), s.reads(f.Release),
		f.Path, s.step, f.Stage, because(f.Cause), f.Class, f.Rule)
	return f
}
