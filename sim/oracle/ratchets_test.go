package oracle_test

import (
	"net/http"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// objects makes an answer the 422 of a server that objects to a field, for a reason.
func (s *story) objects(step int, purpose history.Purpose, replica, field, reason string) {
	s.objection(s.recorded(step, purpose, replica), field, reason)
}

func (s *story) objection(x *history.Exchange, field, reason string) {
	x.Code, x.Reason, x.Message, x.Revision = http.StatusUnprocessableEntity, "Invalid", field+": Invalid value", 0
	x.Answer = s.blob(object{"kind": "Status", "details": object{"causes": []any{object{"reason": reason, "field": field}}}})
}

// A server that refuses a call for a value that was stored before, and that the call
// leaves as it was, does not ratchet. Of a call that changes the value, or anything else
// of the spec, that is not said; nor of one at which nothing is stored.
func TestNotRatcheted(t *testing.T) {
	const held, unclear = "not-ratcheted", "unattributed"
	for name, c := range map[string]struct {
		sets          []option
		field, reason string
		want          string
	}{
		"a label":                {nil, "spec.colour", "FieldValueInvalid", held},
		"a value that misses":    {nil, "spec.size", "FieldValueRequired", held},
		"the value itself":       {[]option{set(".spec.colour", "b!")}, "spec.colour", "FieldValueInvalid", unclear},
		"another of the spec":    {[]option{set(".spec.size", 7)}, "spec.colour", "FieldValueInvalid", unclear},
		"it names no field":      {nil, "", "FieldValueInvalid", unclear},
		"none of those it takes": {nil, "spec.colour", "FieldValueNotSupported", "unknown-value"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tell(t)
			s.create("bystander-1", `{"colour": "a!"}`, via("b"))
			s.create("bystander-2", `{"colour": "a!"}`, via("b"))
			s.patch("bystander-1", append(c.sets, via("b"))...)
			s.stage("upgrading 1/2", term.New, term.Old)
			refused := s.patch("bystander-2", append(c.sets, via("a"), refusedAs())...)
			s.objects(refused, history.Act, "a", c.field, c.reason)
			s.finds(`rule-1 violation rule-1 refused ` + c.want + ` bystander-2  in step 6 (upgrading 1/2)`)
		})
	}
}

// A PUT that holds the field as it was stored leaves it; one that does not, does not.
func TestNotRatchetedPut(t *testing.T) {
	for stored, want := range map[string]string{"a!": "not-ratcheted", "other": "unattributed"} {
		s := tell(t)
		s.create("bystander-1", `{"colour": "a!"}`, via("b"))
		s.create("bystander-2", `{"colour": "a!"}`, via("b"))
		s.put("bystander-1", via("b"))
		s.stage("upgrading 1/2", term.New, term.Old)
		refused := s.put("bystander-2", via("a"), refusedAs())
		s.objects(refused, history.Act, "a", "spec.colour", "FieldValueInvalid")
		x := s.recorded(refused, history.Act, "a")
		x.Sent = s.bend(x.Sent, ".spec.colour", stored)
		s.finds(`rule-1 violation rule-1 refused ` + want + ` bystander-2  in step 6 (upgrading 1/2)`)
	}
}

// A create is held to what the server takes: there is nothing stored that it could spare.
// That it does not take a new value is to be expected; of any other value it is not.
func TestUnknownValueSent(t *testing.T) {
	for reason, want := range map[string]string{"FieldValueNotSupported": "impact rule-3 refused unknown-value", "FieldValueInvalid": "violation rule-5 refused unattributed"} {
		s := tell(t)
		s.stage("upgrading 1/2", term.New, term.Old)
		refused := s.create("treated-1", `{"colour": "a!"}`, via("b"), refusedAs())
		s.objects(refused, history.Act, "b", "spec.colour", reason)
		s.finds(`answers ` + want + ` treated-1  in step 3 (upgrading 1/2)`)
	}
}

// A call that changes something else of the spec is refused for what was stored where a
// try, which changes nothing, is refused for the same field.
func TestNotRatchetedTriedToo(t *testing.T) {
	for field, want := range map[string]string{"spec.colour": "not-ratcheted", "spec.args": "unattributed"} {
		s := tell(t)
		s.create("bystander-1", `{"colour": "a!"}`, via("b"))
		s.create("bystander-2", `{"colour": "a!"}`, via("b"))
		s.patch("bystander-1", set(".spec.size", "7"), via("b"))
		s.stage("upgrading 1/2", term.New, term.Old)
		refused := s.patch("bystander-2", set(".spec.size", "7"), via("a"), refusedAs())
		s.objects(refused, history.Act, "a", "spec.colour", "FieldValueInvalid")
		s.stage("new", term.New, term.New)
		tries := s.attempt("bystander-2")
		s.objection(&s.tried(tries, "bystander-2", "a", term.LabelAttempt).Exchange, field, "FieldValueInvalid")
		res, _ := s.judge()
		told := 0
		for _, f := range res.Findings {
			if f.Check == term.CheckRule1 && string(f.Cause) == want {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: told %d times: %+v", field, told, res.Findings)
		}
	}
}
