package oracle

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/finding"
)

// endedEarly tells of each server that ended by itself before its turn, having been held
// off the store, and was executed again. Nothing reports whether it ended of being held,
// which no roll-out does, or of what it read: its log may.
func endedEarly(h *history.History) (all []string) {
	for _, s := range h.Servers {
		switch s.Event {
		case history.Tripped:
			all = append(all, fmt.Sprintf("a server of %s, one of those that fill the empty store at once for step %d (replica %s), ended by itself, and another was executed: see %s. Its last words: %s",
				s.Version, s.Step, s.Replica, s.Log, lastLine(s.Message)))
		case history.EndedEarly:
			all = append(all, fmt.Sprintf("a server of %s, executed ahead of step %d for replica %s and held off the store, ended by itself, and another was executed in its turn. It may have ended of being held: see %s. Its last words: %s",
				s.Version, s.Step, s.Replica, s.Log, lastLine(s.Message)))
		}
	}
	return all
}

// lastLine is the last line that says something, with what was before it left out.
func lastLine(message string) string {
	lines := strings.Split(strings.TrimSpace(finding.EventText(message)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
