package blame

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// CauseText returns the meaning of a cause for what a step did: a create rewrites nothing.
func CauseText(ev *trace.Evidence, f result.Finding) string {
	if step := ev.Steps[f.Step].Step; f.Cause == term.UnknownField && step.CreatesCopy() {
		return "a server whose release does not know the field did not store it"
	}
	return term.Causes().Meaning(f.Cause) + ofProgramText(ev, f)
}

// WriterText says who wrote the version that a finding is about. A write that no step asked for
// is the servers' own; if managedFields name the one manager that made it, such as a controller
// of the server, so does the message.
func WriterText(ev *trace.Evidence, tl *trace.Timeline, f result.Finding, v *trace.StoredVersion) string {
	if f.Step > 0 || v == nil {
		return StepText(ev, f.Step)
	}
	return ownWrite(ev, newManagers(ev, tl, v))
}

// OwnWritesText says what the servers themselves wrote of a copy after one revision, up to
// another; "" if they wrote nothing.
func OwnWritesText(ev *trace.Evidence, tl *trace.Timeline, from, to int64) string {
	var names []string
	found := false
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if r := v.Change.Revision; v.Step == 0 && !v.Unrecorded && r > from && r <= to {
			found = true
			for _, name := range newManagers(ev, tl, v) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if !found {
		return ""
	}
	return ", but for " + ownWrite(ev, names)
}

// ownWrite describes a write of the servers themselves, with its manager if it has one only.
func ownWrite(ev *trace.Evidence, managers []string) string {
	if len(managers) != 1 {
		return StepText(ev, 0)
	}
	return fmt.Sprintf("a write that no step asked for (the servers' own, by the manager %q)", managers[0])
}

// newManagers returns the managers that have written since the previous version.
func newManagers(ev *trace.Evidence, tl *trace.Timeline, v *trace.StoredVersion) (names []string) {
	before := map[string]bool{}
	if p := tl.Previous(v); p != nil {
		for entry := range managersOf(ev, p) {
			before[entry] = true
		}
	}
	for entry, manager := range managersOf(ev, v) {
		if !before[entry] && !slices.Contains(names, manager) {
			names = append(names, manager)
		}
	}
	return names
}

// managersOf returns the managers in a version's managedFields with their entries as text, which
// include the time of the last write.
func managersOf(ev *trace.Evidence, v *trace.StoredVersion) map[string]string {
	all := map[string]string{}
	for _, views := range v.Views {
		for _, obs := range views {
			meta, _ := ev.History.Object(obs.Answer)["metadata"].(map[string]any)
			entries, _ := meta["managedFields"].([]any)
			for _, one := range entries {
				entry, _ := one.(map[string]any)
				manager, _ := entry["manager"].(string)
				raw, err := json.Marshal(entry)
				if manager != "" && err == nil {
					all[string(raw)] = manager
				}
			}
		}
	}
	return all
}
