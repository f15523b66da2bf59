package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A release that does not know the one member that is set stores an empty union, when it
// writes an object that has it; of a struct that may be empty the member alone is gone.
func TestUnionEmptiedLater(t *testing.T) {
	for name, c := range map[string]struct {
		union       bool
		spec, cause string
	}{
		"a union":                     {true, `{"lamp": {"gas": 1}}`, "union-emptied"},
		"a struct":                    {false, `{"lamp": {"gas": 1}}`, "unknown-field"},
		"a union, something is left":  {true, `{"lamp": {"gas": 1, "oil": 1}}`, "unknown-field"},
		"a struct, something is left": {false, `{"lamp": {"gas": 1, "oil": 1}}`, "unknown-field"},
	} {
		t.Run(name, func(t *testing.T) {
			s := lampOfOldIsOil(t, c.union)
			s.create("treated-1", c.spec, via("a"))
			s.patch("treated-1", via("b"))
			s.finds(`nothing-lost impact rule-6 lost ` + c.cause + ` treated-1 .spec.lamp.gas in step 4 (upgrading 1/2)`)
		})
	}
}

// lampOfOldIsOil begins a story in which only the new release knows lamps of gas.
func lampOfOldIsOil(t *testing.T, union bool) *story {
	s := mixed(t)
	s.publish(term.New, object{lamp: lampOf(union)})
	old := lampOf(union)
	delete(old["properties"].(object), "gas")
	s.publish(term.Old, object{lamp: old})
	return s
}

// A server refuses an object since a client did not send back what it holds: its types
// could not carry it, or it had not been shown it. That shows at the field that the
// server names. Else the server refuses what was there before, for another reason.
func TestRefusedSinceNotSentBack(t *testing.T) {
	const omitted, hidden, notRatcheted = "client-omitted", "read-hidden", "not-ratcheted"
	for name, c := range map[string]struct {
		client       term.Client
		field, cause string
		read         string
	}{
		"types without it":        {term.OldTyped, "spec.lamp", omitted, "a"},
		"a field above it":        {term.OldTyped, "spec", omitted, "a"},
		"another field":           {term.OldTyped, "spec.colour", notRatcheted, "a"},
		"a field that is not":     {term.OldTyped, "spec.shade", notRatcheted, "a"},
		"a client that sends all": {term.NewTyped, "spec.lamp", notRatcheted, "a"},
		"a read that hides it":    {term.Dynamic, "spec.lamp", hidden, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			s := lampOfOldIsOil(t, false)
			s.create("treated-1", `{"colour": "red", "lamp": {"gas": 1}}`, via("a"))
			put := s.put("treated-1", by(c.client), read(c.read), via("a"), refusedAs())
			s.invalid(s.recorded(put, history.Act, "a"), c.field)
			s.finds(`answers violation rule-5 refused ` + c.cause + ` treated-1  in step 4 (upgrading 1/2)`)
		})
	}
}
