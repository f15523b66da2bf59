package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// finishes has a struct that looks like a union, with a kind that the new release
// lists one more value of.
func finishes(t *testing.T) *story {
	s := tell(t)
	for role, kinds := range map[term.Role][]any{term.Old: {"matt"}, term.New: {"matt", "gloss"}} {
		kind := object{"type": "string", "enum": kinds}
		s.publish(role, object{lamp: structOf(object{"kind": kind, "oil": scalarOf("integer")})})
	}
	s.edge()
	return s
}

// because makes an answer a refusal that names .spec.lamp, in a server's words.
func (s *story) because(step int, replica, reason, message string) {
	x := s.recorded(step, history.Act, replica)
	s.objection(x, "spec.lamp", reason)
	x.Answer = s.bend(x.Answer, ".details.causes[0].message", message)
}

const (
	shownWhole  = `Invalid value: {"Kind":"gloss","Oil":null}: must be 'matt'`
	shownAsGo   = `Invalid value: shop.Lamp{Kind:"gloss", Oil:(*int)(nil)}: must be 'matt'`
	glossy      = `{"lamp": {"kind": "gloss"}}`
	foundNone   = `Invalid value: "": must specify one of: oil`
	notForThese = "Forbidden: may not be set for lamps without oil"
)

// TestValueIsSeen is what a server says of a value that it has seen: it dropped nothing.
// What its release does not list is unknown to it; anything else was stored before, and is held against it now.
func TestValueIsSeen(t *testing.T) {
	for name, c := range map[string]struct{ reason, message, cause string }{
		"the whole struct":       {"FieldValueInvalid", shownWhole, "unknown-value"},
		"the struct, as Go code": {"FieldValueInvalid", shownAsGo, "unknown-value"},
		"the server's own list":  {"FieldValueNotSupported", `Unsupported value: "gloss": supported values: "matt"`, "unknown-value"},
		"it is forbidden":        {"FieldValueForbidden", notForThese, "not-ratcheted"},
		"it found nothing":       {"FieldValueInvalid", foundNone, "not-ratcheted"}, // and the release keeps the field
	} {
		t.Run(name, func(t *testing.T) {
			s := finishes(t)
			s.stage("upgrading 1/2", term.New, term.Old)
			s.create("treated-1", glossy, via("a"))
			s.because(s.patch("treated-1", via("b"), refusedAs()), "b", c.reason, c.message)
			s.finds(`answers violation rule-5 refused ` + c.cause + ` treated-1  in step 5 (upgrading 1/2)`)
		})
	}
}

// TestUnionServedEmpty is the near miss: the release has no place for the member, and says
// that it found nothing. One that serves the member of what is stored has not dropped it.
func TestUnionServedEmpty(t *testing.T) {
	for serves, cause := range map[bool]string{false: "union-emptied", true: "not-ratcheted"} {
		s := tell(t)
		s.publish(term.New, object{lamp: structOf(object{"oil": scalarOf("integer"), "gas": scalarOf("integer")})})
		s.publish(term.Old, object{lamp: structOf(object{"oil": scalarOf("integer")})})
		s.edge()
		s.stage("upgrading 1/2", term.New, term.Old)
		created := s.create("treated-1", `{"lamp": {"gas": 3}}`, via("a"))
		if serves {
			look := s.recorded(created, history.Look, "b")
			look.Answer = s.bend(look.Answer, ".spec.lamp", object{"gas": 3})
		}
		s.because(s.patch("treated-1", via("b"), refusedAs()), "b", "FieldValueInvalid", foundNone)
		s.finds(`answers violation rule-5 refused ` + cause + ` treated-1  in step 5 (upgrading 1/2)`)
	}
}

// TestClassOfARefusal holds the rule of docs/checks.md: what a call itself sends decides,
// at every stage, and of every client; and that a refusal of what does not use the change
// is a violation.
func TestClassOfARefusal(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*story) int
		want string
	}{
		"a create before anything changed": {func(s *story) int { return s.create("treated-2", glossy, via("a"), refusedAs()) }, "answers impact rule-3 refused unknown-value treated-2"},
		"a create by an old client":        {func(s *story) int { return s.create("treated-2", glossy, by(term.OldTyped), via("a"), refusedAs()) }, "answers impact rule-3 refused unknown-value treated-2"},
		"of what does not use the change": {func(s *story) int {
			return s.create("bystander-2", `{"lamp": {"kind": "gloss"}}`, via("a"), refusedAs())
		}, "answers violation rule-1 refused unknown-value bystander-2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := finishes(t)
			step := c.play(s)
			s.because(step, "a", "FieldValueInvalid", shownWhole)
			res, _ := s.judge()
			if assert.Len(t, res.Findings, 1) {
				assert.Equal(t, c.want, inShort(res.Findings[0]))
			}
		})
	}
}

// TestClassOfARefusedUpdate: an update that itself sends the value asks the old release for
// it, by whatever verb and client. One that leaves it as it is does not, also where its
// body carries the value along.
func TestClassOfARefusedUpdate(t *testing.T) {
	const asks, carries = "answers impact rule-3 refused unknown-value treated-1", "answers violation rule-5 refused unknown-value treated-1"
	whole := object{"spec": object{"lamp": object{"kind": "gloss"}}}
	label := object{"metadata": object{"labels": object{"note": "n"}}}
	names := set(".spec.lamp.kind", "gloss")
	for name, c := range map[string]struct {
		verb term.Verb
		body object
		sets []option
		want string
	}{
		"a patch that sets it":     {term.MergePatch, whole, []option{names}, asks},
		"a PUT that sets it":       {term.Put, whole, []option{names, read("b")}, asks},
		"an apply":                 {term.Apply, whole, []option{manager("m")}, asks},
		"a patch of a label":       {term.MergePatch, label, nil, carries},
		"a PUT of what was read":   {term.Put, whole, []option{read("b")}, carries},
		"an apply of a label":      {term.Apply, label, []option{manager("m")}, carries},
		"a PUT of it by old types": {term.Put, whole, []option{names, read("b"), by(term.OldTyped)}, asks},
	} {
		t.Run(name, func(t *testing.T) {
			s := finishes(t)
			s.stage("upgrading 1/2", term.New, term.Old)
			s.create("treated-1", glossy, via("a"))
			step := s.does(c.verb, "treated-1", c.body, nil, append(c.sets, via("b"), refusedAs())...)
			s.because(step, "b", "FieldValueInvalid", shownWhole)
			res, _ := s.judge()
			if assert.Len(t, res.Findings, 1) {
				assert.Equal(t, c.want, inShort(res.Findings[0]))
			}
		})
	}
}

// inShort is a finding without its place and its step.
func inShort(f result.Finding) string {
	return string(f.Check) + " " + string(f.Class) + " " + string(f.Rule) + " " + string(f.State) + " " + string(f.Cause) + " " + f.Copy
}

// TestClassOfARefusalByAGate is that of one release whose gate is off in the old servers:
// the gate is named, with who says so. Where no gate is off, the value is expected of it.
func TestClassOfARefusalByAGate(t *testing.T) {
	for off, want := range map[bool]string{true: "answers impact lifecycle refused unknown-value treated-2", false: "answers violation rule-5 refused unattributed treated-2"} {
		s := finishes(t)
		for _, role := range []term.Role{term.Old, term.New} {
			s.publish(role, object{lamp: structOf(object{"kind": object{"type": "string", "enum": []any{"matt", "gloss"}}})})
			s.schemas[role] = s.schemas[role].WithTags(schema.Tags{"dev.example.v1.Widget": {"spec.lamp.kind": {Values: map[string][]string{"gloss": {"Gloss"}}}}})
			s.gates(role, "Gloss", role == term.New || !off)
		}
		s.because(s.create("treated-2", glossy, via("a"), refusedAs()), "a", "FieldValueInvalid", shownWhole)
		res, _ := s.judge()
		if assert.Len(t, res.Findings, 1) {
			assert.Equal(t, want, inShort(res.Findings[0]))
			assert.Equal(t, off, len(res.Findings[0].Gates) == 1)
		}
	}
}

// TestObjections says what a server saw, by its words.
func TestObjections(t *testing.T) {
	for message, c := range map[string]struct {
		reason         string
		nothing, shows bool
	}{
		`Required value: exactly one must be set`: {"FieldValueRequired", true, false},
		foundNone: {"FieldValueInvalid", true, false},
		`Invalid value: {"Kind":"","Oil":null}: must be set`:              {"FieldValueInvalid", true, false},
		`Invalid value: shop.Lamp{Kind:"", Oil:(*int)(nil)}: must be set`: {"FieldValueInvalid", true, false},
		shownWhole:                               {"FieldValueInvalid", false, true},
		shownAsGo:                                {"FieldValueInvalid", false, true},
		`Invalid value: "gloss": must be 'matt'`: {"FieldValueInvalid", false, true},
		`Invalid value: "glossy": must be 'matt'`:                           {"FieldValueInvalid", false, false},
		`Invalid value: "object": spec.lamp must validate one and only one`: {"FieldValueInvalid", false, false},
		notForThese: {"FieldValueForbidden", false, true},
	} {
		nothing, shows := oracle.Objects(c.reason, message, "gloss")
		assert.Equal(t, c.nothing, nothing, message)
		assert.Equal(t, c.shows, shows, message)
	}
}
