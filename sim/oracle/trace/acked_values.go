package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// Withheld is an answer that shows a stored value not at all, or otherwise than
// others do, though the release that answers publishes it.
type Withheld struct {
	Version     *StoredVersion
	Observation *Observation
}

// AckedValue is one value that a client sent, and what became of it.
type AckedValue struct {
	Name string // the path as text
	Leaf schema.Leaf
	// Offered is the step that sent it; acknowledged says whether the answer
	// showed it, and at which revision.
	Offered      int
	Acknowledged bool
	Revision     int64
	// Unread says that the answer could not be read, and nothing else shows
	// whether the value was accepted.
	Unread bool
	// Withdrawn is the step that named its path later; 0: none did. floor is
	// the newest revision that an answer had shown before that step.
	Withdrawn  int
	SeenBefore int64
	// Losses are the turns for the worse, in the order of versions.
	Losses []Loss
	// Withheld are answers that do not show it, though it is stored.
	Withheld []Withheld
	// Resurrected is the first step that showed it again after a rollback had
	// hidden it; 0: none did.
	Resurrected   int
	Indeterminate bool // whether it is lost at the end cannot be told
	Returned      bool // it was lost, and is there at the end
}

// Loss is a version that no longer holds an acknowledged value's value.
type Loss struct {
	Version *StoredVersion // that lost it
	Seen    *StoredVersion // that showed it
	State   term.State     // lost or changed
	After   schema.Leaf
	Shown   string // the answer that shows it, "" when it is only known not to be shown
}

// FoundIn finds the acknowledged value's value in an answer. An empty container counts as shown
// by any container: servers fill it.
func (acked *AckedValue) FoundIn(leaves schema.Leaves) (schema.Leaf, bool) {
	if leaf, ok := leaves[acked.Name]; ok {
		return leaf, true
	}
	if acked.Leaf.Semantic == schema.Empty && HasBelow(leaves, acked.Leaf.Path) {
		return acked.Leaf, true
	}
	return schema.Leaf{}, false
}

// HasBelow reports whether a value stands at the path or below it.
func HasBelow(leaves schema.Leaves, prefix fieldpath.Path) bool {
	for _, leaf := range leaves {
		if path.Contains(prefix, leaf.Path) {
			return true
		}
	}
	return false
}

// IsWithdrawnAt tells that a version came to be when the value was withdrawn already.
// What no step wrote is placed by what was seen before.
func (acked *AckedValue) IsWithdrawnAt(v *StoredVersion) bool {
	return acked.Withdrawn > 0 && (v.Step >= acked.Withdrawn || v.Step == 0 && v.Change.Revision > acked.SeenBefore)
}
