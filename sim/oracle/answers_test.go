package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

func code(n int) scenarios.Respond { return scenarios.Respond{Code: n} }

const by4 = `Widget bystander-1: step 4 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0)): `

// What a line declares, what came, and what the finding says; "" for none.
func TestAnswers(t *testing.T) {
	colour := func(v any) scenarios.Respond {
		return scenarios.Respond{Fields: map[string]any{".spec.colour": v}}
	}
	cases := []struct {
		name    string
		options []option
		state   string
		message string
	}{
		{"a success was due and came", nil, "", ""},
		{"refused", []option{refused(422, "spec: immutable")}, "refused", "answered 422: spec: immutable; a success was expected"},
		{"refused, as declared", []option{refused(422, "spec: immutable"), respond(code(422))}, "", ""},
		{"refused with another code", []option{refused(409, "conflict"), respond(code(422))}, "refused", "answered 409: conflict; respond declares 422"},
		{"not refused, though declared", []option{respond(code(422))}, "not-accepted", "answered 200; respond declares 422"},
		{"another success than declared", []option{respond(code(201))}, "not-accepted", "answered 200; respond declares 201"},
		{"the server is in trouble", []option{refused(500, "unable to decode")}, "failed", "answered 500: unable to decode; a success was expected"},
		{"no answer", []option{refused(0, "connection refused")}, "failed", "answered not at all: connection refused; a success was expected"},
		{"the server is too busy", []option{refused(429, "slow down")}, "failed", "answered 429: slow down; a success was expected"},
		{"not allowed", []option{refused(403, "not you")}, "refused", "answered 403: not you; a success was expected"},
		{"the warning", []option{warned(`unknown field "spec.x"`), respond(scenarios.Respond{Warnings: []string{"unknown field"}})}, "", ""},
		{"no warning", []option{respond(scenarios.Respond{Warnings: []string{"unknown field"}})}, "not-accepted",
			`no warning says "unknown field", as respond declares; warnings: []`},
		{"another warning", []option{warned("deprecated"), respond(scenarios.Respond{Warnings: []string{"deprecated", "unknown field"}})}, "not-accepted",
			`no warning says "unknown field", as respond declares; warnings: ["deprecated"]`},
		{"the field", []option{respond(colour("red"))}, "", ""},
		{"another value", []option{respond(colour("blue"))}, "not-accepted", `the answer shows .spec.colour = "red"; respond declares "blue"`},
		{"a value that must be absent", []option{respond(colour(nil))}, "not-accepted", `the answer shows .spec.colour = "red"; respond declares null`},
		{"an absent value that must be", []option{set(".spec.colour", nil), respond(colour("red"))}, "not-accepted",
			`the answer shows .spec.colour = null; respond declares "red"`},
		{"an absent value", []option{set(".spec.colour", nil), respond(colour(nil))}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"colour": "red"}`)
			s.patch("bystander-1", c.options...)
			if c.message == "" {
				s.finds()
				return
			}
			rule := "rule-1"
			if strings.HasPrefix(c.name, "not refused") {
				rule = "rule-2" // what is invalid stays so
			}
			res := s.finds(`answers violation ` + rule + ` ` + c.state + ` unattributed bystander-1  in step 4 (upgrading 1/2)`)
			if got := res.Findings[0].Message; got != by4+c.message {
				t.Errorf("message:\n%s\nwant:\n%s", got, by4+c.message)
			}
		})
	}
}

// Declared values are compared as the kind means them.
func TestDeclaredValuesMeanTheSame(t *testing.T) {
	const spec = `{"size": "1", "since": "2020-01-02T03:04:05Z", "tags": ["p", "q"], "args": ["one", "two"]}`
	cases := []struct {
		at      string
		value   any
		message string
	}{
		{".spec.size", "1000m", ""},
		{".spec.size", "2", `the answer shows .spec.size = "1"; respond declares "2"`},
		{".spec.since", "2020-01-02T04:04:05+01:00", ""},
		{".spec.tags", []any{"q", "p"}, ""},
		{".spec.tags", []any{"q"}, `the answer shows .spec.tags = ["p","q"]; respond declares ["q"]`},
		{".spec.args", []any{"two", "one"}, `the answer shows .spec.args = ["one","two"]; respond declares ["two","one"]`},
	}
	for _, c := range cases {
		s := mixed(t)
		s.create("bystander-1", spec)
		s.patch("bystander-1", respond(scenarios.Respond{Fields: map[string]any{c.at: c.value}}))
		if c.message == "" {
			s.finds()
			continue
		}
		res := s.finds(`answers violation rule-1 not-accepted unattributed bystander-1  in step 4 (upgrading 1/2)`)
		if got := res.Findings[0].Message; got != by4+c.message {
			t.Errorf("message:\n%s\nwant:\n%s", got, by4+c.message)
		}
	}
}

// What the record lost of an answer cannot be held against what is declared,
// but its code can.
func TestDeclaredOfALostAnswer(t *testing.T) {
	wants := scenarios.Respond{Fields: map[string]any{".spec.colour": "red"}}
	for declared, untold := range map[*scenarios.Respond]int{&wants: 1, {Code: 200}: 0} {
		s := mixed(t)
		s.create("bystander-1", `{"colour": "red"}`)
		s.recorded(s.patch("bystander-1", respond(*declared)), history.Act, "a").Answer = "gone"
		if got := check(t, s.finds(), term.CheckAnswers).Indeterminate; got != untold {
			t.Errorf("indeterminate %d, want %d", got, untold)
		}
	}
}

// A LIST that a line asks for is answered as the line declares, too.
func TestRespondOfAList(t *testing.T) {
	careful := respond(scenarios.Respond{Warnings: []string{"deprecated"}})
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.list("b", warned("widgets v1 are deprecated"), careful)
	s.finds()

	s.list("b", careful)
	res := s.finds(`answers violation rule-1 not-accepted unattributed   in step 5 (upgrading 1/2)`)
	want := `Widget widget: step 5 (upgrading 1/2: list by dynamic, via b (v1.0.0)): no warning says "deprecated", as respond declares; warnings: []`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A null in an answer is as good as no value.
func TestAnswerWithANull(t *testing.T) {
	want := scenarios.Respond{Fields: map[string]any{".spec.colour": nil}}
	s := mixed(t)
	s.create("bystander-1", `{"size": "1"}`)
	s.store("bystander-1", ".spec", object{"size": "1", "colour": nil})
	s.patch("bystander-1", respond(want))
	s.finds()
}

// Who uses the change is judged by what old clients may go on doing.
func TestRuleOfAWrongAnswer(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", by(term.OldTyped), via("a"), refused(422, "shine may not change"))
	s.finds(`answers violation rule-5 refused unattributed treated-1  in step 4 (upgrading 1/2)`)
	_, ledger := s.judge()
	c := copyOf(t, ledger, "treated-1")
	if c.State != term.Refused || field(c, ".spec.shine.level") != term.Kept {
		t.Errorf("copy %s, value %s; want refused, kept", c.State, field(c, ".spec.shine.level"))
	}
}

// A refused write withdraws nothing and sets nothing.
func TestRefusedWriteChangesNothing(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.patch("bystander-1", set(".spec.colour", nil), refused(422, "no"), respond(code(422)))
	s.store("bystander-1", ".spec.colour", nil)
	s.edge()
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// A write without an answer may have been done: what it names is no loss,
// what it does not name is.
func TestWriteWithoutAnAnswer(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.patch("bystander-1", set(".spec.colour", "blue"), refused(504, "timeout"), respond(code(504)))
	s.store("bystander-1", ".spec.colour", "blue")
	s.edge()
	s.finds()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("ends as %s, want withdrawn: nothing shows what it is now", got)
	}

	s.store("bystander-1", ".spec.size", nil)
	s.edge()
	// what came before had been seen by then
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.size in step 0 ()`)
}

// An empty struct is a value: it is not the null that a line declares.
func TestAnswerWithAnEmptyStruct(t *testing.T) {
	for spec, want := range map[string][]string{
		`{"colour": "red"}`:               nil,
		`{"colour": "red", "finish": {}}`: {`answers violation rule-1 not-accepted unattributed bystander-1  in step 4 (upgrading 1/2)`},
	} {
		s := mixed(t)
		s.create("bystander-1", spec)
		s.patch("bystander-1", respond(scenarios.Respond{Fields: map[string]any{".spec.finish": nil}}))
		s.finds(want...)
	}
}
