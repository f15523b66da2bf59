package evidence

import (
	"cmp"

	"github.com/skewsim/skewsim/scenarios/term"
)

// UnreadableValues are the values that releases were seen not to read, and why: copies,
// each with the step that had written it last.
type UnreadableValues map[term.Role]map[string]term.Cause

// Add notes that a release does not read a value, and why.
func (u UnreadableValues) Add(role term.Role, value string, why term.Cause) {
	if u[role] == nil {
		u[role] = map[string]term.Cause{}
	}
	u[role][value] = why
}

// Has reports whether a release does not read a value.
func (u UnreadableValues) Has(role term.Role, value string) bool { return u[role][value] != "" }

// Cause is why a release does not read some values, where all have one cause.
func (u UnreadableValues) Cause(role term.Role, values []string) term.Cause {
	for _, value := range values {
		if u[role][value] != u[role][values[0]] {
			return term.Unattributed
		}
	}
	if len(values) == 0 {
		return term.Unattributed
	}
	return cmp.Or(u[role][values[0]], term.Unattributed)
}

// ReleaseMarks are what is noted of each release. A damaged history may name others.
type ReleaseMarks map[term.Role]map[string]bool

// Add notes something of a release.
func (m ReleaseMarks) Add(role term.Role, what string) {
	if m[role] == nil {
		m[role] = map[string]bool{}
	}
	m[role][what] = true
}
