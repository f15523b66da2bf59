package oracle

import (
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// unjudged returns the note that emulation is not judged although it could have been.
func unjudged(h *history.History) []string {
	if _, emulates := h.Header.Plan.Emulator(trace.Versions(h)); emulates && trace.Emulator(h) == "" {
		return []string{"emulation is not judged: the scenario sets different gates or APIs for the two releases"}
	}
	return nil
}

// skips returns the note that the pair skips a minor release, if it does.
func skips(h *history.History) []string {
	if words := h.Header.Plan.Unsupported(trace.Versions(h)); words != "" {
		return []string{words}
	}
	return nil
}
