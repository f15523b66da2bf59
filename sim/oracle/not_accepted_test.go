package oracle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// says judges the story and looks for a text in the only finding's message.
func (s *story) says(finding, text string) {
	s.t.Helper()
	res := s.finds(finding)
	if len(res.Findings) == 1 && !strings.Contains(res.Findings[0].Message, text) {
		s.t.Errorf("message:\n%s\nlacks: %s", res.Findings[0].Message, text)
	}
}

// answered makes the answer to a step's write, and what is looked at after it,
// what the edits make of it.
func (s *story) answered(step int, edits ...edit) {
	for i := range s.h.Operations {
		op := &s.h.Operations[i]
		if op.Step != step || op.Exchange.Answer == "" || op.Purpose == history.Read {
			continue
		}
		o := s.h.Object(op.Exchange.Answer)
		for _, e := range edits {
			e(s.t, o)
		}
		op.Exchange.Answer = s.blob(o)
	}
}

// What the answer shows in the place of what was sent is distinguished: nothing,
// with a warning or without; an element less; an empty parent; another value.
func TestNotAcceptedInWords(t *testing.T) {
	cases := []struct {
		name, at, text string
		edits          []edit
	}{
		{"nothing", ".spec.colour", "was answered 200 without a warning, and the answer does not show it; unattributed", []edit{with(".spec.colour", nil)}},
		{"another value", ".spec.colour", `and the answer shows "blue"; unattributed`, []edit{with(".spec.colour", "blue")}},
		{"an element less", partY, `{"count":2,"name":"y"}, sent in step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)), was answered 200 without a warning, and the answer does not show it: the whole element is gone; element-dropped: `, []edit{with(partY, nil)}},
		{"an empty parent", ".spec.finish.tone", "does not show it: it leaves .spec.finish empty", []edit{with(".spec.finish", object{})}},
		{"no parent", ".spec.finish", "and the answer does not show it; unattributed", []edit{with(".spec.finish", nil)}},
		{"a member of an element", partY + ".count", "and the answer does not show it; unattributed", []edit{with(partY+".count", nil)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			created := s.create("bystander-1", twoParts)
			s.answered(created, c.edits...)
			cause := "unattributed"
			if c.name == "an element less" {
				cause = "element-dropped"
			}
			finding := fmt.Sprintf(`nothing-lost violation rule-2 not-accepted %s bystander-1 %s in step 3 (upgrading 1/2)`, cause, c.at)
			s.says(finding, c.text)
			s.recorded(created, history.Act, "a").Warnings = []string{"odd"}
			s.says(finding, `with the warning "odd"`)
		})
	}
}

// The cause of what is not accepted: a gate that is off does just what its rule
// asks for; a default took the value's place; the client's types left it out.
func TestNotAcceptedCauses(t *testing.T) {
	for name, c := range map[string]struct {
		bend func(s *story, created int)
		want string
	}{
		"gate off":         {func(s *story, _ int) { s.gates(term.New, "Lustre", false) }, "impact lifecycle not-accepted gate-disabled bystander-1 .spec.lustre"},
		"gate on":          {func(s *story, _ int) { s.gates(term.New, "Lustre", true) }, "violation rule-2 not-accepted unattributed bystander-1 .spec.lustre"},
		"another gate off": {func(s *story, _ int) { s.gates(term.New, "Shine", false) }, "violation rule-2 not-accepted unattributed bystander-1 .spec.lustre"},
		"its gate off, through the other release": {func(s *story, _ int) { s.gates(term.Old, "Lustre", false) }, "violation rule-2 not-accepted unattributed bystander-1 .spec.lustre"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			created := s.create("bystander-1", twoParts)
			s.answered(created, with(".spec.lustre", nil))
			c.bend(s, created)
			s.finds(`nothing-lost ` + c.want + ` in step 3 (upgrading 1/2)`)
		})
	}
}

func TestNotAcceptedForADefault(t *testing.T) {
	for value, want := range map[string]string{"fine": "defaulted", "coarse": "unattributed"} {
		s := mixed(t)
		created := s.create("bystander-1", twoParts)
		s.answered(created, with(".spec.grain", value))
		s.finds(`nothing-lost violation rule-2 not-accepted ` + want + ` bystander-1 .spec.grain in step 3 (upgrading 1/2)`)
	}
}

// What a line sets, and the typed client's own body lacks, its types could not carry.
func TestNotAcceptedSinceNotSent(t *testing.T) {
	for client, want := range map[term.Client]string{term.NewTyped: "client-omitted", term.Dynamic: "unattributed"} {
		for _, sent := range []bool{true, false} {
			s := mixed(t)
			s.create("bystander-1", twoParts)
			put := s.put("bystander-1", by(client), set(".spec.colour", "blue"))
			s.answered(put, with(".spec.colour", nil))
			x := s.recorded(put, history.Act, "a")
			if !sent {
				x.Sent = s.bend(x.Sent, ".spec.colour", nil)
			}
			cause := want
			if sent {
				cause = "unattributed"
			}
			s.finds(`nothing-lost violation rule-2 not-accepted ` + cause + ` bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
		}
	}
}

// A refusal is reported by the call's own check: whoever sent the value knows.
func TestRefusedIsNotDroppedInSilence(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", twoParts)
	s.patch("bystander-1", set(".spec.colour", "blue"), refused(422, "spec.colour: Invalid"), respond(code(422)))
	s.finds()
}
