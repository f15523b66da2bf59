package trace

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/history"
)

// KindText returns an API version and a kind as one text.
func KindText(apiVersion, kind string) string { return apiVersion + " " + kind }

// ValueAt names the stored value of a copy after a step, by the last step that wrote it.
func (tr *Trace) ValueAt(tl *Timeline, step int) string {
	last := 0
	for _, number := range tl.Acts {
		if x := tr.Acts[number].Exchange; number <= step && tr.Steps[number].Step.Verb.Writes() && x.Succeeded() {
			last = number
		}
	}
	return fmt.Sprint(tl.Copy.Name, " ", last)
}

// VersionText returns the version in which a value is stored, as text.
func VersionText(c history.Change) string { return "version " + KindText(c.APIVersion, c.Kind) }

// StoredBy returns the newest version that a step up to the given one wrote, or that the copy
// already had when it came from an earlier leg.
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
