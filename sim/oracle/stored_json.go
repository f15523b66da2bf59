package oracle

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// Custom resources are stored as JSON, which can be read without a server: what is stored is
// then known, also where no release that publishes the field has served it.

// storedLeaves are the values of a stored version of a custom resource; false: it is not
// JSON, or is stored in an API version whose objects are not seen to have the same form.
func (e *evidence) storedLeaves(l *life, v *version) (schema.Leaves, bool) {
	c := v.change
	custom := slices.ContainsFunc(newestFirst(), func(role term.Role) bool { return e.isCustom(l, role) })
	if !custom || v.unrecorded || c.Deleted || c.Encoding != string(storage.JSON) || !e.history.HasStoredObject(c.Value) {
		return nil, false
	}
	if c.APIVersion != l.manifest.APIVersion && !e.storedAlike(l, c.APIVersion) {
		return nil, false
	}
	return e.leavesOf(l, c.Value), true
}

// storedAlike reports whether objects that are stored in another API version have the form
// of the copy's own: each answer that shows one has the stored values at the places that its
// release publishes. A webhook that converts them shows otherwise.
func (e *evidence) storedAlike(l *life, stored string) bool {
	key := l.manifest.APIVersion + " " + l.manifest.Kind + " " + stored
	if alike, asked := e.alikeForms[key]; asked {
		return alike
	}
	seen, differs := false, false
	for _, other := range e.byCopy {
		if other.manifest.Kind != l.manifest.Kind || other.manifest.APIVersion != l.manifest.APIVersion {
			continue
		}
		for i := range other.versions {
			if v := &other.versions[i]; v.change.APIVersion == stored && e.history.HasStoredObject(v.change.Value) {
				shows, agrees := e.showsStored(other, v)
				seen, differs = seen || shows, differs || !agrees
			}
		}
	}
	if e.alikeForms == nil {
		e.alikeForms = map[string]bool{}
	}
	e.alikeForms[key] = seen && !differs
	return seen && !differs
}

// askForms asks of every stored version whether its form is known, while all copies are: the
// answer for one is found in the versions of all.
func (e *evidence) askForms() {
	for _, l := range e.byCopy {
		for i := range l.versions {
			e.storedLeaves(l, &l.versions[i])
		}
	}
}

// showsStored reports whether an answer shows some value of a stored version in its place,
// and whether all answers show what their releases publish of it.
func (e *evidence) showsStored(l *life, v *version) (shows, agrees bool) {
	agrees = true
	for name, leaf := range e.leavesOf(l, v.change.Value) {
		if ofObject(leaf.Path) {
			continue
		}
		for _, role := range newestFirst() {
			if !e.declares(role, l, leaf.Path) {
				continue
			}
			for _, s := range v.views[role] {
				got, has := e.leavesOf(l, s.answer)[name]
				same := has && got.Semantic == leaf.Semantic
				shows, agrees = shows || same, agrees && same
			}
		}
	}
	return shows, agrees
}

// ofObject reports whether a path is about the object and not of what it says.
func ofObject(p fieldpath.Path) bool {
	about := append([]fieldpath.Path{fieldpath.MakePathOrDie("metadata")}, serverOwned()...)
	return slices.ContainsFunc(about, func(other fieldpath.Path) bool { return path.Contains(other, p) })
}

// inStored finds out what became of an entry's value from the stored JSON alone.
func (e *evidence) inStored(l *life, v *version, n *entry) (presence, schema.Leaf) {
	leaves, read := e.storedLeaves(l, v)
	if !read {
		return untold, schema.Leaf{}
	}
	switch leaf, has := n.in(leaves); {
	case has && leaf.Semantic == n.leaf.Semantic:
		return present, leaf
	case has:
		return altered, leaf
	}
	return absent, schema.Leaf{}
}

// stateOfGone is the state of a value that an answer about a revision does not show: what
// the stored JSON holds still is hidden, and not lost.
func (e *evidence) stateOfGone(l *life, revision int64, was schema.Leaf) term.State {
	if v := l.version(revision); v != nil {
		leaves, read := e.storedLeaves(l, v)
		if leaf, has := leaves[path.String(was.Path)]; read && has && leaf.Semantic == was.Semantic {
			return term.Hidden
		}
	}
	return term.Lost
}
