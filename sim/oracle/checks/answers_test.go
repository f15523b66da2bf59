package checks_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

const by4 = `Widget bystander-1: step 4 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0)): `

// What a line declares, what came, and what the finding says; "" for none.
func TestAnswers(t *testing.T) {
	colour := func(v any) scenarios.Respond {
		return scenarios.Respond{Fields: map[string]any{".spec.colour": v}}
	}
	cases := []struct {
		name    string
		options []oracletest.Option
		state   string
		message string
	}{
		{"a success was due and came", nil, "", ""},
		{"refused", []oracletest.Option{oracletest.Refused(422, "spec: immutable")}, "refused", "answered 422: spec: immutable; the call should succeed"},
		{"refused, as declared", []oracletest.Option{oracletest.Refused(422, "spec: immutable"), oracletest.Respond(oracletest.Code(422))}, "", ""},
		{"refused with another code", []oracletest.Option{oracletest.Refused(409, "conflict"), oracletest.Respond(oracletest.Code(422))}, "refused", "answered 409: conflict; respond declares 422"},
		{"not refused, though declared", []oracletest.Option{oracletest.Respond(oracletest.Code(422))}, "dropped", "answered 200; respond declares 422"},
		{"another success than declared", []oracletest.Option{oracletest.Respond(oracletest.Code(201))}, "dropped", "answered 200; respond declares 201"},
		{"the server is in trouble", []oracletest.Option{oracletest.Refused(500, "unable to decode")}, "failed", "answered 500: unable to decode; the call should succeed"},
		{"no answer", []oracletest.Option{oracletest.Refused(0, "connection refused")}, "failed", "answered not at all: connection refused; the call should succeed"},
		{"the server is too busy", []oracletest.Option{oracletest.Refused(429, "slow down")}, "failed", "answered 429: slow down; the call should succeed"},
		{"not allowed", []oracletest.Option{oracletest.Refused(403, "not you")}, "refused", "answered 403: not you; the call should succeed"},
		{"the warning", []oracletest.Option{oracletest.Warned(`unknown field "spec.x"`), oracletest.Respond(scenarios.Respond{Warnings: []string{"unknown field"}})}, "", ""},
		{"no warning", []oracletest.Option{oracletest.Respond(scenarios.Respond{Warnings: []string{"unknown field"}})}, "dropped",
			`no warning says "unknown field", as respond declares; warnings: []`},
		{"another warning", []oracletest.Option{oracletest.Warned("deprecated"), oracletest.Respond(scenarios.Respond{Warnings: []string{"deprecated", "unknown field"}})}, "dropped",
			`no warning says "unknown field", as respond declares; warnings: ["deprecated"]`},
		{"the field", []oracletest.Option{oracletest.Respond(colour("red"))}, "", ""},
		{"another value", []oracletest.Option{oracletest.Respond(colour("blue"))}, "dropped", `the answer shows .spec.colour = "red"; respond declares "blue"`},
		{"a value that must be absent", []oracletest.Option{oracletest.Respond(colour(nil))}, "dropped", `the answer shows .spec.colour = "red"; respond declares null`},
		{"an absent value that must be", []oracletest.Option{oracletest.Set(".spec.colour", nil), oracletest.Respond(colour("red"))}, "dropped",
			`the answer shows .spec.colour = null; respond declares "red"`},
		{"an absent value", []oracletest.Option{oracletest.Set(".spec.colour", nil), oracletest.Respond(colour(nil))}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"colour": "red"}`)
			run.Patch("bystander-1", c.options...)
			if c.message == "" {
				run.ExpectFindings()
				return
			}
			rule := "rule-1"
			if strings.HasPrefix(c.name, "not refused") {
				rule = "rule-2" // what is invalid stays so
			}
			res := run.ExpectFindings(`answers violation ` + rule + ` ` + c.state + ` unattributed bystander-1  in step 4 (upgrading 1/2)`)
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
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", spec)
		run.Patch("bystander-1", oracletest.Respond(scenarios.Respond{Fields: map[string]any{c.at: c.value}}))
		if c.message == "" {
			run.ExpectFindings()
			continue
		}
		res := run.ExpectFindings(`answers violation rule-1 dropped unattributed bystander-1  in step 4 (upgrading 1/2)`)
		if got := res.Findings[0].Message; got != by4+c.message {
			t.Errorf("message:\n%s\nwant:\n%s", got, by4+c.message)
		}
	}
}

// What the record lost of an answer cannot be held against what is declared,
// but its code can.
func TestDeclaredOfALostAnswer(t *testing.T) {
	wants := scenarios.Respond{Fields: map[string]any{".spec.colour": "red"}}
	for declared, indeterminate := range map[*scenarios.Respond]int{&wants: 1, {Code: 200}: 0} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Exchange(run.Patch("bystander-1", oracletest.Respond(*declared)), history.Act, "a").Answer = "gone"
		if got := oracletest.Check(t, run.ExpectFindings(), term.CheckAnswers).Indeterminate; got != indeterminate {
			t.Errorf("indeterminate %d, want %d", got, indeterminate)
		}
	}
}

// A LIST that a line asks for is answered as the line declares, too.
func TestRespondOfAList(t *testing.T) {
	careful := oracletest.Respond(scenarios.Respond{Warnings: []string{"deprecated"}})
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.List("b", oracletest.Warned("widgets v1 are deprecated"), careful)
	run.ExpectFindings()

	run.List("b", careful)
	res := run.ExpectFindings(`answers violation rule-1 dropped unattributed   in step 5 (upgrading 1/2)`)
	want := `Widget widget: step 5 (upgrading 1/2: list by dynamic, via b (v1.0.0)): no warning says "deprecated", as respond declares; warnings: []`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A null in an answer is as good as no value.
func TestAnswerWithANull(t *testing.T) {
	want := scenarios.Respond{Fields: map[string]any{".spec.colour": nil}}
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"size": "1"}`)
	run.Change("bystander-1", ".spec", oracletest.Object{"size": "1", "colour": nil})
	run.Patch("bystander-1", oracletest.Respond(want))
	run.ExpectFindings()
}

// Who uses the change is judged by what old clients may go on doing.
func TestRuleOfAWrongAnswer(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.By(term.OldTyped), oracletest.Via("a"), oracletest.Refused(422, "shine may not change"))
	run.ExpectFindings(`answers violation rule-5 refused unattributed treated-1  in step 4 (upgrading 1/2)`)
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	if c.Outcome != term.Refused || oracletest.LastOutcome(c, ".spec.shine.level") != term.Kept {
		t.Errorf("copy %s, value %s; want refused, kept", c.Outcome, oracletest.LastOutcome(c, ".spec.shine.level"))
	}
}

// A refused write withdraws nothing and sets nothing.
func TestRefusedWriteChangesNothing(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Patch("bystander-1", oracletest.Set(".spec.colour", nil), oracletest.Refused(422, "no"), oracletest.Respond(oracletest.Code(422)))
	run.Change("bystander-1", ".spec.colour", nil)
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// A write without an answer may have been done: what it names is no loss,
// what it does not name is.
func TestWriteWithoutAnAnswer(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"), oracletest.Refused(504, "timeout"), oracletest.Respond(oracletest.Code(504)))
	run.Change("bystander-1", ".spec.colour", "blue")
	run.Observe()
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("ends as %s, want withdrawn: nothing shows what it is now", got)
	}

	run.Change("bystander-1", ".spec.size", nil)
	run.Observe()
	// what came before had been seen by then
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.size in step 0 ()`)
}

// An empty struct is a value: it is not the null that a line declares.
func TestAnswerWithAnEmptyStruct(t *testing.T) {
	for spec, want := range map[string][]string{
		`{"colour": "red"}`:               nil,
		`{"colour": "red", "finish": {}}`: {`answers violation rule-1 dropped unattributed bystander-1  in step 4 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", spec)
		run.Patch("bystander-1", oracletest.Respond(scenarios.Respond{Fields: map[string]any{".spec.finish": nil}}))
		run.ExpectFindings(want...)
	}
}
