package trace

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// takenOver reports whether a stored version is the one that a copy of an earlier leg had at the
// start of this leg: no step of this leg wrote it.
func (tr *Trace) takenOver(tl *Timeline, v *StoredVersion) bool {
	return tr.Steps[tl.Created].Step.Adoption() && v.Change.Revision == tr.Acts[tl.Created].Exchange.Revision
}

// FromOld reports whether the run starts before any change. The way back of a chain does not, and
// its calls have no earlier call to be compared with.
func FromOld(tr *Trace) bool {
	return scenarios.Begins(tr.History.Header.Plan.Journey) == term.Old
}
