package trace

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// takenOver reports whether a stored version is the one that a copy of an earlier leg was
// found with: no step of this leg has written it.
func (tr *Trace) takenOver(tl *Timeline, v *StoredVersion) bool {
	return tr.Steps[tl.Created].Step.Adoption() && v.Change.Revision == tr.Acts[tl.Created].Exchange.Revision
}

// FromOld reports whether the run begins where nothing has changed yet. On a
// chain's way back it does not, and no call can be held against one before.
func FromOld(tr *Trace) bool {
	return scenarios.Begins(tr.History.Header.Plan.Journey) == term.Old
}
