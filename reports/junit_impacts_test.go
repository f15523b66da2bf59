package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
)

// TestJUnitImpacts: impacts fail no case where they are allowed, in each form of
// junit.xml, and are there all the same; a failure fails one whatever is allowed.
func TestJUnitImpacts(t *testing.T) {
	for _, verdict := range []term.VerdictWord{term.Impacts, term.Fail} {
		for _, allowed := range []bool{true, false} {
			res := result.Result{
				Scenario: "x", Verdict: verdict, Checks: []result.Check{{Name: term.CheckNothingLost, Verdict: verdict, Judged: 1, Findings: 1}},
				Findings: []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact, Message: "width was lost"}},
			}
			whole := res
			whole.Checks = nil
			legs := chain.Verdict{Verdict: verdict, Planned: 1, Releases: []string{"a@1", "a@2"}, Legs: []chain.LegResult{{Verdict: verdict, Unexpected: []string{"width was lost"}}}}
			var one, merged, chained bytes.Buffer
			require.NoError(t, reports.JUnit(&one, reports.Run{Result: res, AllowImpacts: allowed}))
			require.NoError(t, reports.MergedJUnit(&merged, []result.Source{{Path: "a", Result: res}, {Path: "b", Result: whole}}, allowed))
			require.NoError(t, reports.ChainJUnit(&chained, legs, allowed))
			for _, text := range []string{one.String(), merged.String(), chained.String()} {
				assert.Equal(t, verdict == term.Fail || !allowed, strings.Contains(text, "<failure"), "%s %t %s", verdict, allowed, text)
				assert.Contains(t, text, "width was lost")
			}
		}
	}
}
