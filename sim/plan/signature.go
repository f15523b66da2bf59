package plan

import (
	"encoding/json"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Signature is all that makes two calls the same: what is asked of an object,
// by whom and how, but not which copy it meets nor through which replica. What a
// touch makes unique to its step is no part of it either. A plan plays what is
// the same once on its controls, and a call is judged by what it came to there.
func (s Step) Signature() string {
	s.Number, s.Line, s.Copy, s.Respond = 0, 0, "", nil
	s.Adopts, s.Follows = nil, false
	s.Read, s.Via, s.ReadRole, s.ViaRole, s.Discovers = "", "", "", "", ""
	s.Birth = s.Birth || s.Verb == term.Create
	if s.Mutation != nil && s.Mutation.isNothing() {
		s.Mutation = nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // what a scenario holds came from YAML, and fits into JSON
	}
	return string(raw)
}

// isNothing tells whether the mutation says nothing at all: histories may hold
// one where plans have none.
func (m Mutation) isNothing() bool {
	return m.Kind == "" && m.Of == "" && m.Body == nil && len(m.Fields) == 0 && len(m.Names) == 0
}
