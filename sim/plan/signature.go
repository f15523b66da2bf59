package plan

import (
	"encoding/json"
)

// Signature contains everything that makes two calls the same: the request, its client and its
// form, but not its copy or its replica. It leaves out what a touch makes unique to its step. A
// plan plays equal calls once on its controls, and a call is compared with the result there.
func (s Step) Signature() string {
	s.Number, s.Line, s.Copy, s.Respond = 0, 0, "", nil
	s.Adopts, s.Follows = nil, false
	s.Read, s.Via, s.ReadRole, s.ViaRole, s.Discovers = "", "", "", "", ""
	s.Birth = s.CreatesCopy()
	if s.Change != nil && s.Change.isNothing() {
		s.Change = nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // values of a scenario are from YAML, so JSON can represent them
	}
	return string(raw)
}

// isNothing reports whether the change is empty: histories may contain an empty change, plans
// have none.
func (m Change) isNothing() bool {
	return m.Kind == "" && m.Of == "" && m.Body == nil && len(m.Fields) == 0 && len(m.Names) == 0
}
