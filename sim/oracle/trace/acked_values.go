package trace

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// Withheld is an answer that hides or changes a stored value, although the release that answers
// publishes its field.
type Withheld struct {
	Version     *StoredVersion
	Observation *Observation
}

// AckedValue is one value that a client sent, and what happened to it.
type AckedValue struct {
	Name string // the path as text
	Leaf schema.Leaf
	// Offered is the step that sent the value; Acknowledged says whether the answer showed it,
	// and at which revision.
	Offered      int
	Acknowledged bool
	Revision     int64
	// Unread says that the answer could not be read, and that no other answer shows whether the
	// server accepted the value.
	Unread bool
	// Withdrawn is the later step that named the value's path, 0 if none did. floor is the newest
	// revision that an answer had shown before that step.
	Withdrawn  int
	SeenBefore int64
	// Losses are the versions that lost the value, in order.
	Losses []Loss
	// Withheld are the answers that do not show the value although it is stored.
	Withheld []Withheld
	// Resurrected is the first step that showed the value again after a rollback had hidden it, 0
	// if none did.
	Resurrected   int
	Indeterminate bool // whether the value is lost at the end is not known
	Returned      bool // the value was lost, and is back at the end
}

// Loss is a stored version that no longer holds an acknowledged value.
type Loss struct {
	Version *StoredVersion // the version that lost it
	Seen    *StoredVersion // the last version that showed it
	Outcome term.Outcome   // lost or changed
	After   schema.Leaf
	Shown   string // the answer that shows the state, "" when an answer only fails to show the value
}

// FoundIn returns the acknowledged value as an answer shows it. Any container counts as an empty
// one, since servers fill it.
func (acked *AckedValue) FoundIn(leaves schema.Leaves) (schema.Leaf, bool) {
	if leaf, ok := leaves[acked.Name]; ok {
		return leaf, true
	}
	if acked.Leaf.Semantic == schema.Empty && HasBelow(leaves, acked.Leaf.Path) {
		return acked.Leaf, true
	}
	return schema.Leaf{}, false
}

// HasBelow reports whether there is a value at the path or below it.
func HasBelow(leaves schema.Leaves, prefix fieldpath.Path) bool {
	for _, leaf := range leaves {
		if path.Contains(prefix, leaf.Path) {
			return true
		}
	}
	return false
}

// IsWithdrawnAt reports whether the value was already withdrawn when a version was written. A
// version that no step wrote is ordered by the revisions that earlier answers showed.
func (acked *AckedValue) IsWithdrawnAt(v *StoredVersion) bool {
	return acked.Withdrawn > 0 && (v.Step >= acked.Withdrawn || v.Step == 0 && v.Change.Revision > acked.SeenBefore)
}
