package oracle

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/sim/result"
)

// wrote says who made the version that a finding is about. A write that no step asked for
// is the servers' own: where managedFields name the one manager that made it, such as a
// controller of the server, so does the message.
func (e *evidence) wrote(l *life, f result.Finding, v *version) string {
	if f.Step > 0 || v == nil {
		return e.made(f.Step)
	}
	before := map[string]bool{}
	if p := l.previous(v); p != nil {
		for entry := range e.managersOf(p) {
			before[entry] = true
		}
	}
	var names []string
	for entry, manager := range e.managersOf(v) {
		if !before[entry] && !slices.Contains(names, manager) {
			names = append(names, manager)
		}
	}
	if len(names) != 1 {
		return e.made(f.Step)
	}
	return fmt.Sprintf("a write that no step asked for (the servers' own, by the manager %q)", names[0])
}

// managersOf are the managers of a version's managedFields, by the whole of their entries,
// which have the time of their last write.
func (e *evidence) managersOf(v *version) map[string]string {
	all := map[string]string{}
	for _, views := range v.views {
		for _, s := range views {
			meta, _ := e.history.Object(s.answer)["metadata"].(map[string]any)
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
