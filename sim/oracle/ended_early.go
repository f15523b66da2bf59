package oracle

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
)

// endedEarly returns a note for each server that was held off the store, ended by itself before
// its turn, and was executed again. Holding it, which no roll-out does, may be why it ended; so
// may be what it read. Its log may show which.
func endedEarly(h *history.History) (all []string) {
	for _, s := range h.Servers {
		switch s.Event {
		case history.Tripped:
			all = append(all, fmt.Sprintf("a server of %s, one of those that fill the empty store at once for step %d (replica %s), ended by itself, and another was executed: see %s. Its last words: %s",
				s.Version, s.Step, s.Replica, s.Log, lastLine(s.Message)))
		case history.EndedEarly:
			all = append(all, fmt.Sprintf("a server of %s, executed ahead of step %d for replica %s and held off the store, ended by itself, and another was executed in its turn. Holding it off may be why it ended: see %s. Its last words: %s",
				s.Version, s.Step, s.Replica, s.Log, lastLine(s.Message)))
		}
	}
	return all
}

// lastLine returns the last line of a message.
func lastLine(message string) string {
	lines := strings.Split(strings.TrimSpace(blame.EventText(message)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
