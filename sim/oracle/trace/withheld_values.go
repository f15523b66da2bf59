package trace

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// findWithheld records where a value was withheld. A release is expected to hide fields that it
// does not publish. Each release is recorded once, preferably with what it served itself rather
// than with what a client's types decoded.
func findWithheld(ev *Evidence, tl *Timeline, acked *AckedValue) {
	for _, role := range NewestFirst() {
		if !ev.Declares(role, tl, acked.Leaf.Path) {
			continue
		}
		var typed Withheld
		for i := range tl.Versions {
			v := &tl.Versions[i]
			obs := Withholder(ev, tl, acked, v, role)
			if obs != nil && obs.Types == "" {
				acked.Withheld, typed = append(acked.Withheld, Withheld{Version: v, Observation: obs}), Withheld{}
				break
			}
			if obs != nil && typed.Observation == nil {
				typed = Withheld{Version: v, Observation: obs}
			}
		}
		if typed.Observation != nil {
			acked.Withheld = append(acked.Withheld, typed)
		}
	}
}

// Withholder returns the first answer of a release that does not show the value of a version
// which holds it, nil if none exists.
func Withholder(ev *Evidence, tl *Timeline, acked *AckedValue, v *StoredVersion, role term.Role) *Observation {
	if v.Change.Revision < acked.Revision || v.Change.Deleted || acked.IsWithdrawnAt(v) {
		return nil
	}
	if state, _ := ev.PresenceOf(tl, v, acked); state != Present {
		return nil // lost or changed, which is another finding
	}
	var typed *Observation
	for _, obs := range v.Views[role] {
		leaf, shown := acked.FoundIn(ev.LeavesOf(tl, obs.Answer))
		if shown && leaf.Semantic == acked.Leaf.Semantic {
			continue
		}
		// A trial serves no client, and types without the field show nothing.
		switch {
		case obs.Replica == "" || !ev.WouldShow(tl, *obs, acked.Leaf.Path):
		case obs.Types == "":
			return obs
		case typed == nil:
			typed = obs
		}
	}
	return typed
}
