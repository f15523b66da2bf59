package load

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// idleMarks refuses marks without any value: a mistyped path would hide nothing.
func idleMarks(s *scenarios.Scenario, p *strict.Problems) {
	for i, c := range s.Confidential {
		for j, text := range c.Path {
			at := strict.Element(strict.Element("confidential", i)+".path", j)
			if _, known := s.Objects[c.Object]; known && !p.Reported(at) && !sends(s, c.Object, scenarios.FieldNamesIn(text)) {
				p.Add(s.LineOf(at), at, "no object file and no line of play has anything at %s of %s", text, c.Object)
			}
		}
	}
}

// sends reports whether the scenario itself sends a value at or below the place.
func sends(s *scenarios.Scenario, object string, place []string) bool {
	o := s.Objects[object]
	for _, file := range []string{o.Treated, o.Bystander} {
		m, read := s.Manifests[file]
		if !read && file != "" || hasBelow(m.Body, place) {
			return true // loading reports a file that cannot be read
		}
	}
	for _, values := range o.Changes {
		if writesAt(values, place) {
			return true
		}
	}
	return slices.ContainsFunc(s.Play, func(l scenarios.Line) bool { return lineSends(l, object, place) })
}

// lineSends reports the same for a line and the lines in its then. The effect of a patch
// depends on the object, so it may write anywhere.
func lineSends(l scenarios.Line, object string, place []string) bool {
	_, of := l.VerbKey()
	if of == object && (l.Patch != "" || writesAt(l.Fields, place)) {
		return true
	}
	return slices.ContainsFunc(l.Then, func(next scenarios.Line) bool { return lineSends(next, object, place) })
}

// writesAt reports whether one of the values is above, at or below the place.
func writesAt(values map[string]any, place []string) bool {
	for text := range values {
		if scenarios.Overlap(scenarios.FieldNamesIn(text), place) {
			return true
		}
	}
	return false
}

// hasBelow reports whether a value has something at the place, in any element of the lists on
// the way.
func hasBelow(value any, place []string) bool {
	switch v := value.(type) {
	case map[string]any:
		if len(place) == 0 {
			return true
		}
		below, has := v[place[0]]
		return has && hasBelow(below, place[1:])
	case []any:
		return len(place) == 0 || slices.ContainsFunc(v, func(item any) bool { return hasBelow(item, place) })
	}
	return len(place) == 0
}
