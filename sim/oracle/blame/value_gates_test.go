package blame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

const (
	firmParts = `{"parts": [{"name": "x", "count": 1}, {"name": "y", "grip": "Firm"}]}`
	softParts = `{"parts": [{"name": "x", "count": 1}, {"name": "y", "grip": "Soft"}]}`
	firmGrip  = `.spec.parts[name="y"].grip`
)

// gripped has a text that both releases publish, whose tag names a gate that is on in both. The
// old release drops one value of it on create, and keeps it in what has it; a gate that is off there
// and on in the new one guards the field beside.
func gripped(t *testing.T, beside, gate string) *oracletest.Run {
	run := oracletest.NewRun(t)
	for _, role := range []term.Role{term.Old, term.New} {
		run.Publish(role, oracletest.Object{
			"spec.properties.parts.items.properties.grip": oracletest.Scalar("string"), "spec.properties.parts.items.properties." + beside: oracletest.Gated(gate),
		})
		run.Schemas[role] = run.Schemas[role].WithTags(tagOf("spec.parts[].grip", "Steady"))
		run.SetGate(role, "Steady", true)
		run.SetGate(role, gate, role == term.New)
	}
	run.Behave(term.Old, dropsFirm(t))
	run.Observe()
	run.Stage("upgrading 1/2", term.New, term.Old)
	return run
}

// dropsFirm drops the value on create.
func dropsFirm(t *testing.T) oracletest.Behaviour {
	return oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
		if v, _ := path.Get(now, oracletest.Path(t, firmGrip)); was == nil && v == "Firm" {
			without(t, firmGrip)(now)
		}
	}}
}

// TestGateOfAValueThatNothingNames: a field whose own gate is on has a value that a server drops on
// create alone. The gate of the field beside, which is off there alone, is why. Where the
// server has taken the value, or nothing ties the gate to the field, the value is dropped
// against the rules.
func TestGateOfAValueThatNothingNames(t *testing.T) {
	const impact, violation = "impact lifecycle dropped gate-disabled", "violation rule-2 dropped unattributed"
	for name, c := range map[string]struct {
		beside, gate string
		edit         func(run *oracletest.Run)
		want         string
	}{
		"the gate of the field beside": {"gripRules", "Sturdy", nil, impact},
		"called like the field":        {"rules", "Sturdy", func(run *oracletest.Run) { setBoth(run, "PartGrip", false, true) }, impact},
		"another value is taken":       {"gripRules", "Sturdy", func(run *oracletest.Run) { run.Create("bystander-1", softParts, oracletest.Via("b")) }, impact},
		"the value is taken": {"gripRules", "Sturdy", func(run *oracletest.Run) {
			run.Patch("treated-2", oracletest.Set(firmGrip, "Firm"), oracletest.Via("b"))
		}, violation},
		"the gate is on":                 {"gripRules", "Sturdy", func(run *oracletest.Run) { run.SetGate(term.Old, "Sturdy", true) }, violation},
		"the gate is off in both":        {"gripRules", "Sturdy", func(run *oracletest.Run) { run.SetGate(term.New, "Sturdy", false) }, violation},
		"the field beside has no kin":    {"weight", "Sturdy", nil, violation},
		"the gate is another field's":    {"weight", "PartGrip", nil, violation},
		"called otherwise, off in both":  {"rules", "Sturdy", func(run *oracletest.Run) { setBoth(run, "PartGrip", false, false) }, violation},
		"called like it, on in old only": {"rules", "Sturdy", func(run *oracletest.Run) { setBoth(run, "PartGrip", true, false) }, violation},
	} {
		t.Run(name, func(t *testing.T) {
			run := gripped(t, c.beside, c.gate)
			run.Create("treated-1", firmParts, oracletest.Via("a"))
			run.Patch("treated-1", oracletest.Via("b"))
			run.Create("treated-2", firmParts, oracletest.Via("b"))
			if c.edit != nil {
				c.edit(run)
			}
			res := run.ExpectFindings("nothing-lost " + c.want + " treated-2 " + firmGrip + " in step 6 (upgrading 1/2)")
			if c.want == impact {
				assert.Equal(t, term.FromName, res.Findings[0].Gates[0].Source)
			}
		})
	}
}

// setBoth sets a gate in both releases.
func setBoth(run *oracletest.Run, gate string, old, new bool) {
	run.SetGate(term.Old, gate, old)
	run.SetGate(term.New, gate, new)
}

// TestValueThatCameWithAField: a value that no release has taken is dropped by the release whose
// field beside is new, and behind a gate that is off. A release that took the value before
// shows that no gate is why.
func TestValueThatCameWithAField(t *testing.T) {
	for taken, want := range map[bool]string{
		false: "impact lifecycle dropped gate-disabled treated-1",
		true:  "violation rule-2 dropped unattributed treated-1",
	} {
		run := gripped(t, "gripRules", "Sturdy")
		run.History.Releases[term.Old].Gates["Steady"] = true
		delete(run.History.Releases[term.Old].Gates, "Sturdy")
		run.SetGate(term.New, "Sturdy", false)
		run.Behave(term.New, dropsFirm(t))
		run.Behave(term.Old, oracletest.Behaviour{})
		run.Create("treated-1", firmParts, oracletest.Via("a"))
		if taken {
			run.Create("treated-2", firmParts, oracletest.Via("b"))
		}
		run.ExpectFindings("nothing-lost " + want + " " + firmGrip + " in step 4 (upgrading 1/2)")
	}
}

// TestGateOfAValueThatASourceNames: the tag of a constant, or what the description says of a value,
// names the gate of the value, which is off where it is dropped.
func TestGateOfAValueThatASourceNames(t *testing.T) {
	for source, publish := range map[term.GateSource]func(run *oracletest.Run, role term.Role){
		term.FromTag: func(run *oracletest.Run, role term.Role) {
			run.Schemas[role] = run.Schemas[role].WithTags(schema.Tags{"dev.example.v1.Widget": {"spec.parts[].grip": {Values: map[string][]string{"Firm": {"Sturdy"}}}}})
		},
		term.FromDescription: func(run *oracletest.Run, role term.Role) {
			grip := oracletest.Scalar("string")
			grip["description"] = `"Firm" requires the Sturdy feature gate.`
			run.Publish(role, oracletest.Object{"spec.properties.parts.items.properties.grip": grip})
		},
	} {
		run := gripped(t, "weight", "Sturdy")
		for _, role := range []term.Role{term.Old, term.New} {
			publish(run, role)
		}
		run.Create("treated-1", firmParts, oracletest.Via("b"))
		run.Create("treated-2", softParts, oracletest.Via("b"))
		res := run.ExpectFindings("nothing-lost impact lifecycle dropped gate-disabled treated-1 " + firmGrip + " in step 4 (upgrading 1/2)")
		assert.Equal(t, []result.Gate{{Name: "Sturdy", Source: source}}, res.Findings[0].Gates)
	}
}
