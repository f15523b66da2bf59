package trace

import (
	"cmp"

	"github.com/skewsim/skewsim/scenarios/term"
)

// UnreadableValues says which values releases were seen not to read, and why: copies, each with
// the step that last wrote it.
type UnreadableValues map[term.Role]map[string]term.Cause

// Add records that a release does not read a value, and why.
func (u UnreadableValues) Add(role term.Role, value string, why term.Cause) {
	if u[role] == nil {
		u[role] = map[string]term.Cause{}
	}
	u[role][value] = why
}

// Has reports whether a release does not read a value.
func (u UnreadableValues) Has(role term.Role, value string) bool { return u[role][value] != "" }

// Cause returns why a release does not read some values, if all have one cause.
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

// ReleaseMarks are sets of texts by release. A damaged history may name other releases.
type ReleaseMarks map[term.Role]map[string]bool

// Add adds a text to the set of a release.
func (m ReleaseMarks) Add(role term.Role, what string) {
	if m[role] == nil {
		m[role] = map[string]bool{}
	}
	m[role][what] = true
}
