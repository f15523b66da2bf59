package reports_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// withExceptions is a run with a line that has expired, one that has not, and one that is
// for other pairs.
func withExceptions() reports.Run {
	r := fixedRun(0)
	mine := scenarios.Expectation{Check: term.CheckNothingLost, Owner: "sig-node", Until: "2026-11-21", Why: "fixed by\n <b>#1</b>", Line: 31}
	others := scenarios.Expectation{Check: term.CheckRule1, When: &scenarios.When{Old: "< 1.36", New: ">= 1.37"}, Line: 32}
	r.Result.Expired = []result.Expired{{Expectation: mine, Place: 4, Seen: 2, Message: "the expectation on line 31 (nothing-lost) has expired"}}
	r.Result.Elsewhere = []result.Elsewhere{{Expectation: others, Place: 5, Reason: "it is for a pair whose new release is >= 1.37"}}
	return r
}

// TestExceptions: every report shows the line that has expired, with its owner and its
// day, and of the line that is for other pairs; of a run that has neither, none does.
func TestExceptions(t *testing.T) {
	t.Parallel()
	text := func(w io.Writer, r reports.Run) error { return reports.Text(w, r, reports.TextOptions{}) }
	for name, format := range map[string]func(io.Writer, reports.Run) error{
		"text": text, "markdown": reports.Markdown, "junit": reports.JUnit, "html": reports.HTML,
		"json": func(w io.Writer, r reports.Run) error { return reports.JSON(w, r.Result) },
	} {
		var with, without bytes.Buffer
		require.NoError(t, format(&with, withExceptions()))
		require.NoError(t, format(&without, fixedRun(0)))
		said := strings.NewReplacer("&#39;", "'", "&lt;", "<", "&gt;", ">", `\u003c`, "<", `\u003e`, ">").Replace(with.String())
		for _, word := range []string{"the expectation on line 31 (nothing-lost) has expired", "sig-node", "2026-11-21", "< 1.36", ">= 1.37", "it is for a pair whose new release is"} {
			assert.Contains(t, said, word, name)
		}
		for _, word := range []string{"has expired", "xpired expectations", "not expected for this pair", "Not expected for this pair", `"elsewhere"`, `"expired"`, "<dt>expired"} {
			assert.NotContains(t, without.String(), word, name)
		}
		if name == "html" || name == "junit" {
			assert.NotContains(t, with.String(), "<b>#1</b>", "a reason is hostile too")
		}
	}
}

// TestExceptionLine: what a report says of a line can be pasted back into a scenario.
func TestExceptionLine(t *testing.T) {
	r := withExceptions()
	r.Result.Expired[0].Expectation.Owner = "sig-node's"
	text := write(t, "report.md", r)
	assert.Contains(t, text, "`{check: nothing-lost, owner: 'sig-node''s', until: 2026-11-21}`")
	assert.Contains(t, text, "`{check: rule-1, when: {old: '< 1.36', new: '>= 1.37'}}`")
}
