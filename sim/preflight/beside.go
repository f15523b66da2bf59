package preflight

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// besides returns what a release refuses of changes beside what an object has, and of the object as a new one: another
// release has accepted each of them. The values that were sent are nobody's choice: that a release refuses one says
// nothing, if it takes another one in its place, or names nothing but a text that was sent.
func besides(s Seen, d Direction) (all []Finding) {
	taken := map[string]bool{}
	for _, t := range s.Tries {
		if t.Edit != nil && !t.Refused() {
			taken[t.Edit.Pointer] = true
		}
	}
	for _, t := range s.Tries {
		switch {
		case t.Edit == nil && t.Write != reading.Create:
		case t.Unanswered():
			all = append(all, Undecided(s, d, t))
		case !t.Refused() || byLimit(t) || t.Edit != nil && (taken[t.Edit.Pointer] || ofValue(t)):
		default:
			all = append(all, Refusal(s, d, t))
		}
	}
	return all
}

// ofValue reports whether a server refuses a change for nothing but the text that was sent.
func ofValue(t reading.Try) bool {
	plain := strings.NewReplacer("[", ".", "]", "")
	own := plain.Replace(t.Edit.Field())
	return !t.Edit.Number() && len(t.Causes) > 0 && !slices.ContainsFunc(t.Causes, func(c reading.Cause) bool {
		return c.Path() == "" || !Above(own, plain.Replace(c.Path()))
	})
}

// request says what a write asks for.
func (s Seen) request(t reading.Try) string {
	of := ""
	if name := s.definition(); name != "" {
		of = " of the definition " + name
	}
	switch {
	case t.Write == reading.Create:
		return "a new object" + of + " with the same contents"
	case t.Write == reading.Get:
		return "GET"
	case t.Edit == nil:
		return string(t.Write)
	case t.Edit.Added:
		return "one element more in " + strings.TrimSuffix(s.path(t.Edit.Field()), "[]")
	}
	return "a change of " + s.path(t.Edit.Field())
}

// definition returns the name of the definition of a custom resource; "" for any other object.
func (s Seen) definition() string {
	parts := strings.Split(strings.TrimPrefix(s.Key, "/"), "/")
	if !s.IsCustom() || len(parts) < 4 {
		return ""
	}
	return parts[2] + "." + parts[1]
}
