package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// expectEmulation are what the check finds, each as brief has it, with the end at fault
// and its words.
func expectEmulation(run *oracletest.Run, want ...string) []result.Finding {
	run.T.Helper()
	res, _ := run.Judge()
	var got []string
	var all []result.Finding
	for _, f := range res.Findings {
		if f.Check == term.CheckEmulates {
			got, all = append(got, strings.TrimPrefix(oracletest.Brief(f), "emulates impact emulation ")+" via "+string(f.Via)), append(all, f)
		}
	}
	assert.Equal(run.T, want, got)
	require.Len(run.T, all, len(want))
	return all
}

// TestEmulates: what the emulating server keeps in the store, the true one drops; and
// what is stored is shown by the one and not by the other. Without a field that one of
// them lacks, both do the same. Where nobody emulates the other end, nothing is due.
func TestEmulates(t *testing.T) {
	play := func(version string, alike bool) *oracletest.Run {
		run := oracletest.NewSideBySide(t).Emulate(version)
		if alike {
			run.Schemas[term.Old] = run.Schemas[term.New]
		}
		run.Create("treated-1", oracletest.ShineSpec)
		run.Create("treated-2", oracletest.ShineSpec)
		run.Create("treated-3", oracletest.ShineSpec)
		run.Patch("treated-1", oracletest.Via("a"))
		run.Patch("treated-2", oracletest.Via("b"))
		run.Patch("treated-3", oracletest.Via("b"))
		return run
	}
	said := expectEmulation(play("1.0", false),
		`varies unattributed treated-1 .spec.shine.level in step 3 (upgrading 1/2) via new`,
		`varies unknown-field treated-1 .spec.shine.level in step 6 (upgrading 1/2) via new`)
	assert.Equal(t, "Widget treated-1: step 6 (upgrading 1/2: merge-patch by dynamic, via a (v2.0.0 emulating 1.0)) found .spec.shine.level = 3 and kept it; "+
		"the same call in step 7 (upgrading 1/2: merge-patch by dynamic, via b (v1.0.0), on treated-2) lost it (v1.0.0 does not publish the field): "+
		"v2.0.0 emulating 1.0 does not behave as v1.0.0 does; impact under emulation", said[1].Message)
	assert.Equal(t, []any{nil, int64(3)}, []any{said[1].Before, said[1].After})
	expectEmulation(play("1.0", true))
	expectEmulation(play("1.1", false))
	res, _ := play("1.1", false).Judge()
	oracletest.ExpectNotApplicable(t, res, term.CheckEmulates)
}

// TestEmulatesUnderOtherGates: what differs because the scenario switches other gates at
// the two ends is not emulation's doing; equal ones show no difference.
func TestEmulatesUnderOtherGates(t *testing.T) {
	for _, alike := range []bool{true, false} {
		run := oracletest.NewSideBySide(t).Emulate("1.0")
		run.History.Header.Plan.Releases[1].Options.FeatureGates = map[string]bool{"Shine": true}
		if alike {
			run.History.Header.Plan.Releases[0].Options.FeatureGates = map[string]bool{"Shine": true}
		}
		run.Create("treated-1", oracletest.ShineSpec)
		res, _ := run.Judge()
		reported := slices.ContainsFunc(res.Findings, func(f result.Finding) bool { return f.Check == term.CheckEmulates })
		assert.Equal(t, alike, reported)
		assert.Equal(t, !alike, slices.Contains(res.Notes, "emulation is not judged: the scenario sets different gates or APIs for the two releases"))
	}
}

// TestEmulatesAnswers: one end refuses what the other takes, or warns of it. The
// finding is the refusal's, of either release; where both refuse alike there is no finding.
func TestEmulatesAnswers(t *testing.T) {
	refuses := oracletest.Refused(422, "not valid")
	for name, c := range map[string]struct {
		a, b []oracletest.Option
		want []string
	}{
		"neither":       {},
		"both":          {a: []oracletest.Option{refuses}, b: []oracletest.Option{refuses}},
		"the emulation": {a: []oracletest.Option{refuses}, want: []string{`refused unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"the true one":  {b: []oracletest.Option{refuses}, want: []string{`refused unattributed bystander-2  in step 4 (upgrading 1/2) via old`}},
		"otherwise":     {a: []oracletest.Option{oracletest.Refused(400, "no")}, b: []oracletest.Option{refuses}, want: []string{`refused unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"a warning":     {b: []oracletest.Option{oracletest.Warned("of bystander-2")}, want: []string{`varies unattributed bystander-1  in step 3 (upgrading 1/2) via new`}},
		"two warnings":  {a: []oracletest.Option{oracletest.Warned("of bystander-1")}, b: []oracletest.Option{oracletest.Warned("of bystander-2")}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewSideBySide(t).Emulate("1.0")
			run.Create("bystander-1", `{"colour": "red"}`, append(c.a, oracletest.Via("a"))...)
			run.Create("bystander-2", `{"colour": "red"}`, append(c.b, oracletest.Via("b"))...)
			expectEmulation(run, c.want...)
		})
	}
}

// TestEmulatesCreates: what a create was answered with, where one end drops or fills in
// what the other does not. Addresses are drawn anew for each object.
func TestEmulatesCreates(t *testing.T) {
	born := func(a, b oracletest.Edit) *oracletest.Run {
		run := oracletest.NewSideBySide(t).Emulate("1.0")
		run.Schemas[term.Old] = run.Schemas[term.New]
		run.EditAnswer(run.Create("bystander-1", `{"colour": "red"}`, oracletest.Via("a")), a)
		run.EditAnswer(run.Create("bystander-2", `{"colour": "red"}`, oracletest.Via("b")), b)
		return run
	}
	same := oracletest.With(".spec.size", "1")
	expectEmulation(born(same, same))
	expectEmulation(born(oracletest.With(".spec.size", "2"), same))
	expectEmulation(born(oracletest.With(".spec.grain", "fine"), same),
		`varies defaulted bystander-1 .spec.grain in step 3 (upgrading 1/2) via new`,
		`varies unattributed bystander-1 .spec.size in step 3 (upgrading 1/2) via new`)
	expectEmulation(born(oracletest.With(".spec.colour", "blue"), oracletest.With(".spec.colour", "red")),
		`varies unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2) via new`)
	run := oracletest.NewSideBySide(t).Emulate("1.0")
	run.Create("bystander-1", oracletest.ShineSpec, oracletest.Via("a"))
	run.Create("bystander-2", oracletest.ShineSpec, oracletest.Via("b"))
	expectEmulation(run,
		`varies unattributed bystander-1 .spec.shine.level in step 3 (upgrading 1/2) via new`,
		`varies unknown-field bystander-1 .spec.shine.level in step 3 (upgrading 1/2) via new`)
}

// TestEmulatesTheSameCall: only what was asked in the same way, at the same stage, of
// objects that were created in the same way, is compared.
func TestEmulatesTheSameCall(t *testing.T) {
	for name, play := range map[string]func(run *oracletest.Run){
		"another stage": func(run *oracletest.Run) {
			run.Create("bystander-1", `{"colour": "red"}`, oracletest.Via("a"))
			run.Stage("upgrading 2/2", term.New, term.Old)
			run.Create("bystander-2", `{"colour": "red"}`, oracletest.Via("b"), oracletest.Refused(422, "no"))
		},
		"another client": func(run *oracletest.Run) {
			run.Create("bystander-1", `{"colour": "red"}`, oracletest.Via("a"))
			run.Create("bystander-2", `{"colour": "red"}`, oracletest.Via("b"), oracletest.By(term.OldTyped), oracletest.Refused(422, "no"))
		},
		"another birth": func(run *oracletest.Run) {
			run.Create("bystander-1", `{"colour": "red"}`, oracletest.Via("a"))
			run.Create("bystander-2", `{"colour": "red"}`, oracletest.Via("b"))
			run.Patch("bystander-1", oracletest.Via("a"))
			run.Patch("bystander-2", oracletest.Via("b"), oracletest.Refused(422, "no"))
		},
		"another read": func(run *oracletest.Run) {
			run.Create("bystander-1", `{"colour": "red"}`, oracletest.Via("a"))
			run.Create("bystander-2", `{"colour": "red"}`, oracletest.Via("a"))
			run.Put("bystander-1", oracletest.ReadVia("b"), oracletest.Via("a"))
			run.Put("bystander-2", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(422, "no"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewSideBySide(t).Emulate("1.0")
			play(run)
			expectEmulation(run)
		})
	}
}

// TestGatesOfAnEmulation: of a gate that came after the release that a server emulates
// the server says nothing, and it is off. One that emulates nothing, and says nothing of
// a gate, leaves it indeterminate.
func TestGatesOfAnEmulation(t *testing.T) {
	for version, want := range map[string]string{
		"1.0": "impact lifecycle dropped gate-disabled", "": "violation rule-2 dropped unattributed",
	} {
		run := oracletest.NewMixed(t)
		run.Emulate(version)
		run.SetGate(term.New, "Another", true)
		created := run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.EditAnswer(created, oracletest.With(".spec.lustre", nil))
		res, _ := run.Judge()
		require.NotEmpty(t, res.Findings)
		assert.Equal(t, "nothing-lost "+want+" bystander-1 .spec.lustre in step 3 (upgrading 1/2)", oracletest.Brief(res.Findings[0]))
	}
}

// TestLaterThanTheEmulation: what the emulating server's own types have, and the release
// that it emulates does not, is dropped on create as behind any gate that is off, though
// nothing published names one. Of a server that emulates nothing it is a silent drop.
func TestLaterThanTheEmulation(t *testing.T) {
	for version, want := range map[string]string{
		"1.0": "impact lifecycle dropped gate-disabled", "": "violation rule-4 dropped unattributed",
	} {
		run := oracletest.NewSideBySide(t).Emulate(version)
		run.EditAnswer(run.Create("treated-1", `{"colour": "red", "shine": {"level": 3}}`, oracletest.Via("a")), oracletest.With(".spec.shine", nil))
		res, _ := run.Judge()
		require.NotEmpty(t, res.Findings)
		assert.Equal(t, "nothing-lost "+want+" treated-1 .spec.shine in step 3 (upgrading 1/2)", oracletest.Brief(res.Findings[0]))
		if version != "" {
			assert.Contains(t, res.Findings[0].Message, "(it came after what v2.0.0 emulating 1.0 emulates: v1.0.0 has no such field)")
		}
	}
}

// TestEmulatesEffects: what a call made of a value that it did not name, where one end
// does so and the other does not.
func TestEmulatesEffects(t *testing.T) {
	touched := func(a, b oracletest.Edit) *oracletest.Run {
		run := oracletest.NewSideBySide(t).Emulate("1.0")
		run.Schemas[term.Old] = run.Schemas[term.New]
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Create("bystander-2", `{"colour": "red"}`)
		run.EditAnswer(run.Patch("bystander-1", oracletest.Via("a")), a)
		run.EditAnswer(run.Patch("bystander-2", oracletest.Via("b")), b)
		return run
	}
	adds, nothing := oracletest.With(".spec.notes.by", "a server"), oracletest.With(".spec.colour", "red")
	expectEmulation(touched(adds, adds))
	expectEmulation(touched(nothing, nothing))
	expectEmulation(touched(adds, nothing), `varies defaulted bystander-1 .spec.notes.by in step 5 (upgrading 1/2) via new`)
	expectEmulation(touched(nothing, adds), `varies defaulted bystander-1 .spec.notes.by in step 5 (upgrading 1/2) via new`)
}

// TestEmulatesVersions: servers that emulate a release serve an API version which that
// release does not have. Where it has it, or neither has it, both do the same.
func TestEmulatesVersions(t *testing.T) {
	for serves, want := range map[string][]string{
		"a":    {`refused version-not-served bystander-2  in step 6 (upgrading 1/2) via old`},
		"a, b": nil, "": nil,
	} {
		run := oracletest.NewSideBySide(t).Emulate("1.0")
		for i, role := range map[string]term.Role{"a": term.New, "b": term.Old} {
			served := []string{"example.dev/v1"}
			if strings.Contains(serves, i) {
				served = append(served, "example.dev/v2")
				run.PublishV2(role)
			}
			run.Prefer(role, "example.dev/v1", served...)
		}
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Create("bystander-2", oracletest.PlainSpec)
		for i, replica := range []string{"a", "b"} {
			code := func(*oracletest.Call) {}
			if !strings.Contains(serves, replica) {
				code = oracletest.Refused(404, "the server could not find the requested resource")
			}
			run.NameVersion(run.Get("bystander-"+string(rune('1'+i)), oracletest.Via(replica), code), "example.dev/v2")
		}
		expectEmulation(run, want...)
	}
}

// TestEmulatesPanics: the outcome of a call or a dry run that had its server panic is
// rule-3's to report; the same answer without a panic differs from the release's.
func TestEmulatesPanics(t *testing.T) {
	for _, panics := range []bool{true, false} {
		run := oracletest.NewSideBySide(t).Emulate(oracletest.OldVersion)
		run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
		call := run.Create("bystander-2", oracletest.PlainSpec, oracletest.Via("a"), oracletest.Refused(500, "oops"))
		step := run.DryRuns("bystander-1")
		x := &run.DryRun(step, "bystander-1", "a", term.LabelAttempt).Exchange
		oracletest.Fail(x, 500, "oops")
		if panics {
			run.Panic(call)
			x.Panic = &history.Panic{Value: "nil"}
		}
		found := map[term.CheckName]int{}
		for _, f := range run.Result().Findings {
			found[f.Check]++
		}
		assert.Equal(t, map[bool]int{true: 0, false: 2}[panics], found[term.CheckEmulates])
		assert.Equal(t, map[bool]int{true: 2, false: 0}[panics], found[term.CheckRule3])
	}
}
