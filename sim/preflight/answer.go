package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// Grade sets the grades of both directions, and the sentences that say them.
func (h *Hop) Grade() {
	h.Answers = nil
	if !h.Rollback {
		h.Up = h.graded(Up)
		h.Answers = append(h.Answers, h.sentence(Up))
	}
	h.Back = h.graded(Back)
	h.Answers = append(h.Answers, h.sentence(Back))
}

// played reports whether a direction was played to its end.
func (h *Hop) played(d Direction) bool {
	last := PhaseAlone
	if d == Back {
		last = PhaseWritten
	}
	return slices.ContainsFunc(h.Phases, func(p Phase) bool { return p.Name == last }) || h.Rollback && d == Up
}

func (h *Hop) graded(d Direction) Grade {
	grade := Ready
	if !h.played(d) {
		grade = Unknown
	}
	for _, f := range h.Findings {
		if g := f.Class.grade(); f.Direction == d && worse(g, grade) {
			grade = g
		}
	}
	return grade
}

func worse(a, b Grade) bool {
	order := []Grade{Ready, Unknown, Attention, Blocked}
	return slices.Index(order, a) > slices.Index(order, b)
}

// sentence says what was found in a direction.
func (h *Hop) sentence(d Direction) string {
	to, from := h.To.Version, "Up"
	if d == Back {
		to, from = h.From.Version, "Back"
	}
	objects := map[Class]map[string]bool{}
	touched := map[string]bool{}
	for _, f := range h.Findings {
		if f.Direction != d {
			continue
		}
		name := f.Group + " " + f.Kind + " " + f.Namespace + "/" + f.Name
		if objects[f.Class] == nil {
			objects[f.Class] = map[string]bool{}
		}
		objects[f.Class][name] = true
		if f.Kind != "" {
			touched[name] = true
		}
	}
	var parts []string
	for _, c := range Classes() {
		if n := len(objects[c]); n > 0 {
			parts = append(parts, clause(c, n))
		}
	}
	total := 0
	for _, k := range h.Kinds {
		total += k.Objects
	}
	text := fmt.Sprintf("%s to %s: ", from, to)
	if len(parts) > 0 {
		text += strings.Join(parts, ", ") + ". "
	}
	if !h.played(d) {
		return text + "Not played to its end."
	}
	return text + fmt.Sprintf("No finding in %d of %d objects.", total-len(touched), total)
}

// clause says how many objects have a class.
func clause(c Class, n int) string {
	if c == NotReady {
		return "a server does not become ready"
	}
	words := map[Class][2]string{
		Undecodable: {"cannot be read", "cannot be read"}, NotServed: {"is of a kind that is not served", "are of kinds that are not served"},
		Frozen: {"cannot be written", "cannot be written"}, Lost: {"loses a value when it is written", "lose a value when they are written"},
		Restart: {"has pods that will restart", "have pods that will restart"}, Meaning: {"means something else", "mean something else"},
		Changed: {"is served with another value", "are served with other values"}, Dormant: {"hides a value", "hide a value"},
		Indeterminate: {"could not be judged", "could not be judged"},
	}[c]
	if n == 1 {
		return "1 object " + words[0]
	}
	return fmt.Sprintf("%d objects %s", n, words[1])
}

// Conclude replaces absent lists by empty ones.
func (r *Result) Conclude() {
	empty(&r.Hops)
	empty(&r.Source.CannotSee)
	empty(&r.Source.Removed)
	empty(&r.Source.Skipped)
	for i := range r.Hops {
		h := &r.Hops[i]
		empty(&h.Answers)
		empty(&h.PointOfNoReturn)
		empty(&h.Kinds)
		empty(&h.Findings)
		empty(&h.Baseline)
		empty(&h.Defaulted)
		empty(&h.Phases)
	}
}

func empty[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
