package preflight

import (
	"strings"

	"github.com/skewsim/skewsim/sim/result"
)

// Played reports whether a direction was played to its end. The way up of a rollback is not asked
// for, and so nothing of it is missing.
func (h Hop) Played(d Direction) bool { return h.played(d) }

// Unread is how many objects of a kind the first release already does not show.
func (h Hop) Unread(group, kind string) (n int) {
	for name := range h.unread() {
		if strings.HasPrefix(name, group+" "+kind+" ") {
			n++
		}
	}
	return n
}

// Grade is the grade that an object of the class gives its direction at least.
func (c Class) Grade() Grade { return c.grade() }

// JSONSchema returns the JSON Schema of preflight.json, generated from the Go types:
// docs/preflight.schema.json contains it.
func JSONSchema() ([]byte, error) {
	return result.SchemaOf(Result{}, "What an upgrade and a rollback do to the objects of a store")
}
