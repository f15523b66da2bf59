package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// emulating has the new release's servers emulate a version.
func (s *story) emulating(version string) *story {
	s.h.Header.Plan.Releases = []plan.Release{
		{Role: term.Old, Reference: "widget@" + oldVersion},
		{Role: term.New, Reference: "widget@" + newVersion, Options: scenarios.Options{EmulatedVersion: version}},
	}
	return s
}

// infidelities are what the check finds, each as brief has it, with the end at fault
// and its words.
func (s *story) infidelities(want ...string) []result.Finding {
	s.t.Helper()
	res, _ := s.judge()
	var got []string
	var all []result.Finding
	for _, f := range res.Findings {
		if f.Check == term.CheckEmulates {
			got, all = append(got, strings.TrimPrefix(brief(f), "emulates impact emulation ")+" via "+string(f.Via)), append(all, f)
		}
	}
	assert.Equal(s.t, want, got)
	require.Len(s.t, all, len(want))
	return all
}

// side tells a story in which replicas of both releases serve: a the new one's, b the
// old one's.
func side(t *testing.T) *story {
	s := tell(t, term.Upgrade)
	s.stage("upgrading 1/2", term.New, term.Old)
	return s
}

// TestEmulates: what the emulating server keeps in the store, the true one drops; and
// what is stored is shown by the one and not by the other. Without a field that one of
// them lacks, both do the same. Where nobody emulates the other end, nothing is due.
func TestEmulates(t *testing.T) {
	play := func(version string, alike bool) *story {
		s := side(t).emulating(version)
		if alike {
			s.schemas[term.Old] = s.schemas[term.New]
		}
		s.create("treated-1", onlyShine)
		s.create("treated-2", onlyShine)
		s.create("treated-3", onlyShine)
		s.patch("treated-1", via("a"))
		s.patch("treated-2", via("b"))
		s.patch("treated-3", via("b"))
		return s
	}
	said := play("1.0", false).infidelities(
		`varies unattributed treated-1 .spec.shine.level in step 3 (upgrading 1/2) via new`,
		`varies unknown-field treated-1 .spec.shine.level in step 6 (upgrading 1/2) via new`)
	assert.Equal(t, "Widget treated-1: step 6 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0 emulating 1.0)) found .spec.shine.level = 3 and kept it; "+
		"the same call in step 7 (upgrading 1/2: merge-patch by dynamic, via b (v1.0.0), on treated-2) lost it (v1.0.0 does not publish the field): "+
		"v2.0.0 emulating 1.0 does not behave as v1.0.0 does; impact under emulation", said[1].Message)
	assert.Equal(t, []any{nil, int64(3)}, []any{said[1].Before, said[1].After})
	play("1.0", true).infidelities()
	play("1.1", false).infidelities()
	res, _ := play("1.1", false).judge()
	absent(t, res, term.CheckEmulates)
}

// TestEmulatesUnderOtherGates: what differs because the scenario switches other gates at
// the two ends is not emulation's doing; equal ones show no difference.
func TestEmulatesUnderOtherGates(t *testing.T) {
	for _, alike := range []bool{true, false} {
		s := side(t).emulating("1.0")
		s.h.Header.Plan.Releases[1].Options.FeatureGates = map[string]bool{"Shine": true}
		if alike {
			s.h.Header.Plan.Releases[0].Options.FeatureGates = map[string]bool{"Shine": true}
		}
		s.create("treated-1", onlyShine)
		res, _ := s.judge()
		told := slices.ContainsFunc(res.Findings, func(f result.Finding) bool { return f.Check == term.CheckEmulates })
		assert.Equal(t, alike, told)
		assert.Equal(t, !alike, slices.Contains(res.Notes, "emulation is not judged: the scenario sets different gates or APIs for the two releases"))
	}
}

// TestEmulatesAnswers: one end refuses what the other takes, or warns of it. The
// finding is the refusal's, of either release; where both refuse alike there is no finding.
func TestEmulatesAnswers(t *testing.T) {
	refuses := refused(422, "not valid")
	for name, c := range map[string]struct {
		a, b []option
		want []string
	}{
		"neither":       {},
		"both":          {a: []option{refuses}, b: []option{refuses}},
		"the emulation": {a: []option{refuses}, want: []string{`refused unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"the true one":  {b: []option{refuses}, want: []string{`refused unattributed bystander-2  in step 4 (upgrading 1/2) via old`}},
		"otherwise":     {a: []option{refused(400, "no")}, b: []option{refuses}, want: []string{`refused unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"a warning":     {b: []option{warned("of bystander-2")}, want: []string{`varies unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"two warnings":  {a: []option{warned("of bystander-1")}, b: []option{warned("of bystander-2")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := side(t).emulating("1.0")
			s.create("bystander-1", `{"colour": "red"}`, append(c.a, via("a"))...)
			s.create("bystander-2", `{"colour": "red"}`, append(c.b, via("b"))...)
			s.infidelities(c.want...)
		})
	}
}

// TestEmulatesCreates: what a create was answered with, where one end drops or fills in
// what the other does not. Addresses are drawn anew for each object.
func TestEmulatesCreates(t *testing.T) {
	born := func(a, b edit) *story {
		s := side(t).emulating("1.0")
		s.schemas[term.Old] = s.schemas[term.New]
		s.answered(s.create("bystander-1", `{"colour": "red"}`, via("a")), a)
		s.answered(s.create("bystander-2", `{"colour": "red"}`, via("b")), b)
		return s
	}
	same := with(".spec.size", "1")
	born(same, same).infidelities()
	born(with(".spec.size", "2"), same).infidelities()
	born(with(".spec.grain", "fine"), same).infidelities(
		`varies defaulted bystander-1 .spec.grain in step 3 (upgrading 1/2) via new`,
		`varies unattributed bystander-1 .spec.size in step 3 (upgrading 1/2) via new`)
	born(with(".spec.colour", "blue"), with(".spec.colour", "red")).infidelities(
		`varies unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2) via new`)
	s := side(t).emulating("1.0")
	s.create("bystander-1", onlyShine, via("a"))
	s.create("bystander-2", onlyShine, via("b"))
	s.infidelities(
		`varies unattributed bystander-1 .spec.shine.level in step 3 (upgrading 1/2) via new`,
		`varies unknown-field bystander-1 .spec.shine.level in step 3 (upgrading 1/2) via new`)
}

// TestEmulatesTheSameCall: only what was asked in the same way, at the same stage, of
// objects that were created in the same way, is compared.
func TestEmulatesTheSameCall(t *testing.T) {
	for name, play := range map[string]func(s *story){
		"another stage": func(s *story) {
			s.create("bystander-1", `{"colour": "red"}`, via("a"))
			s.stage("upgrading 2/2", term.New, term.Old)
			s.create("bystander-2", `{"colour": "red"}`, via("b"), refused(422, "no"))
		},
		"another client": func(s *story) {
			s.create("bystander-1", `{"colour": "red"}`, via("a"))
			s.create("bystander-2", `{"colour": "red"}`, via("b"), by(term.OldTyped), refused(422, "no"))
		},
		"another birth": func(s *story) {
			s.create("bystander-1", `{"colour": "red"}`, via("a"))
			s.create("bystander-2", `{"colour": "red"}`, via("b"))
			s.patch("bystander-1", via("a"))
			s.patch("bystander-2", via("b"), refused(422, "no"))
		},
		"another read": func(s *story) {
			s.create("bystander-1", `{"colour": "red"}`, via("a"))
			s.create("bystander-2", `{"colour": "red"}`, via("a"))
			s.put("bystander-1", read("b"), via("a"))
			s.put("bystander-2", read("a"), via("b"), refused(422, "no"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := side(t).emulating("1.0")
			play(s)
			s.infidelities()
		})
	}
}

// TestGatesOfAnEmulation: of a gate that came after the release that a server emulates
// the server says nothing, and it is off. One that emulates nothing, and says nothing of
// a gate, leaves it indeterminate.
func TestGatesOfAnEmulation(t *testing.T) {
	for version, want := range map[string]string{
		"1.0": "impact lifecycle not-accepted gate-disabled", "": "violation rule-2 not-accepted unattributed",
	} {
		s := mixed(t)
		s.emulating(version)
		s.gates(term.New, "Another", true)
		created := s.create("bystander-1", twoParts)
		s.answered(created, with(".spec.lustre", nil))
		res, _ := s.judge()
		require.NotEmpty(t, res.Findings)
		assert.Equal(t, "nothing-lost "+want+" bystander-1 .spec.lustre in step 3 (upgrading 1/2)", brief(res.Findings[0]))
	}
}

// TestLaterThanTheEmulation: what the emulating server's own types have, and the release
// that it emulates does not, is dropped on create as behind any gate that is off, though
// nothing published names one. Of a server that emulates nothing it is a silent drop.
func TestLaterThanTheEmulation(t *testing.T) {
	for version, want := range map[string]string{
		"1.0": "impact lifecycle not-accepted gate-disabled", "": "violation rule-4 not-accepted unattributed",
	} {
		s := side(t).emulating(version)
		s.answered(s.create("treated-1", `{"colour": "red", "shine": {"level": 3}}`, via("a")), with(".spec.shine", nil))
		res, _ := s.judge()
		require.NotEmpty(t, res.Findings)
		assert.Equal(t, "nothing-lost "+want+" treated-1 .spec.shine in step 3 (upgrading 1/2)", brief(res.Findings[0]))
		if version != "" {
			assert.Contains(t, res.Findings[0].Message, "(it came after what v2.0.0 emulating 1.0 emulates: v1.0.0 has no such field)")
		}
	}
}

// TestEmulatesEffects: what a call made of a value that it did not name, where one end
// does so and the other does not.
func TestEmulatesEffects(t *testing.T) {
	touched := func(a, b edit) *story {
		s := side(t).emulating("1.0")
		s.schemas[term.Old] = s.schemas[term.New]
		s.create("bystander-1", `{"colour": "red"}`)
		s.create("bystander-2", `{"colour": "red"}`)
		s.answered(s.patch("bystander-1", via("a")), a)
		s.answered(s.patch("bystander-2", via("b")), b)
		return s
	}
	adds, nothing := with(".spec.notes.by", "a server"), with(".spec.colour", "red")
	touched(adds, adds).infidelities()
	touched(nothing, nothing).infidelities()
	touched(adds, nothing).infidelities(`varies defaulted bystander-1 .spec.notes.by in step 5 (upgrading 1/2) via new`)
	touched(nothing, adds).infidelities(`varies defaulted bystander-1 .spec.notes.by in step 5 (upgrading 1/2) via new`)
}

// TestEmulatesVersions: servers that emulate a release serve an API version which that
// release does not have. Where it has it, or neither has it, both do the same.
func TestEmulatesVersions(t *testing.T) {
	for serves, want := range map[string][]string{
		"a":    {`refused version-not-served bystander-2  in step 6 (upgrading 1/2) via old`},
		"a, b": nil, "": nil,
	} {
		s := side(t).emulating("1.0")
		for i, role := range map[string]term.Role{"a": term.New, "b": term.Old} {
			served := []string{"example.dev/v1"}
			if strings.Contains(serves, i) {
				served = append(served, "example.dev/v2")
				s.publishV2(role)
			}
			s.prefers(role, "example.dev/v1", served...)
		}
		s.create("bystander-1", plainSpec)
		s.create("bystander-2", plainSpec)
		for i, replica := range []string{"a", "b"} {
			code := func(*act) {}
			if !strings.Contains(serves, replica) {
				code = refused(404, "the server could not find the requested resource")
			}
			s.named(s.get("bystander-"+string(rune('1'+i)), via(replica), code), "example.dev/v2")
		}
		s.infidelities(want...)
	}
}

// TestEmulatesPanics: the outcome of a call or a dry run that had its server panic is
// rule-3's to tell; the same answer without a panic differs from the release's.
func TestEmulatesPanics(t *testing.T) {
	for _, panics := range []bool{true, false} {
		s := side(t).emulating(oldVersion)
		s.create("bystander-1", plainSpec, via("b"))
		call := s.create("bystander-2", plainSpec, via("a"), refused(500, "oops"))
		step := s.attempt("bystander-1")
		x := &s.tried(step, "bystander-1", "a", term.LabelAttempt).Exchange
		fails(x, 500, "oops")
		if panics {
			s.panics(call)
			x.Panic = &history.Panic{Value: "nil"}
		}
		found := map[term.CheckName]int{}
		for _, f := range s.result().Findings {
			found[f.Check]++
		}
		assert.Equal(t, map[bool]int{true: 0, false: 2}[panics], found[term.CheckEmulates])
		assert.Equal(t, map[bool]int{true: 2, false: 0}[panics], found[term.CheckRule3])
	}
}
