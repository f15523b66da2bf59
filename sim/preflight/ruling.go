package preflight

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
)

// What an answer means, and why a value is not shown, the oracle says: see package ruling. A preflight knows no
// history, so the cause is what the schemas of both releases show.

// ruled adds a ruling to a finding.
func (f *Finding) ruled(r ruling.Ruling) {
	f.Outcome, f.Cause, f.Class, f.Rule = r.Outcome, r.Cause, r.Class, r.Rule
}

// value returns what the releases publish of a value of the object, by its path without keys.
func (s Seen) value(at string) ruling.Value {
	v := ruling.Value{Custom: s.IsCustom(), Published: map[term.Role]bool{}}
	for _, role := range []term.Role{term.Old, term.New} {
		v.Published[role] = s.Releases[role].Declares(s.Form, s.Kind, at)
	}
	if p, err := path.Parse(strings.ReplaceAll(at, "[]", "[0]")); err == nil && !v.Published[term.New] {
		v.Removable = s.Releases[term.Old].MayGo(s.Form, s.Kind, p)
	}
	return v
}

// usesChange reports whether the object has a value of a field that the older release does not publish.
func (s Seen) usesChange() bool {
	_, unknown := s.Releases[term.Old].Kind(s.Form, s.Kind).Prune(body(s.Object))
	return len(unknown) > 0
}
