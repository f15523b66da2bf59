package run

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestManyAlikeAreTold holds that the terminal shows some findings of each kind
// and says how many more there are; what is of another kind is always shown.
func TestManyAlikeAreTold(t *testing.T) {
	var findings []result.Finding
	for i := range 10 {
		findings = append(findings, result.Finding{Check: "nothing-lost", Path: ".a", Message: fmt.Sprintf("finding %d of a", i)})
	}
	findings = append(findings, result.Finding{Check: "nothing-lost", Path: ".b", Message: "a finding of b"})
	var out bytes.Buffer
	require.NoError(t, Text(&out, view.Run{Result: result.Result{Findings: findings}}, TextOptions{}))
	assert.Equal(t, maxAlike, strings.Count(out.String(), " of a\n"), out.String())
	assert.Contains(t, out.String(), "a finding of b\n")
	assert.Contains(t, out.String(), "and 7 more of the same kinds: see the report\n")
	assert.Contains(t, out.String(), "10 x ")
	out.Reset()
	require.NoError(t, Text(&out, view.Run{Result: result.Result{Findings: findings[8:]}}, TextOptions{}))
	assert.NotContains(t, out.String(), "more of the same kinds")
}

// TestExpectedByTheJourney: a finding that is expected although the scenario expects nothing, as an outage is while no program runs, is shown
// as the journey's own, and one that a line expects with the line.
func TestExpectedByTheJourney(t *testing.T) {
	outage := result.Finding{Check: term.CheckNothingLost, Outcome: term.Outage, Expected: true, Message: "no program ran"}
	r := view.Run{Result: result.Result{Findings: []result.Finding{outage}}}
	var out bytes.Buffer
	require.NoError(t, Markdown(&out, r))
	assert.Contains(t, out.String(), "by the journey: 1")
	assert.NotContains(t, out.String(), "of expect")
	r.Result.Findings[0].Expectation, r.Plan.Expect = 1, []scenarios.Expectation{{Outcome: []term.Outcome{term.Outage}}}
	out.Reset()
	require.NoError(t, Markdown(&out, r))
	assert.NotContains(t, out.String(), "by the journey")
	assert.Contains(t, out.String(), "{outcome: outage}")
}

// TestGuaranteeThatFailedAsExpected: beside the guarantee of a check that passed is what it found
// and the scenario expects; a check that found nothing has its guarantee, and one that failed its reason.
func TestGuaranteeThatFailedAsExpected(t *testing.T) {
	of := func(verdict term.VerdictWord, width int, findings ...result.Finding) string {
		c := result.Check{Name: term.CheckNothingLost, Verdict: verdict, Guarantee: "every value stays", Judged: 9, Findings: len(findings)}
		var out bytes.Buffer
		require.NoError(t, Text(&out, view.Run{Result: result.Result{Checks: []result.Check{c}, Findings: findings}}, TextOptions{TerminalOptions: document.TerminalOptions{Width: width}}))
		return out.String()
	}
	lost := result.Finding{Check: term.CheckNothingLost, Outcome: term.Lost, Expected: true}
	changed, other := lost, lost
	changed.Outcome, other.Check = term.Changed, term.CheckRule6
	assert.Regexp(t, ` +9 +0 +3  as expected: 2 lost, 1 changed; otherwise: every value stays\n`, of(term.Pass, 0, lost, changed, lost))
	assert.Contains(t, of(term.Pass, 80, lost), "\n      as expected: 1 lost; otherwise: every value stays\n", "below its row where the width leaves it too little")
	assert.Contains(t, of(term.Pass, 0, other), "1  every value stays\n")
	assert.NotContains(t, of(term.Fail, 0, lost), "as expected: ")
}
