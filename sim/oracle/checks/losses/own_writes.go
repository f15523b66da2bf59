package losses

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// wrote says who made the version that a finding is about. A write that no step asked for
// is the servers' own: where managedFields name the one manager that made it, such as a
// controller of the server, so does the message.
func wrote(tr *trace.Trace, tl *trace.Timeline, f result.Finding, v *trace.StoredVersion) string {
	if f.Step > 0 || v == nil {
		return finding.Made(tr, f.Step)
	}
	return ownWrite(tr, newManagers(tr, tl, v))
}

// WroteBetween says what the servers themselves wrote of a copy after one revision, up to
// another; "" where they wrote nothing.
func WroteBetween(tr *trace.Trace, tl *trace.Timeline, from, to int64) string {
	var names []string
	any := false
	for i := range tl.Versions {
		v := &tl.Versions[i]
		if r := v.Change.Revision; v.Step == 0 && !v.Unrecorded && r > from && r <= to {
			any = true
			for _, name := range newManagers(tr, tl, v) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if !any {
		return ""
	}
	return ", but for " + ownWrite(tr, names)
}

// ownWrite is a write of the servers' own in words, by the one manager that made it.
func ownWrite(tr *trace.Trace, managers []string) string {
	if len(managers) != 1 {
		return finding.Made(tr, 0)
	}
	return fmt.Sprintf("a write that no step asked for (the servers' own, by the manager %q)", managers[0])
}

// newManagers are the managers that have written since the version before.
func newManagers(tr *trace.Trace, tl *trace.Timeline, v *trace.StoredVersion) (names []string) {
	before := map[string]bool{}
	if p := tl.Previous(v); p != nil {
		for entry := range managersOf(tr, p) {
			before[entry] = true
		}
	}
	for entry, manager := range managersOf(tr, v) {
		if !before[entry] && !slices.Contains(names, manager) {
			names = append(names, manager)
		}
	}
	return names
}

// managersOf are the managers of a version's managedFields, by the whole of their entries,
// which have the time of their last write.
func managersOf(tr *trace.Trace, v *trace.StoredVersion) map[string]string {
	all := map[string]string{}
	for _, views := range v.Views {
		for _, obs := range views {
			meta, _ := tr.History.Object(obs.Answer)["metadata"].(map[string]any)
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
