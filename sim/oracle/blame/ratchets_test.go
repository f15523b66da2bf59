package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// objects makes an answer the 422 of a server that objects to a field, for a reason.
func objects(run *oracletest.Run, step int, purpose history.Purpose, replica, field, reason string) {
	run.RefuseField(run.Exchange(step, purpose, replica), field, reason)
}

// A server that refuses a call for a value that was stored before, and that the call
// leaves as it was, does not ratchet. Of a call that changes the value, or anything else
// of the spec, that is not said; nor of one at which nothing is stored.
func TestNotRatcheted(t *testing.T) {
	const held, unclear = "not-ratcheted", "unattributed"
	for name, c := range map[string]struct {
		sets          []oracletest.Option
		field, reason string
		want          string
	}{
		"a label":                {nil, "spec.colour", "FieldValueInvalid", held},
		"a value that misses":    {nil, "spec.size", "FieldValueRequired", held},
		"the value itself":       {[]oracletest.Option{oracletest.Set(".spec.colour", "b!")}, "spec.colour", "FieldValueInvalid", unclear},
		"another of the spec":    {[]oracletest.Option{oracletest.Set(".spec.size", 7)}, "spec.colour", "FieldValueInvalid", unclear},
		"it names no field":      {nil, "", "FieldValueInvalid", unclear},
		"none of those it takes": {nil, "spec.colour", "FieldValueNotSupported", "unknown-value"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewRun(t)
			run.Create("bystander-1", `{"colour": "a!"}`, oracletest.Via("b"))
			run.Create("bystander-2", `{"colour": "a!"}`, oracletest.Via("b"))
			run.Patch("bystander-1", append(c.sets, oracletest.Via("b"))...)
			run.Stage("upgrading 1/2", term.New, term.Old)
			refused := run.Patch("bystander-2", append(c.sets, oracletest.Via("a"), oracletest.RefusedAsInvalid())...)
			objects(run, refused, history.Act, "a", c.field, c.reason)
			run.ExpectFindings(`rule-1 violation rule-1 refused ` + c.want + ` bystander-2  in step 6 (upgrading 1/2)`)
		})
	}
}

// A server that refuses a write through another version, which both releases serve, for a rule of that version
// applies no new rule. Near twin: the version of the object itself.
func TestNotRatchetedInOtherVersion(t *testing.T) {
	for version, want := range map[string]string{"": "not-ratcheted", "example.dev/v1beta1": "unattributed"} {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Create("bystander-2", `{"colour": "a!"}`, oracletest.Via("b"))
		run.NameVersion(run.Put("bystander-1", oracletest.Via("b")), version)
		run.Stage("upgrading 1/2", term.New, term.Old)
		refused := run.Put("bystander-2", oracletest.Via("a"), oracletest.RefusedAsInvalid())
		run.NameVersion(refused, version)
		objects(run, refused, history.Act, "a", "spec.size", "FieldValueRequired")
		run.ExpectFindings(`rule-1 violation rule-1 refused ` + want + ` bystander-2  in step 6 (upgrading 1/2)`)
	}
}

// A PUT that holds the field as it was stored leaves it; one that does not, does not.
func TestNotRatchetedPut(t *testing.T) {
	for stored, want := range map[string]string{"a!": "not-ratcheted", "other": "unattributed"} {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Create("bystander-2", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Put("bystander-1", oracletest.Via("b"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		refused := run.Put("bystander-2", oracletest.Via("a"), oracletest.RefusedAsInvalid())
		objects(run, refused, history.Act, "a", "spec.colour", "FieldValueInvalid")
		x := run.Exchange(refused, history.Act, "a")
		x.Sent = run.Edited(x.Sent, ".spec.colour", stored)
		run.ExpectFindings(`rule-1 violation rule-1 refused ` + want + ` bystander-2  in step 6 (upgrading 1/2)`)
	}
}

// A create is held to what the server takes: there is nothing stored that it could spare.
// That it does not take a new value is to be expected; of any other value it is not.
func TestUnknownValueSent(t *testing.T) {
	for reason, want := range map[string]string{"FieldValueNotSupported": "impact rule-3 refused unknown-value", "FieldValueInvalid": "violation rule-5 refused unattributed"} {
		run := oracletest.NewRun(t)
		run.Stage("upgrading 1/2", term.New, term.Old)
		refused := run.Create("treated-1", `{"colour": "a!"}`, oracletest.Via("b"), oracletest.RefusedAsInvalid())
		objects(run, refused, history.Act, "b", "spec.colour", reason)
		run.ExpectFindings(`answers ` + want + ` treated-1  in step 3 (upgrading 1/2)`)
	}
}

// A call that changes something else of the spec is refused for what was stored where a
// try, which changes nothing, is refused for the same field.
func TestNotRatchetedTriedToo(t *testing.T) {
	for field, want := range map[string]string{"spec.colour": "not-ratcheted", "spec.args": "unattributed"} {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Create("bystander-2", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Patch("bystander-1", oracletest.Set(".spec.size", "7"), oracletest.Via("b"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		refused := run.Patch("bystander-2", oracletest.Set(".spec.size", "7"), oracletest.Via("a"), oracletest.RefusedAsInvalid())
		objects(run, refused, history.Act, "a", "spec.colour", "FieldValueInvalid")
		run.Stage("new", term.New, term.New)
		tries := run.DryRuns("bystander-2")
		run.RefuseField(&run.DryRun(tries, "bystander-2", "a", term.LabelAttempt).Exchange, field, "FieldValueInvalid")
		res, _ := run.Judge()
		reported := 0
		for _, f := range res.Findings {
			if f.Check == term.CheckRule1 && string(f.Cause) == want {
				reported++
			}
		}
		if reported != 1 {
			t.Errorf("%s: told %d times: %+v", field, reported, res.Findings)
		}
	}
}
