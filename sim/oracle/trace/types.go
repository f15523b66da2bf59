package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Declares tells whether a release publishes a place for the path.
func (tr *Trace) Declares(role term.Role, tl *Timeline, p fieldpath.Path) bool {
	k, ok := tr.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return ok && k.Declares(p)
}

// Tells tells whether a sight would show the path if it were there: the release
// publishes it, and so does that of the types which read the answer.
func (tr *Trace) Tells(tl *Timeline, obs Observation, p fieldpath.Path) bool {
	role, typed := obs.Types.Role()
	return tr.Declares(obs.Role, tl, p) && (!typed || tr.TypesDeclare(role, tl, p))
}

// Schemas is what each release published, as the history's Release records name it.
type Schemas map[term.Role]*schema.Schema

// SeenBefore is the newest revision that an answer showed before a step.
func (tl *Timeline) SeenBefore(step int) int64 {
	var newest int64
	for _, obs := range tl.Sights {
		if obs.Step < step && obs.Dated() {
			newest = max(newest, obs.Revision)
		}
	}
	return newest
}

// ServerOwned are the parts of every object that servers write: no client's
// value there is ever acknowledged.
func ServerOwned() []fieldpath.Path { return ownedPaths }

var ownedPaths = func() []fieldpath.Path {
	var all []fieldpath.Path
	for _, name := range []string{"resourceVersion", "generation", "uid", "creationTimestamp", "managedFields", "selfLink", "name", "namespace"} {
		all = append(all, fieldpath.MakePathOrDie("metadata", name))
	}
	return append(all, fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"))
}()

// OfStatus reports whether a step writes the status of an object alone.
func OfStatus(step plan.Step) bool { return step.Part() == term.StatusPart }

// OfScale reports whether a step writes the scale of an object alone.
func OfScale(step plan.Step) bool { return step.Part() == term.ScalePart }

// OfClients is where Schemas holds what a release's clients are made of, where that is
// not what its servers publish: its manifests were never applied.
func OfClients(role term.Role) term.Role { return role + " clients" }

// TypesOf is the schema of a release's own types.
func (tr *Trace) TypesOf(role term.Role) *schema.Schema {
	if own := tr.Schemas[OfClients(role)]; own != nil {
		return own
	}
	return tr.Schemas[role]
}

// TypesDeclare tells whether a release's own types have a place for the path.
func (tr *Trace) TypesDeclare(role term.Role, tl *Timeline, p fieldpath.Path) bool {
	k, ok := tr.TypesOf(role).Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return ok && k.Declares(p)
}

// Without tells whether a release's servers are without the change: those of the old
// one, and of a new one whose manifests were never applied.
func (tr *Trace) Without(role term.Role) bool {
	return role == term.Old || role == term.New && tr.Schemas[OfClients(role)] != nil
}
