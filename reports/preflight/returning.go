package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// beyond is a list of writes that there is no clean way back from, with what it begins with.
type beyond struct {
	Text   string
	Writes []preflight.Threshold
}

// returning says whether there is a way back: first what today's objects have already, and then the other
// writes.
func returning(h preflight.Hop) []beyond {
	set, other := []preflight.Threshold{}, []preflight.Threshold{}
	for _, t := range h.PointOfNoReturn {
		if t.Objects > 0 {
			set = append(set, t)
		} else {
			other = append(other, t)
		}
	}
	slices.SortStableFunc(other, func(a, b preflight.Threshold) int { return cmp.Compare(b.Writable, a.Writable) })
	text := today(h)
	var all []beyond
	if len(set) > 0 {
		all = append(all, beyond{text + ":", set})
		text = "Nor is there a clean way back once"
	} else {
		text += "; you cannot go back cleanly once"
	}
	switch {
	case len(other) > 0:
		all = append(all, beyond{text, other})
	case len(set) == 0:
		all = append(all, beyond{today(h) + "; no write is known after which you cannot go back cleanly.", nil})
	}
	return all
}

// today says whether today's objects can go back.
func today(h preflight.Hop) string {
	if h.Set > 0 {
		named := "The findings on the way back name the objects"
		if !h.Played(preflight.Back) {
			named = "The way back was not played to its end"
		}
		return fmt.Sprintf("Values of today's objects would not survive the way back: %s a value that %s drops or refuses in new objects. %s", hasSet(h.Set), version(h.From), named)
	}
	switch h.Back {
	case preflight.Attention:
		return "For today's objects you can go back, with the warnings below"
	case preflight.Blocked:
		return "For today's objects there are errors on the way back already"
	case preflight.Unknown, "":
		return "For today's objects it is unknown whether you can go back"
	}
	return "For today's objects you can go back"
}

func hasSet(n int) string { return term.Counted(n, "object has", "objects have") }

// write is a write that there is no clean way back from, with how many objects have its value already.
func write(t preflight.Threshold) string {
	text, set := t.What, ""
	if t.Objects > 0 {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "someone sets "), " to what needs ")
		set = ": set already in " + term.Numbered(t.Objects, "object")
	}
	if t.Gate != "" && !strings.Contains(text, " "+t.Gate) {
		text += " (" + map[bool]string{false: "gate", true: "gates"}[strings.Contains(t.Gate, ", ")] + " " + t.Gate + ")"
	}
	if t.Writable > 0 {
		text, set = text+set, fmt.Sprintf(": controllers or kubelets of the newer release may write it to %d of today's objects", t.Writable)
	}
	return text + set
}
