package trace

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// definitions is the group of the objects that define custom resources.
const definitions = "apiextensions.k8s.io"

// IsCustom tells whether the release's manifests, or the plan itself, define the
// copy's kind: a definition is called after the resource that it defines. Without
// one, a kind is as good as built in: nothing tells.
func (tr *Trace) IsCustom(tl *Timeline, role term.Role) bool {
	resource := resourceOf(tr.History, tl.Manifest.APIVersion, tl.Manifest.Kind)
	if resource != "" && slices.Contains(tr.History.Releases[role].Defines, resource) {
		return true
	}
	for _, m := range tr.History.Header.Plan.Manifests {
		meta, _ := m.Body["metadata"].(map[string]any)
		if schema.GroupOf(m.APIVersion) == definitions && meta["name"] == resource {
			return true
		}
	}
	return false
}

// KindOf is an API version and a kind as one text.
func KindOf(apiVersion, kind string) string { return apiVersion + " " + kind }

// ValueAt names what was stored of a copy after a step, by the write that came last.
func (tr *Trace) ValueAt(tl *Timeline, step int) string {
	last := 0
	for _, number := range tl.Acts {
		if x := tr.Acts[number].Exchange; number <= step && tr.Steps[number].Step.Verb.Writes() && x.Succeeded() {
			last = number
		}
	}
	return fmt.Sprint(tl.Copy.Name, " ", last)
}

// Changes returns what was written to the store, by revision.
func (tr *Trace) Changes() map[int64]history.Change {
	all := make(map[int64]history.Change, len(tr.History.Changes))
	for _, c := range tr.History.Changes {
		all[c.Revision] = c
	}
	return all
}

// StoredIn is the version that a value is stored in.
func StoredIn(c history.Change) string { return "version " + KindOf(c.APIVersion, c.Kind) }

// Serves tells whether a release is known to serve the version that a value is
// stored in.
func (tr *Trace) Serves(role term.Role, c history.Change) bool {
	release := tr.History.Releases[role]
	is := func(r history.Resource) bool { return r.APIVersion == c.APIVersion && r.Kind == c.Kind }
	return slices.ContainsFunc(release.Resources, is) || slices.ContainsFunc(release.Elsewhere, is)
}

// StoredBy is the newest version that a step up to the given one wrote, or found there
// when it took the copy over from an earlier leg.
func (tr *Trace) StoredBy(tl *Timeline, step int) *StoredVersion {
	var found *StoredVersion
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if wrote := v.Step > 0 && v.Step <= step; (wrote || tl.Created <= step && tr.takenOver(tl, v)) && !v.Unrecorded {
			found = v
		}
	}
	return found
}

// MayServe tells whether a release serves a version, as far as is known of it.
func (tr *Trace) MayServe(role term.Role, apiVersion string) bool {
	published := tr.History.Releases[role].Schemas
	return published == nil || published[apiVersion] != "" // an empty map is of one that serves none that was asked for
}

// MayServeKind tells whether a release serves a kind in a version, as far as is known
// of it.
func (tr *Trace) MayServeKind(role term.Role, apiVersion, kind string) bool {
	_, publishes := tr.Schemas[role].Kind(apiVersion, kind)
	return tr.MayServe(role, apiVersion) && (publishes || tr.History.Releases[role].Schemas == nil)
}
