package prr

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// reviewed is a run with one replica that plays a journey to its end, on builds that
// report the gate Wide as given.
func reviewed(name string, old, new map[string]bool, journey ...term.Rollout) view.Run {
	r := view.Run{Tool: "v0.1.0", Plan: plan.Plan{Scenario: name, File: name + ".yaml", Replicas: []string{"a", "b"}, Journey: journey}}
	r.Plan.Stages = []plan.Stage{{Name: "start"}}
	r.Plan.Copies = []plan.Copy{{Name: "x", Role: term.Treated, Manifest: "treated.yaml"}}
	row := []result.Row{{Stage: "start", Requests: []result.Request{{Method: http.MethodPost, Code: http.StatusCreated}}}}
	for i, leg := range journey {
		if leg == term.Halt {
			continue
		}
		stage := string(leg) + string(rune('1'+i))
		r.Plan.Stages = append(r.Plan.Stages, plan.Stage{Name: stage, Rollout: leg, Replicas: []plan.ReplicaStage{{Replica: "a"}, {Replica: "b"}}})
		row = append(row, result.Row{Stage: stage})
	}
	r.Ledger.Copies = []result.CopyLedger{{Copy: "x", Role: term.Treated, Rows: row}}
	r.Plan.Releases = []plan.Release{{Role: term.Old, Reference: "frobber@1.1"}, {Role: term.New, Reference: "frobber@1.2"}}
	for gate := range new {
		r.Plan.Releases[1].Options.FeatureGates = map[string]bool{gate: true}
	}
	r.Result = result.Result{Scenario: name, Releases: []string{"v1.1.0", "v1.2.0"}, Journey: journey, Verdict: term.Pass, Reason: "as expected",
		Builds: []result.Build{{Role: term.Old, Reference: "frobber@1.1", Gates: old}, {Role: term.New, Reference: "frobber@1.2", Gates: new}}}
	for _, e := range term.Checks() {
		r.Result.Checks = append(r.Result.Checks, result.Check{Name: e.Word, Verdict: term.Pass, Judged: 5})
	}
	return r
}

var (
	gateIsOff = map[string]bool{"Wide": false}
	gateIsOn  = map[string]bool{"Wide": true}
	thereBack = []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}
)

// answersOf are the answers to the questions, by the first words of each.
func answersOf(t *testing.T, runs ...view.Run) map[string]string {
	t.Helper()
	var measured []Measured
	for _, r := range runs {
		measured = append(measured, Measure(r))
	}
	var b bytes.Buffer
	require.NoError(t, Write(&b, measured))
	answers := map[string]string{}
	for _, part := range strings.Split(b.String(), "###### ")[1:] {
		question, answer, _ := strings.Cut(part, "\n")
		answer, _, _ = strings.Cut(answer, "\n### ")
		answers[strings.Join(strings.Fields(question)[:3], " ")] = strings.TrimSpace(answer)
	}
	require.Len(t, answers, len(questions()))
	return answers
}

const (
	askEnable, askDefaults, askDisable  = "How can this", "Does enabling the", "Can the feature"
	askAgain, askTests, askFail, askWay = "What happens if", "Are there any", "How can a", "Were upgrade and"
)

// TestGateMeasured: a gate that a roll-out switches is reported, one that both releases
// have on, or that neither has, is not.
func TestGateMeasured(t *testing.T) {
	{
		told := answersOf(t, reviewed("gated", gateIsOff, gateIsOn, thereBack...))
		assert.Contains(t, told[askEnable], "- [x] Feature gate (also fill in values in `kep.yaml`)\n  - Feature gate name: `Wide`")
		assert.Contains(t, told[askDisable], "`Wide` was switched off by the rollback: nothing that was acknowledged was lost")
		assert.Contains(t, told[askAgain], "`Wide` was switched on again by the second upgrade: no value that could reappear")
		assert.Contains(t, told[askTests], "`gated`")
		assert.NotContains(t, told[askEnable]+told[askDisable]+told[askAgain]+told[askTests], "Not measured")
	}
	for _, both := range []map[string]bool{gateIsOn, gateIsOff, nil} {
		run := reviewed("level", both, both, thereBack...)
		run.Plan.Releases[1].Options.FeatureGates = gateIsOn
		told := answersOf(t, run)
		for _, question := range []string{askEnable, askDefaults, askDisable, askAgain, askTests} {
			assert.True(t, strings.HasPrefix(told[question], "Not measured"), told[question])
		}
		assert.Contains(t, told[askDisable], "Measured of going back to the old release")
		assert.Contains(t, told[askAgain], "Measured of upgrading again after a rollback")
		assert.NotContains(t, told[askEnable]+told[askDisable], "Wide")
	}
}

// TestGateThatOneReleaseDoesNotKnow: where the older binary has no such gate, a rollback
// switches nothing off.
func TestGateThatOneReleaseDoesNotKnow(t *testing.T) {
	told := answersOf(t, reviewed("brought", nil, gateIsOn, thereBack...))
	assert.Contains(t, told[askEnable], "Feature gate name: `Wide`")
	for _, question := range []string{askDisable, askAgain, askTests} {
		assert.True(t, strings.HasPrefix(told[question], "Not measured"), told[question])
		assert.Contains(t, told[question], "v1.1.0 does not know `Wide`, so nothing was switched")
		assert.NotContains(t, told[question], "was switched o")
	}
}

// TestNothingUsesTheFeature: of a run in which nothing used the feature, no answer claims what
// becomes of it; a line that sets it is a use, and so is a copy left alone, once it is stored.
func TestNothingUsesTheFeature(t *testing.T) {
	asked := []string{askDisable, askAgain, askTests}
	unused := func(change func(*view.Run)) view.Run {
		run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
		run.Plan.Copies[0].Role, run.Ledger.Copies[0].Role = term.Bystander, term.Bystander
		change(&run)
		return run
	}
	refused := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
	refused.Ledger.Copies[0].Rows[0].Requests[0].Code = http.StatusUnprocessableEntity
	for _, run := range []view.Run{unused(func(*view.Run) {}), refused} {
		told := answersOf(t, run)
		for _, question := range asked {
			assert.True(t, strings.HasPrefix(told[question], "Not measured: "), told[question])
			assert.Contains(t, told[question], noUser)
		}
		assert.NotContains(t, told[askWay], "Upgrade: tested")
		assert.Contains(t, told[askDefaults], "no difference was found in 1 run", "which is about those who do not use it")
	}
	sets := unused(func(r *view.Run) {
		r.Plan.Stages[0].Steps = []plan.Step{{Number: 7, Change: &plan.Change{Kind: plan.Fields}}}
		r.Ledger.Copies[0].Rows[0].Step = 7
	})
	alone := unused(func(r *view.Run) {
		r.Plan.Copies = append(r.Plan.Copies, plan.Copy{Name: "other", Role: term.Treated, Manifest: "treated.yaml"})
		r.Ledger.Copies[0].Role = term.Untouched
	})
	for _, run := range []view.Run{sets, alone} {
		told := answersOf(t, run)
		for _, question := range asked {
			assert.NotContains(t, told[question], noUser)
		}
		assert.Contains(t, told[askWay], "Upgrade: tested. Rollback: tested.")
	}
}

// TestSwitchedAndNotKnown: runs that switch a gate and those whose one release does not know
// it are distinguished, each with what was found in it.
func TestSwitchedAndNotKnown(t *testing.T) {
	brought := reviewed("brought", nil, gateIsOn, thereBack...)
	brought.Result.Findings = []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact, Outcome: term.Lost, Copy: "x", Stage: "rollback2", Via: term.Old, Path: ".spec.width"}}
	told := answersOf(t, reviewed("gated", gateIsOff, gateIsOn, thereBack...), brought)
	for _, question := range []string{askDefaults, askDisable, askAgain} {
		lead, _, _ := strings.Cut(told[question], "<details>")
		assert.Contains(t, lead, "Of switching the gate: ", question)
		assert.Contains(t, lead, " a release that does not know it: ", question)
	}
	assert.Regexp(t, "Of switching the gate: yes\\. Nothing .* in 1 run\\.\nOf .*: yes\\. `.spec.width` is lost when servers of v1\\.1\\.0 write the object", told[askDisable])
	assert.Contains(t, told[askTests], "1 run switches the gate")
	assert.Contains(t, told[askTests], "1 run replaces a release that does not know it")

	alone := answersOf(t, reviewed("gated", gateIsOff, gateIsOn, thereBack...))
	for _, question := range []string{askDefaults, askDisable, askAgain, askTests} {
		assert.NotContains(t, alone[question], "does not know it")
	}
}

// TestAnswersAreShort: what an answer rests on is folded away below it.
func TestAnswersAreShort(t *testing.T) {
	for _, run := range []view.Run{reviewed("gated", gateIsOff, gateIsOn, thereBack...), reviewed("brought", nil, gateIsOn, thereBack...)} {
		for question, told := range answersOf(t, run) {
			lead, below, folded := strings.Cut(told, "<details>")
			if question != askEnable { // the template's own lines
				assert.LessOrEqual(t, strings.Count(strings.TrimSpace(lead), "\n"), 1, "%s: %s", question, lead)
			}
			assert.Equal(t, folded, strings.Contains(below, "</details>"), question)
		}
	}
}

// TestAllGates: to switch on all gates of a stage is to switch the gate of all.
func TestAllGates(t *testing.T) {
	run := reviewed("alpha", map[string]bool{"AllAlpha": false}, map[string]bool{"AllAlpha": true}, thereBack...)
	run.Plan.Releases[1].Options = scenarios.Options{Gates: term.AlphaGates}
	assert.Contains(t, answersOf(t, run)[askEnable], "Feature gate name: `AllAlpha`")
	run.Plan.Releases[1].Options = scenarios.Options{}
	assert.NotContains(t, answersOf(t, run)[askEnable], "AllAlpha")
}

// TestGateThatGoes: where the new release has the gate off, it is the upgrade that
// switches the feature off, and the second one does it again.
func TestGateThatGoes(t *testing.T) {
	told := answersOf(t, reviewed("going", gateIsOn, gateIsOff, thereBack...))
	assert.Contains(t, told[askDisable], "`Wide` was switched off by the upgrade and the second upgrade:")
	assert.Contains(t, told[askAgain], "`Wide` was switched on again by the rollback:")
}

// TestJourneys: what a journey does not have was not measured, nor what was planned
// and not played.
func TestJourneys(t *testing.T) {
	for _, c := range []struct {
		journey []term.Rollout
		seen    int // stages after the first
		want    string
		off, on bool
	}{
		{thereBack, 3, "Upgrade: tested. Rollback: tested. Upgrade->downgrade->upgrade: tested.", true, true},
		{thereBack, 2, "Upgrade: tested. Rollback: tested. Upgrade->downgrade->upgrade: not measured.", true, false},
		{thereBack, 1, "Upgrade: tested. Rollback: not measured. Upgrade->downgrade->upgrade: not measured.", false, false},
		{thereBack, 0, "Upgrade: not measured. Rollback: not measured. Upgrade->downgrade->upgrade: not measured.", false, false},
		{thereBack[:2], 2, "Upgrade: tested. Rollback: tested. Upgrade->downgrade->upgrade: not measured.", true, false},
		{thereBack[:1], 1, "Upgrade: tested. Rollback: not measured. Upgrade->downgrade->upgrade: not measured.", false, false},
		{[]term.Rollout{term.Upgrade, term.Halt}, 1, "Upgrade: not measured. Rollback: not measured. Upgrade->downgrade->upgrade: not measured.", false, false},
		{thereBack[1:], 2, "Upgrade: tested. Rollback: tested. Upgrade->downgrade->upgrade: not measured.", true, true},
	} {
		run := reviewed("way", gateIsOff, gateIsOn, c.journey...)
		run.Ledger.Copies[0].Rows = run.Ledger.Copies[0].Rows[:1+c.seen]
		told := answersOf(t, run)
		assert.Contains(t, told[askWay], c.want, "%v seen %d", c.journey, c.seen)
		assert.Equal(t, c.off, !strings.HasPrefix(told[askDisable], "Not measured: "), "%v: %s", c.journey, told[askDisable])
		assert.Equal(t, c.on, !strings.HasPrefix(told[askAgain], "Not measured: "), "%v: %s", c.journey, told[askAgain])
	}
}

// TestUnknownRun: what an unknown run, or an unknown check, did not find says nothing.
func TestUnknownRun(t *testing.T) {
	run := reviewed("cut", gateIsOff, gateIsOn, thereBack...)
	run.Result.Verdict, run.Result.Reason = term.Unknown, "interrupted"
	for i := range run.Result.Checks {
		run.Result.Checks[i].Verdict, run.Result.Checks[i].Reason = term.Unknown, "the run ended early"
	}
	told := answersOf(t, run)
	assert.Contains(t, told[askWay], "Upgrade: played, in a run that could not be judged.")
	for _, question := range []string{askDefaults, askDisable, askAgain} {
		assert.Contains(t, told[question], "nothing was found, and not everything could be decided")
		assert.Contains(t, told[question], "unknown: interrupted")
		assert.NotContains(t, told[question], "no difference")
		assert.NotContains(t, told[question], "nothing that was acknowledged was lost")
		assert.NotContains(t, told[question], "no value that was hidden")
	}
	assert.NotContains(t, told[askFail], "no failure was found")

	judged := answersOf(t, run, reviewed("whole", gateIsOff, gateIsOn, thereBack...))
	assert.Contains(t, judged[askWay], "Upgrade: tested.")
	assert.Contains(t, judged[askFail], "`whole` (v1.1.0 .. v1.2.0): no failure was found")
}

// TestIndeterminate: a check that could not tell one fact, or had none, promises nothing.
func TestIndeterminate(t *testing.T) {
	for _, change := range []func(*result.Check){
		func(c *result.Check) { c.Indeterminate = 1 }, func(c *result.Check) { c.Judged = 0 }, func(c *result.Check) { c.Name = "another" },
	} {
		run := reviewed("some", nil, nil, thereBack...)
		i := slices.IndexFunc(run.Result.Checks, func(c result.Check) bool { return c.Name == term.CheckRule2 })
		change(&run.Result.Checks[i])
		assert.NotContains(t, answersOf(t, run)[askDefaults], "no difference was found")
	}
	assert.Contains(t, answersOf(t, reviewed("all", nil, nil, thereBack...))[askDefaults], "no difference was found")
}

// TestFindingsInTheirTurn: a finding is in the answer about its roll-out, and not
// where another is.
func TestFindingsInTheirTurn(t *testing.T) {
	lost := func(stage string) result.Finding {
		return result.Finding{Check: term.CheckNothingLost, Rule: term.RuleLifecycle, Class: term.Violation, Outcome: term.Lost, Cause: term.GateDisabled,
			Copy: "x", Path: ".spec.wide", Stage: stage, Message: "x lost its width"}
	}
	run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
	run.Result.Findings = []result.Finding{lost("rollback2"), lost("rollback2")}
	told := answersOf(t, run)
	assert.Contains(t, told[askDisable], "2 findings in 1 kind")
	assert.Contains(t, told[askDisable], "2 × **lost**, `.spec.wide` on 1 object, gate-disabled (violation under lifecycle, not expected by the scenario; in the rollback). First: x lost its width")
	assert.Contains(t, told[askAgain], "no value that could reappear")
	assert.Contains(t, told[askFail], "2 findings, of which 2 break a rule")
	run.Result.Findings = []result.Finding{lost("upgrade3")}
	told = answersOf(t, run)
	assert.Contains(t, told[askDisable], "nothing that was acknowledged was lost")
	assert.Contains(t, told[askAgain], "1 finding in 1 kind")
}

// TestRunsAreNumberedWithinTheirName: numbers tell runs of one name apart, and count no
// others.
func TestRunsAreNumberedWithinTheirName(t *testing.T) {
	other, one := reviewed("other", nil, nil, thereBack...), reviewed("one", nil, nil, thereBack...)
	told := answersOf(t, other, one, one)[askFail]
	assert.Contains(t, told, "`one, run 1`")
	assert.Contains(t, told, "`one, run 2`")
	assert.Contains(t, told, "`other` (")
	assert.NotContains(t, told, "run 3")
	assert.NotContains(t, answersOf(t, other, one)[askFail], "run 1")
}

// TestStoredEarlier: on re-enablement, what was stored before is counted by what is served of it at the end, and it is
// writable only where a check says so. Near twins: a value that was stored after the rollback, one that a client took
// away, one of an object that does not use the change.
func TestStoredEarlier(t *testing.T) {
	const writable = ", and their objects can be written"
	again := func(change func(*view.Run), fields ...result.Field) string {
		run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
		rows := run.Ledger.Copies[0].Rows
		for i := range rows {
			rows[i].Step = i + 1 // start, upgrade, rollback, second upgrade
		}
		run.Ledger.Copies[0].Fields = fields
		change(&run)
		lead, _, _ := strings.Cut(answersOf(t, run)[askAgain], "<details>")
		return lead
	}
	asIs := func(*view.Run) {}
	kept, lost := result.Field{Path: ".a", Outcome: term.Kept, Step: 2}, result.Field{Path: ".b", Outcome: term.Lost, Step: 1}
	assert.Contains(t, again(asIs, kept), "Values that were stored before are still served"+writable+"; no value that could reappear")
	assert.Contains(t, again(asIs, kept, lost), "Of 2 values that were stored before 1 are still served"+writable)
	lost.Outcome = term.Withdrawn
	assert.Contains(t, again(asIs, kept, lost), "Values that were stored before are still served"+writable)
	lost.Outcome, lost.Step = term.Lost, 4
	assert.Contains(t, again(asIs, kept, lost), "Values that were stored before are still served", "it was stored by the second upgrade")
	assert.NotContains(t, again(asIs, lost), "still served")
	assert.NotContains(t, again(func(r *view.Run) {
		r.Plan.Copies = append(r.Plan.Copies, plan.Copy{Name: "y", Role: term.Bystander, Manifest: "plain.yaml"})
		r.Ledger.Copies = append(r.Ledger.Copies, result.CopyLedger{Copy: "y", Role: term.Bystander, Fields: []result.Field{kept}, Rows: r.Ledger.Copies[0].Rows})
		r.Ledger.Copies[0].Fields = nil
	}, kept), "still served")
	frozen := again(func(r *view.Run) {
		r.Result.Findings = []result.Finding{{Check: term.CheckStaysWritable, Class: term.Violation, Outcome: term.Frozen, Copy: "x", Stage: "upgrade3", Via: term.New}}
	}, kept)
	assert.Contains(t, frozen, "Values that were stored before are still served; ")
	assert.Contains(t, frozen, "can no longer be written through v1.2.0")
}

// TestCanBeDisabled: a violation that the rollback shows says no, even where more could not be judged; nothing, an impact
// and a default that is served say yes, where everything was judged; what was not played, or could not be judged, says
// neither.
func TestCanBeDisabled(t *testing.T) {
	in := func(stage string, f result.Finding) func(*view.Run) {
		return func(r *view.Run) {
			f.Copy, f.Stage, f.Path = "x", stage, ".spec.wide"
			r.Result.Findings = append(r.Result.Findings, f)
		}
	}
	frozen := result.Finding{Check: term.CheckStaysWritable, Rule: term.RuleWritable, Class: term.Violation, Outcome: term.Frozen, Via: term.Old}
	impact := result.Finding{Check: term.CheckNothingLost, Rule: term.RuleLifecycle, Class: term.Impact, Outcome: term.Lost, Cause: term.GateDisabled, Via: term.Old}
	served := result.Finding{Check: term.CheckRule2, Rule: term.Rule2, Class: term.Violation, Outcome: term.Changed, Cause: term.Defaulted, Via: term.Old, CopyRole: term.Bystander}
	accepted := result.Finding{Check: term.CheckNothingLost, Rule: term.RuleLifecycle, Class: term.Violation, Outcome: term.Accepted, Verb: term.Create, Via: term.Old}
	unknown := func(r *view.Run) { r.Result.Verdict, r.Result.Reason = term.Unknown, "a check could not tell" }
	for name, c := range map[string]struct {
		begins string
		change []func(*view.Run)
	}{
		"nothing was found":                          {"Yes. ", nil},
		"what stays cannot be written":               {"No. ", []func(*view.Run){in("rollback2", frozen)}},
		"and more could not be judged":               {"No. ", []func(*view.Run){in("rollback2", frozen), unknown}},
		"the same before the rollback":               {"Yes. ", []func(*view.Run){in("upgrade1", frozen)}},
		"the same after the second upgrade":          {"Yes. ", []func(*view.Run){in("upgrade3", frozen)}},
		"an impact":                                  {"Yes. ", []func(*view.Run){in("rollback2", impact)}},
		"a default that is served":                   {"Yes. ", []func(*view.Run){in("rollback2", served)}},
		"a server with the gate off takes the field": {"No. ", []func(*view.Run){in("upgrade1", accepted)}},
		"nothing was found, and not all was judged":  {"Nothing was found in 1 run, and not everything could be decided", []func(*view.Run){unknown}},
		"the run ended before":                       {"Not measured: ", []func(*view.Run){func(r *view.Run) { r.Ledger.Copies[0].Rows = r.Ledger.Copies[0].Rows[:2] }}},
		"no rollback was planned":                    {"Not measured: ", []func(*view.Run){func(r *view.Run) { r.Plan.Stages = r.Plan.Stages[:2] }}},
		"nothing used the feature":                   {"Not measured: ", []func(*view.Run){func(r *view.Run) { r.Plan.Copies, r.Ledger.Copies[0].Role = nil, term.Bystander }}},
	} {
		run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
		for _, change := range c.change {
			change(&run)
		}
		told := answersOf(t, run)[askDisable]
		assert.True(t, strings.HasPrefix(told, c.begins), "%s: %s", name, told)
	}
}

// TestDefaultBehaviour: a violation of a rule about what does not use the change says yes, and nothing found says no.
func TestDefaultBehaviour(t *testing.T) {
	run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
	assert.True(t, strings.HasPrefix(answersOf(t, run)[askDefaults], "No. "))
	run.Result.Findings = []result.Finding{{Check: term.CheckRule2, Rule: term.Rule2, Class: term.Violation, Outcome: term.Changed, Cause: term.Defaulted, Copy: "y", Stage: "upgrade1", Via: term.New, Path: ".spec.wide"}}
	assert.True(t, strings.HasPrefix(answersOf(t, run)[askDefaults], "Yes. "))
	run.Result.Findings[0].Class = term.Impact
	assert.NotRegexp(t, "^(Yes|No)", answersOf(t, run)[askDefaults])
}

// TestCreatesWithTheGateOff: what a server with the gate off does with a create is part of the answer about disabling,
// whenever it was played. Near twins: a create through the other server, and one that does not use the change.
func TestCreatesWithTheGateOff(t *testing.T) {
	disable := func(change func(*result.Finding)) string {
		run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
		f := result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Outcome: term.Dropped, Cause: term.GateDisabled, Kind: "Pod", Copy: "x", Stage: "upgrade1", Via: term.Old, Verb: term.Create, Path: ".spec.wide"}
		change(&f)
		run.Result.Findings = []result.Finding{f}
		lead, _, _ := strings.Cut(answersOf(t, run)[askDisable], "<details>")
		return lead
	}
	const created = "a new pod is created without `.spec.wide`"
	assert.Contains(t, strings.ToLower(disable(func(*result.Finding) {})), created)
	for _, twin := range []func(*result.Finding){
		func(f *result.Finding) { f.Via = term.New },
		func(f *result.Finding) { f.CopyRole = term.Bystander },
		func(f *result.Finding) { f.Verb = term.Put },
	} {
		assert.NotContains(t, strings.ToLower(disable(twin)), created)
	}
}

// TestRolloutsFail: the answer about roll-outs is what was measured, of one run as of several, with counts below; a rule
// is broken as expected only where each run expects it.
func TestRolloutsFail(t *testing.T) {
	run := func(name string, expected bool) view.Run {
		r := reviewed(name, gateIsOff, gateIsOn, thereBack...)
		r.Result.Answer = "the headline of " + name
		r.Result.Findings = []result.Finding{{Check: term.CheckStaysWritable, Rule: term.Rule5, Class: term.Violation, Outcome: term.Frozen, Kind: "Pod", Copy: "x", Stage: "rollback2", Via: term.Old, Expected: expected, Expectation: 1}}
		return r
	}
	for _, c := range []struct {
		runs []view.Run
		want string
	}{
		{[]view.Run{run("one", false)}, "A stored Pod can no longer be written through v1.1.0; rule-5 was broken.\n"},
		{[]view.Run{run("one", true)}, "A stored Pod can no longer be written through v1.1.0; rule-5 was broken, as expected.\n"},
		{[]view.Run{run("one", true), run("two", false)}, "A stored Pod can no longer be written through v1.1.0; rule-5 was broken.\n"},
	} {
		lead, details, _ := strings.Cut(answersOf(t, c.runs...)[askFail], "<details>")
		assert.True(t, strings.HasPrefix(lead, c.want), lead)
		assert.NotRegexp(t, "[0-9] finding", lead)
		assert.Contains(t, details, "1 finding, of which 1 breaks a rule")
		assert.Contains(t, details, "The headline of one")
	}
}

// TestLevelRuns: a run with one release as both measures no upgrade, whatever it is
// called; one of two settings of a release does.
func TestLevelRuns(t *testing.T) {
	aaRun := reviewed("nothing", gateIsOn, gateIsOn, thereBack...)
	aaRun.Plan.AA = term.Old
	same := reviewed("same", gateIsOn, gateIsOn, thereBack...)
	same.Result.Releases = []string{"v1.2.0", "v1.2.0"}
	same.Result.Builds[0].Reference = same.Result.Builds[1].Reference
	for _, run := range []view.Run{aaRun, same} {
		for question, answer := range answersOf(t, run) {
			assert.True(t, strings.HasPrefix(answer, "Not measured: no run played two releases"), "%s: %s", question, answer)
		}
	}
	settings := reviewed("settings", gateIsOff, gateIsOn, thereBack...)
	settings.Result.Releases = []string{"v1.2.0", "v1.2.0 with Wide=true"}
	settings.Result.Builds[0].Reference = settings.Result.Builds[1].Reference
	told := answersOf(t, aaRun, settings)
	assert.Contains(t, told[askWay], "Rollback: tested.")
	for _, answer := range told {
		assert.NotContains(t, answer, "`nothing`")
	}
}

// TestReviewOrder: the order of the runs does not matter, and each claim names its run.
func TestReviewOrder(t *testing.T) {
	a, b := reviewed("first", gateIsOff, gateIsOn, thereBack...), reviewed("second", gateIsOff, gateIsOn, thereBack...)
	told := answersOf(t, a, b)
	assert.Equal(t, told, answersOf(t, b, a))
	for _, question := range []string{askEnable, askDefaults, askDisable, askAgain, askTests, askFail, askWay} {
		assert.Contains(t, told[question], "- `first` (v1.1.0 .. v1.2.0): ")
		assert.Contains(t, told[question], "- `second` (v1.1.0 .. v1.2.0): ")
	}
}

// TestRepeatCommand: what is played again is the same scenario on the same builds.
func TestRepeatCommand(t *testing.T) {
	of := func(change func(*view.Run)) string {
		r := reviewed("my-own", nil, nil, thereBack...)
		change(&r)
		return view.RepeatCommand(r)
	}
	assert.Equal(t, "skewsim run my-own.yaml --old frobber@1.1 --new frobber@1.2 --seed 0", of(func(*view.Run) {}))
	assert.Equal(t, "skewsim run add-field --old frobber@1.1 --new frobber@1.2 --seed 3", of(func(r *view.Run) {
		r.Plan.Scenario, r.Plan.File, r.Plan.Seed = "add-field", "add-field.yaml", 3
	}))
	assert.Equal(t, "skewsim run add-field --old frobber@1.1 --aa old --seed 0", of(func(r *view.Run) {
		r.Plan.Scenario, r.Plan.File, r.Plan.AA = "add-field-aa-old", "add-field.yaml", term.Old
	}))
	assert.Equal(t, "skewsim run my-own.yaml+odd --old frobber@1.1 --new frobber@1.2 --seed 0", of(func(r *view.Run) {
		r.Plan.Mutant = &plan.Mutant{Name: "odd"}
		r.Plan.Releases[1].Reference += "+odd"
	}))
	assert.Equal(t, "skewsim run my-own.yaml --new frobber@1.2 --aa new --seed 0", of(func(r *view.Run) { r.Plan.AA = term.New }))
	assert.Equal(t, `skewsim run my-own.yaml --old 'path:a b/$(id)'\''' --new frobber@1.2 --seed 0 --orders 4`, of(func(r *view.Run) {
		r.Plan.Releases[0].Reference = "path:a b/$(id)'"
		r.Result.Counts.Orders = 4
	}))
	const pair = "skewsim run my-own.yaml --old frobber@1.1 --new frobber@1.2 "
	for want, s := range map[string]term.Store{
		pair + "--seed 0":                            {Kind: term.StoreEmbedded, Version: "3.6.5"},
		pair + "--fsync --seed 0":                    {Kind: term.StoreEmbedded, Version: "3.6.5", Fsync: true},
		pair + "--store image:etcd:3.5.9-0 --seed 0": {Kind: term.StoreImage, Reference: "image:etcd:3.5.9-0", Digest: "sha256:ab"},
		pair + "--etcd https://h:1,https://h:2 --etcd-cafile pki/ca.crt --etcd-certfile 'my own.crt' --etcd-keyfile own.key --seed 0": {
			Kind: term.StoreExisting, Endpoints: []string{"https://h:1", "https://h:2"}, CAFile: "pki/ca.crt", CertFile: "my own.crt", KeyFile: "own.key",
		},
	} {
		assert.Equal(t, want, of(func(r *view.Run) { r.Result.Store = &s }))
	}
	assert.Equal(t, pair+"--adapter ./my/adapter.yaml --seed 0", of(func(r *view.Run) {
		r.Result.Builds = []result.Build{{}, {Adapter: &term.Adapter{File: "./my/adapter.yaml"}}}
	}))
	assert.Equal(t, pair+"--allow-programs --seed 0", of(func(r *view.Run) {
		r.Result.Builds = []result.Build{{Adapter: &term.Adapter{Digest: "of the scenario's own"}}}
	}))
	assert.Equal(t, pair+"--seed 0", of(func(r *view.Run) {
		r.Result.Builds = []result.Build{{Adapter: &term.Adapter{}}}
	}), "the server needs no adapter")
	for clients, leave := range map[string]string{"v1.37.0": "", "v1.37.1-0.20260102030405-0123456789ab": "--allow-programs "} {
		assert.Equal(t, pair+leave+"--seed 0", of(func(r *view.Run) { r.Plan.Clients = clients }))
	}
	assert.Equal(t, pair+"--webhooks ./program.yaml --seed 0", of(func(r *view.Run) { r.Plan.Releases[0].Program = "./program.yaml" }))
	assert.Equal(t, pair+"--allow-programs --seed 0", of(func(r *view.Run) {
		r.Plan.Releases[0].Program, r.Plan.Releases[0].NamesProgram = "program.yaml", true
	}))
	assert.Empty(t, of(func(r *view.Run) { r.Plan.Leg = &plan.Leg{Number: 2} }))
}

// TestHaltIsNoTurn: scenarios.Halts is what says that a roll-out stops short.
func TestHaltIsNoTurn(t *testing.T) {
	journey := []term.Rollout{term.Upgrade, term.Halt}
	require.True(t, scenarios.Halts(journey, 0))
	m := Measure(reviewed("half", nil, nil, journey...))
	assert.Empty(t, m.playedTurns())
	assert.Contains(t, m.journeyWords(), "upgrade (stopped before its last replica, as planned)")
}

// TestOutcomes: an answer says what was measured: what stays of stored objects, and each outcome with its
// actor once, the worst first; counts are below.
func TestOutcomes(t *testing.T) {
	run := reviewed("gated", gateIsOff, gateIsOn, thereBack...)
	run.Plan.Manifests = map[string]plan.Manifest{"treated.yaml": {Kind: "Pod"}}
	dropped := result.Finding{Check: term.CheckNothingLost, Class: term.Impact, Outcome: term.Dropped, Cause: term.GateDisabled, Kind: "Pod", Copy: "x", Step: 4, Stage: "rollback2", Via: term.Old, Verb: term.Create, Path: ".spec.width"}
	again := dropped
	again.Step = 5
	run.Result.Findings = []result.Finding{dropped, again}
	run.Ledger.Copies[0].Rows[2].Step = 4
	run.Ledger.Copies[0].Rows[2].Requests = []result.Request{{Method: http.MethodPost, Code: http.StatusCreated}}
	lead, details, _ := strings.Cut(answersOf(t, run)[askDisable], "<details>")
	assert.Equal(t, "Yes. Stored Pod objects keep the value and can be written; a new Pod is created without `.spec.width` through v1.1.0, 201 and no warning; a new Pod is created without `.spec.width` through v1.1.0.", strings.TrimSpace(lead))
	assert.Contains(t, details, "2 findings in 1 kind")

	lost := dropped
	lost.Outcome, lost.Cause, lost.Verb = term.Lost, term.UnknownField, term.Put
	run.Result.Findings = []result.Finding{lost}
	lead, _, _ = strings.Cut(answersOf(t, run)[askDisable], "<details>")
	assert.Contains(t, lead, "v1.1.0 knows `Wide` and not its field")
	assert.Contains(t, lead, "`.spec.width` is lost when servers of v1.1.0 write the object")
	assert.NotContains(t, lead, "keep the value")
	assert.NotContains(t, lead, "switched off")
}

// TestSurgeHidesEverywhere: with surge, fewer replicas serve after a roll-out than the run has; those that do
// count.
func TestSurgeHidesEverywhere(t *testing.T) {
	row := result.Row{Stage: "rolled-back", Edge: true, Views: []result.View{{Replica: "a", Answer: "d", Outcomes: map[string]term.Outcome{".spec.x": term.Hidden}}}}
	assert.True(t, hidesEverywhere(row, ".spec.x", 1))
	assert.False(t, hidesEverywhere(row, ".spec.x", 2), "the other one was not heard")
}
