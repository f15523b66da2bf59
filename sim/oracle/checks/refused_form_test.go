package checks_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// finishes has a struct that looks like a union, with a kind that the new release
// lists one more value of.
func finishes(t *testing.T) *oracletest.Run {
	run := oracletest.NewRun(t)
	for role, kinds := range map[term.Role][]any{term.Old: {"matt"}, term.New: {"matt", "gloss"}} {
		kind := oracletest.Object{"type": "string", "enum": kinds}
		run.Publish(role, oracletest.Object{oracletest.LampPath: oracletest.Struct(oracletest.Object{"kind": kind, "oil": oracletest.Scalar("integer")})})
	}
	run.Observe()
	return run
}

// because makes an answer a refusal that names .spec.lamp, in a server's words.
func because(run *oracletest.Run, step int, replica, reason, message string) {
	x := run.Exchange(step, history.Act, replica)
	run.RefuseField(x, "spec.lamp", reason)
	x.Answer = run.Edited(x.Answer, ".details.causes[0].message", message)
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
			run := finishes(t)
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Create("treated-1", glossy, oracletest.Via("a"))
			because(run, run.Patch("treated-1", oracletest.Via("b"), oracletest.RefusedAsInvalid()), "b", c.reason, c.message)
			run.ExpectFindings(`answers violation rule-5 refused ` + c.cause + ` treated-1  in step 5 (upgrading 1/2)`)
		})
	}
}

// TestUnionServedEmpty is the near miss: the release has no place for the member, and says
// that it found nothing. One that serves the member of what is stored has not dropped it.
func TestUnionServedEmpty(t *testing.T) {
	for serves, cause := range map[bool]string{false: "union-emptied", true: "not-ratcheted"} {
		run := oracletest.NewRun(t)
		run.Publish(term.New, oracletest.Object{oracletest.LampPath: oracletest.Struct(oracletest.Object{"oil": oracletest.Scalar("integer"), "gas": oracletest.Scalar("integer")})})
		run.Publish(term.Old, oracletest.Object{oracletest.LampPath: oracletest.Struct(oracletest.Object{"oil": oracletest.Scalar("integer")})})
		run.Observe()
		run.Stage("upgrading 1/2", term.New, term.Old)
		created := run.Create("treated-1", `{"lamp": {"gas": 3}}`, oracletest.Via("a"))
		if serves {
			look := run.Exchange(created, history.Look, "b")
			look.Answer = run.Edited(look.Answer, ".spec.lamp", oracletest.Object{"gas": 3})
		}
		because(run, run.Patch("treated-1", oracletest.Via("b"), oracletest.RefusedAsInvalid()), "b", "FieldValueInvalid", foundNone)
		run.ExpectFindings(`answers violation rule-5 refused ` + cause + ` treated-1  in step 5 (upgrading 1/2)`)
	}
}

// TestClassOfARefusal holds the rule of docs/reference/checks.md: what a call itself sends decides,
// at every stage, and of every client; and that a refusal of what does not use the change
// is a violation.
func TestClassOfARefusal(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*oracletest.Run) int
		want string
	}{
		"a create before anything changed": {func(run *oracletest.Run) int {
			return run.Create("treated-2", glossy, oracletest.Via("a"), oracletest.RefusedAsInvalid())
		}, "answers impact rule-3 refused unknown-value treated-2"},
		"a create by an old client": {func(run *oracletest.Run) int {
			return run.Create("treated-2", glossy, oracletest.By(term.OldTyped), oracletest.Via("a"), oracletest.RefusedAsInvalid())
		}, "answers impact rule-3 refused unknown-value treated-2"},
		"of what does not use the change": {func(run *oracletest.Run) int {
			return run.Create("bystander-2", `{"lamp": {"kind": "gloss"}}`, oracletest.Via("a"), oracletest.RefusedAsInvalid())
		}, "answers violation rule-1 refused unknown-value bystander-2"},
	} {
		t.Run(name, func(t *testing.T) {
			run := finishes(t)
			step := c.play(run)
			because(run, step, "a", "FieldValueInvalid", shownWhole)
			res, _ := run.Judge()
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
	whole := oracletest.Object{"spec": oracletest.Object{"lamp": oracletest.Object{"kind": "gloss"}}}
	label := oracletest.Object{"metadata": oracletest.Object{"labels": oracletest.Object{"note": "n"}}}
	names := oracletest.Set(".spec.lamp.kind", "gloss")
	for name, c := range map[string]struct {
		verb term.Verb
		body oracletest.Object
		sets []oracletest.Option
		want string
	}{
		"a patch that sets it":     {term.MergePatch, whole, []oracletest.Option{names}, asks},
		"a PUT that sets it":       {term.Put, whole, []oracletest.Option{names, oracletest.ReadVia("b")}, asks},
		"an apply":                 {term.Apply, whole, []oracletest.Option{oracletest.ManagedBy("m")}, asks},
		"a patch of a label":       {term.MergePatch, label, nil, carries},
		"a PUT of what was read":   {term.Put, whole, []oracletest.Option{oracletest.ReadVia("b")}, carries},
		"an apply of a label":      {term.Apply, label, []oracletest.Option{oracletest.ManagedBy("m")}, carries},
		"a PUT of it by old types": {term.Put, whole, []oracletest.Option{names, oracletest.ReadVia("b"), oracletest.By(term.OldTyped)}, asks},
	} {
		t.Run(name, func(t *testing.T) {
			run := finishes(t)
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Create("treated-1", glossy, oracletest.Via("a"))
			step := run.Do(c.verb, "treated-1", c.body, nil, append(c.sets, oracletest.Via("b"), oracletest.RefusedAsInvalid())...)
			because(run, step, "b", "FieldValueInvalid", shownWhole)
			res, _ := run.Judge()
			if assert.Len(t, res.Findings, 1) {
				assert.Equal(t, c.want, inShort(res.Findings[0]))
			}
		})
	}
}

// inShort is a finding without its place and its step.
func inShort(f result.Finding) string {
	return string(f.Check) + " " + string(f.Class) + " " + string(f.Rule) + " " + string(f.Outcome) + " " + string(f.Cause) + " " + f.Copy
}

// TestClassOfARefusalByAGate is that of one release whose gate is off in the old servers:
// the gate is named, with who says so. Where no gate is off, the value is expected of it.
func TestClassOfARefusalByAGate(t *testing.T) {
	for off, want := range map[bool]string{true: "answers impact lifecycle refused unknown-value treated-2", false: "answers violation rule-5 refused unattributed treated-2"} {
		run := finishes(t)
		for _, role := range []term.Role{term.Old, term.New} {
			run.Publish(role, oracletest.Object{oracletest.LampPath: oracletest.Struct(oracletest.Object{"kind": oracletest.Object{"type": "string", "enum": []any{"matt", "gloss"}}})})
			run.Schemas[role] = run.Schemas[role].WithTags(schema.Tags{"dev.example.v1.Widget": {"spec.lamp.kind": {Values: map[string][]string{"gloss": {"Gloss"}}}}})
			run.SetGate(role, "Gloss", role == term.New || !off)
		}
		because(run, run.Create("treated-2", glossy, oracletest.Via("a"), oracletest.RefusedAsInvalid()), "a", "FieldValueInvalid", shownWhole)
		res, _ := run.Judge()
		if assert.Len(t, res.Findings, 1) {
			assert.Equal(t, want, inShort(res.Findings[0]))
			assert.Equal(t, off, len(res.Findings[0].Gates) == 1)
		}
	}
}

// TestClassOfAWriteThatTheOldReleaseNeverTakes: a write of a stored object that the old release refused before
// any new server existed is what it cannot do, then and later: an impact. One that it took then, and refuses
// later, breaks a rule; so does one that a client of the new types sends as the old release cannot decode it.
func TestClassOfAWriteThatTheOldReleaseNeverTakes(t *testing.T) {
	size := oracletest.Object{"spec": oracletest.Object{"size": 2}}
	unknown := oracletest.Refused(http.StatusBadRequest, `strict decoding error: unknown field "spec.lustre"`)
	for name, c := range map[string]struct {
		first, later oracletest.Option
		want         []term.Class
	}{
		"refused in the first stage":  {oracletest.RefusedAsInvalid(), oracletest.RefusedAsInvalid(), []term.Class{term.Impact, term.Impact}},
		"accepted in the first stage": {oracletest.Via("a"), oracletest.RefusedAsInvalid(), []term.Class{term.Violation}},
		"not decoded":                 {unknown, unknown, []term.Class{term.Violation, term.Violation}},
	} {
		t.Run(name, func(t *testing.T) {
			run := finishes(t)
			run.Create("treated-1", glossy, oracletest.Via("a"))
			run.Create("treated-2", glossy, oracletest.Via("a"))
			run.Do(term.MergePatch, "treated-1", size, nil, oracletest.Set(".spec.size", 2), oracletest.Via("a"), c.first)
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Do(term.MergePatch, "treated-2", size, nil, oracletest.Set(".spec.size", 2), oracletest.Via("b"), c.later)
			res, _ := run.Judge()
			var classes []term.Class
			for _, f := range res.Findings {
				if f.Outcome == term.Refused {
					classes = append(classes, f.Class)
				}
			}
			assert.Equal(t, c.want, classes)
		})
	}
}

// TestCauseOfAWriteThatTheOldReleaseNeverTakes: the cause is that the field is immutable where the server says so of
// the field that is sent, and nothing otherwise.
func TestCauseOfAWriteThatTheOldReleaseNeverTakes(t *testing.T) {
	size := oracletest.Object{"spec": oracletest.Object{"size": 2}}
	for said, want := range map[string]term.Cause{"Invalid value: 2: field is immutable": term.Immutable, "Invalid value: 2: must be odd": term.Unattributed} {
		run := finishes(t)
		run.Create("treated-1", glossy, oracletest.Via("a"))
		n := run.Do(term.MergePatch, "treated-1", size, nil, oracletest.Set(".spec.size", 2), oracletest.Via("a"), oracletest.RefusedAsInvalid())
		x := run.Exchange(n, history.Act, "a")
		run.RefuseField(x, "spec.size", "FieldValueInvalid")
		x.Answer = run.Blob(oracletest.Object{"kind": "Status", "details": oracletest.Object{"causes": []any{
			oracletest.Object{"reason": "FieldValueInvalid", "field": "spec.size", "message": said},
		}}})
		res, _ := run.Judge()
		var causes []term.Cause
		for _, f := range res.Findings {
			if f.Check == term.CheckAnswers {
				causes = append(causes, f.Cause)
			}
		}
		assert.Equal(t, []term.Cause{want}, causes, said)
	}
}
