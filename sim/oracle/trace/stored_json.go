package trace

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// Custom resources are stored as JSON, which is readable without a server. So what is stored is
// known even where no release that publishes the field has served it.

// storedLeaves returns the values of a stored version of a custom resource. It returns false if
// the version is not JSON, or is stored in an API version not known to have the same form.
func (tr *Trace) storedLeaves(tl *Timeline, v *StoredVersion) (schema.Leaves, bool) {
	c := v.Change
	custom := slices.ContainsFunc(NewestFirst(), func(role term.Role) bool { return tr.IsCustom(tl, role) })
	if !custom || v.Unrecorded || c.Deleted || c.Encoding != string(storage.JSON) || !tr.History.HasStoredObject(c.Value) {
		return nil, false
	}
	if c.APIVersion != tl.Manifest.APIVersion && !tr.storedAlike(tl, c.APIVersion) {
		return nil, false
	}
	return tr.LeavesOf(tl, c.Value), true
}

// storedAlike reports whether objects that are stored in another API version have the form of the
// copy's own version: each answer that shows one has the stored values at every path that its
// release publishes. With a conversion webhook that changes the form, answers differ.
func (tr *Trace) storedAlike(tl *Timeline, stored string) bool {
	key := tl.Manifest.APIVersion + " " + tl.Manifest.Kind + " " + stored
	if alike, asked := tr.alikeForms[key]; asked {
		return alike
	}
	seen, differs := false, false
	for _, other := range tr.Timelines {
		if other.Manifest.Kind != tl.Manifest.Kind || other.Manifest.APIVersion != tl.Manifest.APIVersion {
			continue
		}
		for i := range other.Versions {
			if v := &other.Versions[i]; v.Change.APIVersion == stored && tr.History.HasStoredObject(v.Change.Value) {
				shows, agrees := tr.showsStored(other, v)
				seen, differs = seen || shows, differs || !agrees
			}
		}
	}
	if tr.alikeForms == nil {
		tr.alikeForms = map[string]bool{}
	}
	tr.alikeForms[key] = seen && !differs
	return seen && !differs
}

// CompareForms compares the forms of all stored versions while all copies are in memory: the
// answer for one copy depends on the versions of all.
func (tr *Trace) CompareForms() {
	for _, tl := range tr.Timelines {
		for i := range tl.Versions {
			tr.storedLeaves(tl, &tl.Versions[i])
		}
	}
}

// showsStored reports whether an answer shows some value of a stored version at its path, and
// whether all answers show what their releases publish of it.
func (tr *Trace) showsStored(tl *Timeline, v *StoredVersion) (shows, agrees bool) {
	agrees = true
	for name, leaf := range tr.LeavesOf(tl, v.Change.Value) {
		if ofObject(leaf.Path) {
			continue
		}
		for _, role := range NewestFirst() {
			if !tr.Declares(role, tl, leaf.Path) {
				continue
			}
			for _, obs := range v.Views[role] {
				got, has := tr.LeavesOf(tl, obs.Answer)[name]
				same := has && got.Semantic == leaf.Semantic
				shows, agrees = shows || same, agrees && same
			}
		}
	}
	return shows, agrees
}

// ofObject reports whether a path is about the object itself rather than its content.
func ofObject(p fieldpath.Path) bool {
	about := append([]fieldpath.Path{fieldpath.MakePathOrDie("metadata")}, ServerOwned()...)
	return slices.ContainsFunc(about, func(other fieldpath.Path) bool { return path.Contains(other, p) })
}

// inStored returns what the stored JSON alone says of an acknowledged value.
func (tr *Trace) inStored(tl *Timeline, v *StoredVersion, acked *AckedValue) (Presence, schema.Leaf) {
	leaves, read := tr.storedLeaves(tl, v)
	if !read {
		return Indeterminate, schema.Leaf{}
	}
	switch leaf, has := acked.FoundIn(leaves); {
	case has && leaf.Semantic == acked.Leaf.Semantic:
		return Present, leaf
	case has:
		return Altered, leaf
	}
	return Absent, schema.Leaf{}
}

// OutcomeOfGone returns the state of a value that an answer about a revision does not show: a value
// that the stored JSON still holds is hidden, not lost.
func (tr *Trace) OutcomeOfGone(tl *Timeline, revision int64, was schema.Leaf) term.Outcome {
	if v := tl.Version(revision); v != nil {
		leaves, read := tr.storedLeaves(tl, v)
		if leaf, has := leaves[path.String(was.Path)]; read && has && leaf.Semantic == was.Semantic {
			return term.Hidden
		}
	}
	return term.Lost
}
