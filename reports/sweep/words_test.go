package sweep

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestOutcomesAreDistinguishable: each outcome that a row can have has a sign, a label and a colour.
func TestOutcomesAreDistinguishable(t *testing.T) {
	labels := map[string]term.Effect{}
	for _, e := range sweep.Effects() {
		assert.NotEqual(t, "?", view.ShapeOf(e), e)
		assert.Empty(t, labels[label(e, false)], e)
		assert.Contains(t, document.Asset(assets, "sweep.css"), ".f-"+wordOf(e), "%s has no colour in sweep.css", e)
		labels[label(e, false)] = e
	}
	assert.Equal(t, "?", view.ShapeOf(term.Effect{Outcome: "something new"}))
	assert.NotEqual(t, label(term.Lost.By(term.OldServer), false), label(term.Lost.By(term.OldServer), true), "definitions are no release's servers")
}

// TestDocumentedOutcomes: docs/reference/sweep.md names every outcome of a row, in the order of severity.
func TestDocumentedOutcomes(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/sweep.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(page), "| Outcome | In a sweep |")
	table, _, _ = strings.Cut(table, "\n\n")
	var shown []string
	for _, word := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(table, -1) {
		shown = append(shown, word[1])
	}
	var want []string
	for _, e := range sweep.Effects() {
		want = append(want, e.String())
	}
	assert.Equal(t, want, shown)
}

func TestPlace(t *testing.T) {
	for want, d := range map[string]diff.Difference{
		"apps/v1 Deployment .spec.x Staged": {Group: "apps", Version: "v1", Kind: "Deployment", Path: ".spec.x", Name: "Staged"},
		"v1 Pod .spec.x":                    {Version: "v1", Kind: "Pod", Path: ".spec.x"},
		"SomeGate":                          {Name: "SomeGate"},
		"apps/v2":                           {Group: "apps", Version: "v2"},
	} {
		assert.Equal(t, want, place(d))
	}
}

func TestGateStates(t *testing.T) {
	on := &diff.GateState{Stage: "GA", Default: true, Locked: true}
	assert.Equal(t, "G: absent → ga on, locked", gate(diff.Gate{Name: "G", New: on}))
	assert.Equal(t, "G: ga on, locked", gate(diff.Gate{Name: "G", Old: on, New: on}), "the same in both releases is said once")
	assert.Equal(t, "G: alpha off → absent", gate(diff.Gate{Name: "G", Old: &diff.GateState{Stage: "ALPHA"}}))
}

// TestLocal: a link leads beside the file, or nowhere.
func TestLocal(t *testing.T) {
	for address, want := range map[string]string{
		"default/report.html#step-1/a%20b": "default/report.html#step-1/a%20b", "report.html": "report.html", "": "",
		"javascript:alert(1)": "", " javascript:alert(1)": "", "https://example.com/": "", "//example.com/": "", "/etc/passwd": "",
		`\\\\example.com`: "", "java\nscript:alert(1)": "", "data:text/html,x": "",
	} {
		assert.Equal(t, want, view.Local(address), address)
	}
	assert.Equal(t, "./a:b/report.html", report(sweep.LapSummary{Run: "a:b"}), "a directory is no scheme")
	assert.Empty(t, report(sweep.LapSummary{Run: "//example.com"}))
}

func TestWritesOf(t *testing.T) {
	cells := []sweep.Cell{{Write: "a", Effect: term.Lost.By(term.OldServer)}, {Write: "a", Effect: term.Lost.By(term.OldServer)}, {Write: "b", Effect: term.Kept.Effect()}, {Write: "c", Effect: term.Lost.By(term.OldServer)}}
	assert.Equal(t, []string{"a", "c"}, writesOf(sweep.LapResult{Effect: term.Lost.By(term.OldServer), Cells: cells}))
	assert.Equal(t, "3 of 4 cells", cellCount(sweep.LapResult{Effect: term.Lost.By(term.OldServer), Cells: cells}))
	assert.Empty(t, writesOf(sweep.LapResult{Effect: term.Kept.Effect(), Cells: cells}), "nothing was lost")
	assert.Equal(t, "1 of 4 cells", cellCount(sweep.LapResult{Effect: term.Kept.Effect(), Cells: cells}))
}

func TestStagesOfDefinitions(t *testing.T) {
	old := sweep.Cell{Stage: "new", Write: "put of a label by a client of the old release through the new release"}
	assert.Equal(t, "controllers rolled back, definitions left", stage(old, true))
	assert.Equal(t, "new", stage(old, false), "a control plane has servers of both releases")
	assert.Equal(t, "new", stage(sweep.Cell{Stage: "new", Write: "put of a label through the new release"}, true))
	assert.Equal(t, "definitions rolled back", stage(sweep.Cell{Stage: "rolled-back"}, true))
	assert.Equal(t, "rolled-back", stage(sweep.Cell{Stage: "rolled-back"}, false))
}

func TestRuling(t *testing.T) {
	assert.Equal(t, "sanctioned by rule-6", ruling(sweep.LapResult{Class: term.Impact, Rule: term.Rule6}))
	assert.Equal(t, "sanctioned by rule-6, 2 cells break a rule", ruling(sweep.LapResult{Class: term.Impact, Rule: term.Rule6, Broken: 2}))
	cells := []sweep.Cell{{Write: "put", Effect: term.Lost.By(term.OldServer), Class: term.Impact}, {Write: "apply", Effect: term.Frozen.Effect(), Class: term.Violation, Rule: term.Rule5}}
	assert.Equal(t, "sanctioned by rule-6, 1 cell breaks a rule: apply (frozen, rule-5)", ruling(sweep.LapResult{Class: term.Impact, Rule: term.Rule6, Broken: 1, Cells: cells}))
	assert.Equal(t, "breaks rule-2, known bug", ruling(sweep.LapResult{Class: term.Violation, Rule: term.Rule2, Broken: 1, Known: "x"}))
	assert.Empty(t, ruling(sweep.LapResult{Effect: term.Kept.Effect()}))
}

func TestInertCell(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", " =1": "' =1", "\t=1": "\\u0009=1", "＝1": "'＝1",
		".spec.x": ".spec.x", "a=b": "a=b", "": "",
	} {
		assert.Equal(t, want, inertCell(text))
	}
}

// shownOf is what a terminal shows of rows.
func shownOf(t *testing.T, rows ...sweep.Row) string {
	t.Helper()
	var b strings.Builder
	result := sweep.Summarize(sweep.Result{Rows: rows, Laps: []sweep.LapSummary{{}}}, nil)
	require.NoError(t, Text(&b, result, Options{FailOn: sweep.Gate{Level: term.Lost.By(term.NewRelease)}}))
	return b.String()
}

// TestTextOfUninstallable: a definition that servers refuse to install fails, with the roll-out and the
// servers' words; a client that a server refuses does not.
func TestTextOfUninstallable(t *testing.T) {
	refused := func(rule term.Rule, stages ...string) sweep.Row {
		row := sweep.Row{LapResult: sweep.LapResult{Effect: term.Refused.Effect(), Class: term.Violation, Rule: rule}}
		for _, stage := range stages {
			row.Cells = append(row.Cells, sweep.Cell{Stage: stage, Effect: term.Refused.Effect(), Class: term.Violation, Rule: rule, Message: "spec.scope: field is immutable"})
		}
		return row
	}
	text := shownOf(t, refused(term.RuleInstallable, "rolled-back"), refused(term.RuleInstallable, "", "re-upgraded"))
	assert.Contains(t, text, "rows that fail: 2")
	assert.Contains(t, text, "on the rollback: spec.scope: field is immutable\n")
	assert.Contains(t, text, "on the upgrade and the second upgrade: as above\n")
	text = shownOf(t, refused(term.Rule1, "new"))
	assert.Contains(t, text, "no row fails")
	assert.NotContains(t, text, "cannot be installed")
}

// TestTextOfUnreached: why differences are not exercised is shown with the number of each reason, the most
// frequent first; of one row the whole reason. Differences that are only listed are not among them.
func TestTextOfUnreached(t *testing.T) {
	row := sweep.Row{LapResult: sweep.LapResult{Effect: term.NotExercised.Effect(), Reason: "no value is known"}, ID: "listed"}
	assert.NotContains(t, shownOf(t, row), "no value is known", "it is only listed")
	row.ID, row.Playable = "one", true
	rows := []sweep.Row{row}
	for i := range 12 {
		row.ID, row.Reason = fmt.Sprint(i), fmt.Sprintf("both refuse %d of %d values: spec.x%d: Required value", i, i, i)
		rows = append(rows, row)
	}
	text := shownOf(t, rows...)
	assert.Contains(t, text, "nothing is known of them: 13")
	assert.Regexp(t, `(?s)\b12  both refuse n of n values, such as [^\n]*spec.x0: Required value\n +1 [^\n]*no value is known\n`, text)
}

// TestGathered: the rows of one change are one line in the terminal and in Markdown, with their number and
// places, and a case each in JUnit.
func TestGathered(t *testing.T) {
	var rows []sweep.Row
	for i, kind := range []string{"Plan", "Task", "Step", "Job", "Set"} {
		row := sweep.Row{ID: kind, LapResult: sweep.LapResult{Effect: term.Frozen.Effect(), Exercised: true}}
		row.Difference = diff.Difference{Difference: term.EnumValueRemoved, Group: "sample.io", Version: "v1", Kind: kind, Path: ".spec.mode", Name: []string{"Fast", "Slow"}[i%2], Playable: true}
		rows = append(rows, row)
	}
	other := rows[0]
	other.ID, other.Difference.Difference, other.Path = "other", term.FieldRemoved, ".spec.environment"
	result := sweep.Summarize(sweep.Result{Rows: append(rows, other), Laps: []sweep.LapSummary{{}}}, nil)
	options := Options{FailOn: sweep.Gate{Level: term.Frozen.Effect()}}
	for name, write := range map[string]func(io.Writer, sweep.Result, Options) error{"text": Text, "markdown": Markdown} {
		var b strings.Builder
		require.NoError(t, write(&b, result, options))
		text := b.String()
		assert.Equal(t, 1, strings.Count(text, "enum-value-removed"), name)
		assert.Equal(t, 1, strings.Count(text, "field-removed"), name)
		for _, said := range []string{"5 rows", "Slow", "Task", "and 1 more"} {
			assert.Contains(t, text, said, name)
		}
	}
	assert.Contains(t, shownOf(t, result.Rows...), "rows that fail: 6, of 2 changes")
	var b strings.Builder
	require.NoError(t, JUnit(&b, result, options))
	assert.Equal(t, 6, strings.Count(b.String(), "<failure"))
	assert.Empty(t, also(sweep.Group{Rows: rows[:1]}))
}

// TestPreExisting: what the old release alone does too is apart in every format, and fails nothing.
func TestPreExisting(t *testing.T) {
	row := sweep.Row{ID: "old", LapResult: sweep.LapResult{Effect: term.Lost.By(term.NewRelease), Class: term.Violation, Exercised: true, PreExisting: true}}
	row.Difference = diff.Difference{Difference: term.BehaviourChanged, Version: "v1", Kind: "Plan", Path: ".spec.extra", Playable: true}
	row.Laps = []sweep.LapResult{row.LapResult}
	row.Laps[0].Lap = term.DefaultLap
	result := sweep.Summarize(sweep.Result{Rows: []sweep.Row{row}}, nil)
	options := Options{FailOn: sweep.Gate{Level: term.Lost.By(term.NewRelease)}}
	assert.Equal(t, 1, result.Totals.PreExisting[term.DefaultLap])
	assert.Empty(t, result.Totals.Default)
	assert.Empty(t, result.Failing(options.FailOn))
	written := map[string]string{}
	for name, write := range map[string]func(io.Writer, sweep.Result, Options) error{"text": Text, "markdown": Markdown, "junit": JUnit, "csv": CSV, "json": JSON} {
		var b strings.Builder
		require.NoError(t, write(&b, result, options))
		written[name] = b.String()
	}
	assert.Contains(t, shownOf(t, row), "pre-existing, so no change")
	assert.NotContains(t, shownOf(t, row), "worst rows")
	assert.Contains(t, written["markdown"], "#### Pre-existing, so no change")
	assert.NotContains(t, written["markdown"], "orst rows")
	assert.Contains(t, written["junit"], "<skipped")
	assert.NotContains(t, written["junit"], "<failure")
	assert.True(t, strings.HasSuffix(strings.Split(written["csv"], "\n")[0], ",pre_existing,actor"))
	assert.True(t, strings.HasSuffix(strings.Split(written["csv"], "\n")[1], ",true,new-release"))
	assert.Contains(t, written["json"], `"preExisting": true`)
}
