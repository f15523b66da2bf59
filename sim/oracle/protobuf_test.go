package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// asTypes makes an answer what a client's types made of its bytes.
func (s *story) asTypes(x *history.Exchange, role term.Role, bytes string) {
	x.Answer, x.AnswerBytes = s.blob(s.prune(role, s.h.Object(x.Answer))), bytes
}

// Of an answer in protobuf the record has what the client's types made of it.
// That these leave a field out says nothing of the server.
func TestWhatTypesMadeOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		client term.Client
		bytes  string
		want   []string
	}{
		"the client's types lack it":       {term.OldTyped, "digest", []string{`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
		"the server did not show it":       {term.OldTyped, "", []string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`, `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
		"the client's types would have it": {term.NewTyped, "digest", []string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`, `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("treated-1", onlyShine)
			put := s.does(term.Put, "treated-1", spec(object{"colour": "red"}), []edit{with(".spec.shine", nil)}, via("a"), read("a"), by(c.client))
			s.asTypes(s.recorded(put, history.Read, "a"), term.Old, c.bytes)
			s.finds(c.want...)
		})
	}
}

// A server that hides the field comes first: the client could not have had it.
func TestHiddenFromTypes(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	put := s.does(term.Put, "treated-1", spec(object{"colour": "red"}), []edit{with(".spec.shine", nil)}, via("a"), read("b"), by(term.OldTyped))
	s.asTypes(s.recorded(put, history.Read, "b"), term.Old, "digest")
	s.finds(`nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// Where such an answer is all that there is, it is not told what is stored.
func TestOnlyTypesLooked(t *testing.T) {
	for bytes, untold := range map[string]int{"digest": 1, "": 0} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		s.blind = true
		patched := s.patch("treated-1", via("a"), by(term.OldTyped))
		s.asTypes(s.recorded(patched, history.Act, "a"), term.Old, bytes)
		res, _ := s.judge()
		if got := check(t, res, term.CheckNothingLost).Indeterminate; got != untold {
			t.Errorf("%q: indeterminate %d, want %d", bytes, got, untold)
		}
	}
}
