//go:build browser

package reports_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// What tests read from the findings in the evidence.
const (
	foundStates = `[...document.querySelectorAll("#shown .finding")].map((f) => f.querySelector(".chip").lastChild.textContent.trim() + (f.matches(".unexpected") ? "!" : "")).join()`
	chosenField = `document.querySelector("#shown .field.looked-at .chip").innerText`
)

// ledgerOf is the address of the ledger of a copy's field.
func ledgerOf(copy string) string {
	return "#ledger/" + url.PathEscape(copy) + "/" + url.PathEscape(modePath)
}

// manyFound is the fixture with further findings of what was lost in step 12:
// in the order they are given, all before the loss.
func manyFound(also ...func(*result.Finding)) reports.Run {
	run := fixedRun(0)
	lost := run.Result.Findings[0]
	var all []result.Finding
	for _, alter := range also {
		f := lost
		alter(&f)
		all = append(all, f)
	}
	run.Result.Findings = append(all, run.Result.Findings...)
	return run
}

func changedToo(f *result.Finding)   { f.Outcome, f.Cause = term.Changed, term.Defaulted }
func hiddenToo(f *result.Finding)    { f.Outcome = term.Hidden }
func unexpectedly(f *result.Finding) { f.Outcome, f.Expected = term.Refused, false }

// TestPagesWorstFindingComesFirst: in the evidence and in the ledger, in whichever
// order the findings were made.
func TestPagesWorstFindingComesFirst(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	run := manyFound(hiddenToo, changedToo, unexpectedly)
	for _, fragment := range []string{stateOf(12, "scratch-treated-2"), ledgerOf("scratch-treated-2")} {
		v := open(t, saved(t, run), fragment)
		v.until(t, drawn)
		assert.Equal(t, "refused!,lost,changed,hidden", ask[string](t, v, foundStates))
		v.quiet(t)
	}
	run = manyFound(changedToo)
	last := run.Result.Findings[1]
	last.Class = term.Violation
	run.Result.Findings = append(run.Result.Findings, last)
	v := open(t, saved(t, run), stateOf(12, "scratch-treated-2"))
	v.until(t, drawn)
	assert.Equal(t, "lost,lost,changed", ask[string](t, v, foundStates))
	assert.Contains(t, ask[string](t, v, `document.querySelector("#shown .finding").innerText`), "violation")
	v.quiet(t)
}

// TestPagesValuesTellTheWorst: a value that is kept at the end, and was lost before,
// counts as lost; one that was always kept is kept.
func TestPagesValuesTellTheWorst(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	run := fixedRun(0)
	for i := range run.Ledger.Copies {
		run.Ledger.Copies[i].Fields[0].Outcome = term.Kept
	}
	for copy, want := range map[string]string{"scratch-treated-2": "lost", "scratch-bystander": "kept"} {
		v := open(t, saved(t, run), stateOf(12, copy))
		v.until(t, drawn)
		assert.Contains(t, ask[string](t, v, chosenField), want)
		v.quiet(t)
	}
}

// TestPagesEachFindingIsShown: of two findings of one cell the next press marks and
// tells the other; where the row is looked at for itself, none is marked.
func TestPagesEachFindingIsShown(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const (
		marked = `[...document.querySelectorAll("#shown .finding[aria-current]")].map((f) => f.querySelector(".chip").lastChild.textContent.trim()).join()`
		inView = `(() => { const [f, p] = [".finding[aria-current]", "#shown"].map((css) => document.querySelector(css).getBoundingClientRect());
			return f.top >= p.top && f.bottom <= p.bottom; })()`
		told = `document.getElementById("states-told").innerText`
	)
	v := open(t, saved(t, manyFound(changedToo)), "")
	v.seen(t, "#states-app")
	v.filter(t, map[string]string{"q": "scratch-treated-2"})
	v.until(t, counted+`.startsWith("1 of")`)
	for i, state := range []string{"lost", "changed"} {
		v.do(t, chromedp.Click("#finding-next"))
		v.until(t, fmt.Sprintf("%s === %q", marked, state))
		assert.True(t, ask[bool](t, v, inView))
		assert.Equal(t, fmt.Sprintf("Finding %d of 2: %s · nothing-lost · scratch-treated-2 %s · step 12", i+1, state, modePath), ask[string](t, v, told))
	}
	v.until(t, selected)
	v.tell(t, selected+`.click()`)
	v.until(t, drawn+` && `+marked+` === ""`)
	v.quiet(t)
}

// TestPagesRowTellsTheWorstOfItsCells: a finding may be worse than what the ledger
// calls the copy; and where the filter leaves few cells, only these count.
func TestPagesRowTellsTheWorstOfItsCells(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const sign = `document.querySelector("#matrix .row:not(.group) .name .sign")?.title`
	run := fixedRun(0)
	for i := range run.Ledger.Copies {
		run.Ledger.Copies[i].Outcome = term.Failed // which no cell shows
	}
	v := open(t, saved(t, run), "")
	v.seen(t, "#states-app")
	for _, tc := range []struct{ copy, rows, stage, want string }{
		{"token-1", "objects", "", "lost"},
		{"token-1", "objects", "re-upgraded", "kept"},
		{"scratch-treated-2", "objects", "", "lost"},
		{"scratch-bystander", "objects", "", "kept"},
		{"password", "fields", "", "lost"},
	} {
		v.filter(t, map[string]string{"q": tc.copy, "rows": tc.rows, "stage": tc.stage})
		v.until(t, counted+`.startsWith("1 of")`)
		v.until(t, fmt.Sprintf("%s === %q", sign, tc.want))
	}
	v.quiet(t)
}

// TestPagesSearchFindsWhatFindingsTell: sentences, causes, rules and states are
// looked at too, each of its own copy and path.
func TestPagesSearchFindsWhatFindingsTell(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	run := fixedRun(0)
	run.Result.Findings[0].Cause = term.Defaulted
	v := open(t, saved(t, run), "")
	v.seen(t, "#states-app")
	for _, tc := range []struct{ q, rows, want string }{
		{"defaulted", "objects", "scratch-treated-2"},
		{"unknown-field", "objects", "scratch-treated-3,token-1"},
		{"rule-6 scratch", "objects", "scratch-treated-2,scratch-treated-3"},
		{"hidden since step 12, served again", "objects", "scratch-untouched"},
		{"undecodable", "objects", "scratch-treated-1"},
		{"dropped", "objects", "scratch-treated-9"},
		{"rule-77", "objects", ""},
		{"defaulted", "fields", modePath},
	} {
		v.filter(t, map[string]string{"q": tc.q, "rows": tc.rows})
		v.until(t, fmt.Sprintf("%s === %q", rowNames, tc.want))
	}
	v.quiet(t)
}
