package blame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/schema"
)

// tagBoth has the sources of both releases say that a field is behind gates.
func tagBoth(run *oracletest.Run, field string, gates ...string) {
	for _, role := range []term.Role{term.Old, term.New} {
		run.Schemas[role] = run.Schemas[role].WithTags(tagOf(field, gates...))
	}
}

// TestDropBehindAGateThatNoReleaseHas: a tag of a gate that neither release reports says
// nothing, and the drop behind another gate, which is off, stays an impact. A gate that a
// release reports is on there, and is no cause.
func TestDropBehindAGateThatNoReleaseHas(t *testing.T) {
	const weight = `.spec.parts[name="y"].weight`
	for name, c := range map[string]struct {
		edit func(*oracletest.Run)
		want string
	}{
		"no release has it":      {func(*oracletest.Run) {}, "impact lifecycle dropped gate-disabled"},
		"both releases have it":  {func(run *oracletest.Run) { run.SetGate(term.Old, "Gone", true); run.SetGate(term.New, "Gone", true) }, "violation rule-2 dropped unattributed"},
		"the other has it still": {func(run *oracletest.Run) { run.SetGate(term.New, "Gone", true) }, "violation rule-2 dropped unattributed"},
		"gates are not reported": {func(run *oracletest.Run) { reportNone(run, term.New) }, "violation rule-2 dropped unattributed"},
	} {
		t.Run(name, func(t *testing.T) {
			run := gated(t, partWeight, false, without(t, weight), heavyParts)
			tagBoth(run, "spec.parts[].weight", "Gone")
			c.edit(run)
			run.ExpectFindings("nothing-lost " + c.want + " treated-2 " + weight + " in step 6 (upgrading 1/2)")
		})
	}
}

// reportNone has a release report no gates.
func reportNone(run *oracletest.Run, role term.Role) {
	release := run.History.Releases[role]
	release.Gates = nil
	run.History.Releases[role] = release
}

// emulates has one more release emulate a version.
func emulates(run *oracletest.Run, role term.Role, version string) {
	for i, r := range run.History.Header.Plan.Releases {
		if r.Role == role {
			run.History.Header.Plan.Releases[i].Options = scenarios.Options{EmulatedVersion: version}
		}
	}
}

// TestAcceptedByAnEmulatingServer: a value behind a gate that neither release reports is
// taken as it should be, though the server emulates an earlier release; so is one behind a
// gate that may be gone, where both emulate. A gate that the other release reports is off
// here, and so is that of a field, or of a value, which the emulated release does not have.
func TestAcceptedByAnEmulatingServer(t *testing.T) {
	const lustre = `nothing-lost violation lifecycle accepted unattributed treated-1 .spec.lustre in step 3 (upgrading 1/2)`
	for name, c := range map[string]struct {
		spec string
		edit func(*oracletest.Run)
		want []string
	}{
		"no release has the gate": {oracletest.LustreSpec, func(run *oracletest.Run) { tagBoth(run, "spec.lustre", "Gone") }, nil},
		"beside one that is off": {oracletest.LustreSpec, func(run *oracletest.Run) {
			tagBoth(run, "spec.lustre", "Gone", "Off")
			run.SetGate(term.New, "Off", false)
		}, []string{lustre}},
		"the other release has it": {oracletest.LustreSpec, func(run *oracletest.Run) { tagBoth(run, "spec.lustre", "Other"); run.SetGate(term.Old, "Other", true) }, []string{lustre}},
		"gates are not reported":   {oracletest.LustreSpec, func(run *oracletest.Run) { tagBoth(run, "spec.lustre", "Gone"); reportNone(run, term.New) }, nil},
		"both releases emulate":    {oracletest.LustreSpec, func(run *oracletest.Run) { tagBoth(run, "spec.lustre", "Gone"); emulates(run, term.Old, "0.9") }, nil},
		"a later field": {`{"colour": "red", "shine": {"level": 3}}`, func(run *oracletest.Run) { tagBoth(run, "spec.shine", "Later") },
			[]string{`nothing-lost violation lifecycle accepted unattributed treated-1 .spec.shine in step 3 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewSideBySide(t).Emulate("1.0")
			for _, role := range []term.Role{term.Old, term.New} {
				run.Publish(role, oracletest.Object{"spec.properties.lustre": oracletest.Scalar("integer")})
				run.SetGate(role, "Steady", true)
			}
			c.edit(run)
			run.Create("treated-1", c.spec, oracletest.Via("a"))
			var got []string
			res, _ := run.Judge()
			for _, f := range res.Findings {
				if f.Outcome == term.Accepted {
					got = append(got, oracletest.Brief(f))
				}
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestMemberBehindItsOwnGates: a field that names the gate of what holds it, and another,
// may need either: one that is on is enough, though the other is off.
func TestMemberBehindItsOwnGates(t *testing.T) {
	for second, want := range map[string][]string{
		"Weights": nil,
		"Parts":   {`nothing-lost violation lifecycle accepted unattributed treated-2 .spec.parts[name="y"].weight in step 6 (upgrading 1/2)`},
	} {
		run := gated(t, partWeight, false, func(oracletest.Object) {}, heavyParts)
		for _, role := range []term.Role{term.Old, term.New} {
			run.SetGate(role, "Parts", role == term.New)
			run.SetGate(role, "Weights", true)
			run.Schemas[role] = run.Schemas[role].WithTags(schema.Tags{"dev.example.v1.Widget": {
				"spec.parts": {Gates: []string{"Weights"}}, "spec.parts[].weight": {Gates: []string{second, "Parts"}},
			}})
		}
		run.ExpectFindings(want...)
	}
}

// TestAcceptedWhileTheGateOfAPartIsOff: a field whose description says that a member, a use or another
// value of it needs a gate can be used while the gate is off. The field, or the very value,
// that needs the gate must not be taken.
func TestAcceptedWhileTheGateOfAPartIsOff(t *testing.T) {
	const accepted = `nothing-lost violation lifecycle accepted unattributed treated-2 .spec.parts[name="y"].weight in step 6 (upgrading 1/2)`
	for description, want := range map[string][]string{
		"Using this field requires the Weights feature gate to be enabled.":               {accepted},
		"Using the unit field of weight requires the Weights feature gate to be enabled.": nil,
		"This field requires the Weights feature gate if the part moves.":                 nil,
		"It is allowed to be 2 only if the Weights feature gate is enabled.":              {accepted},
		"It is allowed to be 7 only if the Weights feature gate is enabled.":              nil,
	} {
		run := gated(t, partWeight, false, func(oracletest.Object) {}, heavyParts)
		weight := oracletest.Scalar("integer")
		weight["description"] = description
		for _, role := range []term.Role{term.Old, term.New} {
			run.Publish(role, oracletest.Object{partWeight: weight})
		}
		run.ExpectFindings(want...)
	}
}
