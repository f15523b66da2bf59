package reports_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// What tests ask of the findings that the evidence tells of.
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

func changedToo(f *result.Finding)   { f.State, f.Cause = term.Changed, term.Defaulted }
func hiddenToo(f *result.Finding)    { f.State = term.Hidden }
func unexpectedly(f *result.Finding) { f.State, f.Expected = term.Refused, false }

// TestWorstFindingComesFirst: in the evidence and in the ledger, in whichever
// order the findings were made.
func TestWorstFindingComesFirst(t *testing.T) {
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

// TestValuesTellTheWorst: a value that is kept at the end, and was lost before,
// counts as lost; one that was always kept is kept.
func TestValuesTellTheWorst(t *testing.T) {
	run := fixedRun(0)
	for i := range run.Ledger.Copies {
		run.Ledger.Copies[i].Fields[0].State = term.Kept
	}
	for copy, want := range map[string]string{"scratch-treated-2": "lost", "scratch-bystander": "kept"} {
		v := open(t, saved(t, run), stateOf(12, copy))
		v.until(t, drawn)
		assert.Contains(t, ask[string](t, v, chosenField), want)
		v.quiet(t)
	}
}
