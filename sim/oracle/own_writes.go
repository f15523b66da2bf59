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
	return e.ownWrite(e.newManagers(l, v))
}

// wroteBetween says what the servers themselves wrote of a copy after one revision, up to
// another; "" where they wrote nothing.
func (e *evidence) wroteBetween(l *life, from, to int64) string {
	var names []string
	any := false
	for i := range l.versions {
		v := &l.versions[i]
		if r := v.change.Revision; v.step == 0 && !v.unrecorded && r > from && r <= to {
			any = true
			for _, name := range e.newManagers(l, v) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if !any {
		return ""
	}
	return ", but for " + e.ownWrite(names)
}

// ownWrite is a write of the servers' own in words, by the one manager that made it.
func (e *evidence) ownWrite(managers []string) string {
	if len(managers) != 1 {
		return e.made(0)
	}
	return fmt.Sprintf("a write that no step asked for (the servers' own, by the manager %q)", managers[0])
}

// newManagers are the managers that have written since the version before.
func (e *evidence) newManagers(l *life, v *version) (names []string) {
	before := map[string]bool{}
	if p := l.previous(v); p != nil {
		for entry := range e.managersOf(p) {
			before[entry] = true
		}
	}
	for entry, manager := range e.managersOf(v) {
		if !before[entry] && !slices.Contains(names, manager) {
			names = append(names, manager)
		}
	}
	return names
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
