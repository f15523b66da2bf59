package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// tagBoth has the sources of both releases say that a field is behind gates.
func (s *story) tagBoth(field string, gates ...string) {
	for _, role := range []term.Role{term.Old, term.New} {
		s.schemas[role] = s.schemas[role].WithTags(tagOf(field, gates...))
	}
}

// TestDropBehindAGateThatNoReleaseHas: a tag of a gate that neither release reports says
// nothing, and the drop behind another gate, which is off, stays an impact. A gate that a
// release reports is on there, and is no cause.
func TestDropBehindAGateThatNoReleaseHas(t *testing.T) {
	const weight = `.spec.parts[name="y"].weight`
	for name, c := range map[string]struct {
		bend func(*story)
		want string
	}{
		"no release has it":      {func(*story) {}, "impact lifecycle not-accepted gate-disabled"},
		"both releases have it":  {func(s *story) { s.gates(term.Old, "Gone", true); s.gates(term.New, "Gone", true) }, "violation rule-2 not-accepted unattributed"},
		"the other has it still": {func(s *story) { s.gates(term.New, "Gone", true) }, "violation rule-2 not-accepted unattributed"},
		"gates are not reported": {func(s *story) { s.reportNone(term.New) }, "violation rule-2 not-accepted unattributed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := gated(t, partWeight, false, without(t, weight), heavyParts)
			s.tagBoth("spec.parts[].weight", "Gone")
			c.bend(s)
			s.finds("nothing-lost " + c.want + " treated-2 " + weight + " in step 6 (upgrading 1/2)")
		})
	}
}

// reportNone has a release report no gates.
func (s *story) reportNone(role term.Role) {
	release := s.h.Releases[role]
	release.Gates = nil
	s.h.Releases[role] = release
}

// emulates has one more release emulate a version.
func (s *story) emulates(role term.Role, version string) {
	for i, r := range s.h.Header.Plan.Releases {
		if r.Role == role {
			s.h.Header.Plan.Releases[i].Options = scenarios.Options{EmulatedVersion: version}
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
		bend func(*story)
		want []string
	}{
		"no release has the gate":  {lustrous, func(s *story) { s.tagBoth("spec.lustre", "Gone") }, nil},
		"beside one that is off":   {lustrous, func(s *story) { s.tagBoth("spec.lustre", "Gone", "Off"); s.gates(term.New, "Off", false) }, []string{lustre}},
		"the other release has it": {lustrous, func(s *story) { s.tagBoth("spec.lustre", "Other"); s.gates(term.Old, "Other", true) }, []string{lustre}},
		"gates are not reported":   {lustrous, func(s *story) { s.tagBoth("spec.lustre", "Gone"); s.reportNone(term.New) }, nil},
		"both releases emulate":    {lustrous, func(s *story) { s.tagBoth("spec.lustre", "Gone"); s.emulates(term.Old, "0.9") }, nil},
		"a later field": {`{"colour": "red", "shine": {"level": 3}}`, func(s *story) { s.tagBoth("spec.shine", "Later") },
			[]string{`nothing-lost violation lifecycle accepted unattributed treated-1 .spec.shine in step 3 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := side(t).emulating("1.0")
			for _, role := range []term.Role{term.Old, term.New} {
				s.publish(role, object{"spec.properties.lustre": scalarOf("integer")})
				s.gates(role, "Steady", true)
			}
			c.bend(s)
			s.create("treated-1", c.spec, via("a"))
			var got []string
			res, _ := s.judge()
			for _, f := range res.Findings {
				if f.State == term.Accepted {
					got = append(got, brief(f))
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
		s := gated(t, partWeight, false, func(object) {}, heavyParts)
		for _, role := range []term.Role{term.Old, term.New} {
			s.gates(role, "Parts", role == term.New)
			s.gates(role, "Weights", true)
			s.schemas[role] = s.schemas[role].WithTags(schema.Tags{"dev.example.v1.Widget": {
				"spec.parts": {Gates: []string{"Weights"}}, "spec.parts[].weight": {Gates: []string{second, "Parts"}},
			}})
		}
		s.finds(want...)
	}
}
