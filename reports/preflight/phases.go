package preflight

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// phaseWord is a part of a hop as readers see it. One that a later release wrote is its name.
func phaseWord(h preflight.Hop, name string) string {
	older, newer := version(h.From), version(h.To)
	switch name {
	case preflight.PhaseBaseline:
		return first(h) + " alone, at first"
	case preflight.PhaseBeside:
		return older + " beside " + newer
	case preflight.PhaseAlone:
		return newer + " alone"
	case preflight.PhaseBack:
		return "back on " + older + ", nobody wrote"
	case preflight.PhaseRewrote:
		return "back on " + older + ", after " + newer + " has rewritten every object"
	case preflight.Writing(preflight.PhaseRewrote):
		return newer + " rewrites every object"
	case preflight.PhaseWritten:
		return newer + " again, after " + older + " has written every object"
	case preflight.Writing(preflight.PhaseWritten):
		return older + " writes every object"
	}
	return name
}

// sharedLine says what dry runs were shared; "" if none were.
func sharedLine(h preflight.Hop) string {
	tried, shared := 0, 0
	for _, p := range h.Phases {
		tried, shared = tried+p.Tried, shared+p.Shared
	}
	if shared == 0 {
		return ""
	}
	return fmt.Sprintf("%s were sent, and %d more were left out because an object of equal shape, or the same bytes in an earlier phase, had the same one: equal shape does not mean equal values.", term.Numbered(tried, "dry run"), shared)
}

// took says what a phase did.
func took(h preflight.Hop, p preflight.Phase) string {
	text := phaseWord(h, p.Name)
	if p.Objects > 0 {
		text += ": " + term.Numbered(p.Objects, "object") + ", those of servers included"
	}
	if p.Tried > 0 {
		text += ", " + term.Numbered(p.Tried, "dry run")
	}
	if p.Shared > 0 {
		text += fmt.Sprintf(", %d more shared", p.Shared)
	}
	if p.Again > 0 {
		text += ", read again since what an earlier phase had read did not stand"
	}
	return text
}
