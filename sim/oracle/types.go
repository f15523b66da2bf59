package oracle

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// OfClients is where Schemas holds what a release's clients are made of, where that is
// not what its servers publish: its manifests were never applied.
func OfClients(role term.Role) term.Role { return role + " clients" }

// typesOf is the schema of a release's own types.
func (e *evidence) typesOf(role term.Role) *schema.Schema {
	if own := e.schemas[OfClients(role)]; own != nil {
		return own
	}
	return e.schemas[role]
}

// typesDeclare tells whether a release's own types have a place for the path.
func (e *evidence) typesDeclare(role term.Role, l *life, p fieldpath.Path) bool {
	k, ok := e.typesOf(role).Kind(l.manifest.APIVersion, l.manifest.Kind)
	return ok && k.Declares(p)
}

// without tells whether a release's servers are without the change: those of the old
// one, and of a new one whose manifests were never applied.
func (e *evidence) without(role term.Role) bool {
	return role == term.Old || role == term.New && e.schemas[OfClients(role)] != nil
}
