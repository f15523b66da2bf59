//go:build browser

package reports_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// followed follows each link to states, and returns which of them show no copy.
const followed = `(async () => {` + frames + `
	const links = [...new Set([...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute("href")))];
	const empty = [];
	for (const link of links) {
		await follow(link);
		await until(() => !document.querySelector("#matrix .pending"));
		const count = document.getElementById("states-count").value;
		if (/^0 of/.test(count)) empty.push(link + ": " + count);
	}
	return { links: links.filter((link) => link.startsWith("#?")).length, empty };
})()`

// oddlyFound is the fixture with findings of a path that was never acknowledged, and of
// a stage that the copies have no row of.
func oddlyFound() reports.Run {
	run := fixedRun(0)
	for i := range 2 {
		copy := fmt.Sprintf("scratch-treated-%d", 12+i)
		varies := result.Finding{Check: term.CheckNothingLost, Class: term.Violation, Object: "scratch", Kind: "Pod", Copy: copy,
			Path: ".status.area", Outcome: term.Varies, Step: 13, Stage: "rolling-back 1/2", Message: copy + " varies"}
		frozen := varies
		frozen.Path, frozen.Outcome, frozen.Step, frozen.Stage = "", term.Frozen, 3, stageNames[0]
		run.Result.Findings = append(run.Result.Findings, varies, frozen)
	}
	return run
}

// TestPagesEveryLinkShowsACopy: what a link of the page asks for is there.
func TestPagesEveryLinkShowsACopy(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	for name, run := range map[string]reports.Run{"fixture": oddlyFound(), "large": largeRun(40, 14, 2)} {
		t.Run(name, func(t *testing.T) {
			v := open(t, saved(t, run), "")
			v.seen(t, "#states-app")
			got := ask[struct {
				Links int
				Empty []string
			}](t, v, followed)
			assert.Positive(t, got.Links)
			assert.Empty(t, got.Empty)
			v.quiet(t)
		})
	}
}

// TestPagesFindingsOfOddPlaces: a finding of a path without a value has a row and a ledger;
// one of a stage without a row fits that stage, and no other.
func TestPagesFindingsOfOddPlaces(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, oddlyFound()), "#?path=.status.area")
	v.until(t, counted+` === "2 of 35 fields, 1 step"`)
	for query, want := range map[string]string{
		"stage=old&outcome=frozen": "2 of 17 copies, 1 step",
		"stage=old":                "2 of 17 copies, 1 step",
		"stage=upgrading 1/2&outcome=frozen&q=treated-12":        "0 of 17 copies, 0 steps",
		"stage=old&outcome=lost":                                 "0 of 17 copies, 0 steps",
		"stage=old&outcome=frozen&client=old-typed&role=treated": "0 of 17 copies, 0 steps",
	} {
		v.tell(t, fmt.Sprintf(`location.hash = %q`, "#?"+query))
		v.until(t, fmt.Sprintf(`%s === %q`, counted, want))
	}
	v.tell(t, `location.hash = "#ledger/scratch-treated-12/.status.area"`)
	v.until(t, panelText+`.includes("scratch-treated-12 varies")`)
	assert.Contains(t, ask[string](t, v, panelText), "No value of this path was acknowledged")
	v.quiet(t)
}

// TestPagesFindingOfNoStep: a finding about a write that belongs to no step is in the ledger
// of its field, and marks no step; a finding of a step is at the step.
func TestPagesFindingOfNoStep(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const painted = `document.querySelectorAll("#matrix .cell.unexpected").length`
	for _, tc := range []struct {
		step, cells int
		title       string
	}{{0, 0, "Ledger of"}, {6, 1, "step 6"}} {
		run := fixedRun(0)
		run.Result.Findings = []result.Finding{{Check: term.CheckNothingLost, Class: term.Violation, Object: "scratch", Kind: "Pod", Copy: "scratch-bystander",
			Path: modePath, Outcome: term.Lost, Step: tc.step, Stage: "upgrading 1/2", Message: "the servers' own write"}}
		v := open(t, saved(t, run), "#step-6/scratch-bystander")
		v.until(t, drawn)
		assert.Equal(t, tc.step > 0, ask[bool](t, v, panelText+`.includes("the servers' own write")`))
		assert.Equal(t, tc.cells, ask[int](t, v, painted))
		v.do(t, chromedp.Click("#first-loss"))
		v.until(t, fmt.Sprintf(`%s.includes(%q) && %s.includes("the servers' own write")`, title, tc.title, panelText))
		v.quiet(t)
	}
}

// TestPagesWordsThatTheRunLacks leave the filter and the address; those that it has stay.
func TestPagesWordsThatTheRunLacks(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	for _, name := range []string{"object", "role", "path", "client", "verb", "via", "replica", "stage", "outcome"} {
		v.tell(t, fmt.Sprintf(`location.hash = "#?%s=gone&q=bystander"`, name))
		v.until(t, `location.hash === "#?q=bystander"`)
		assert.Equal(t, "1 of 17 copies, 12 steps", ask[string](t, v, counted), name)
	}
	v.tell(t, `location.hash = "#?role=treated&q=treated-2"`)
	v.until(t, counted+` === "1 of 17 copies, 12 steps" && `+rowNames+` === "scratch-treated-2"`)
	assert.Equal(t, "#?role=treated&q=treated-2", ask[string](t, v, `location.hash`))
	v.filter(t, map[string]string{"q": "treated-2 "})
	assert.Equal(t, "treated-2 ", ask[string](t, v, `document.getElementById("filter").elements.q.value`), "a space can be typed")
	v.quiet(t)
}

// TestPagesBackClosesTheEvidence: where the address names no copy none is shown. An anchor
// leaves the filter as it is; an empty address has none.
func TestPagesBackClosesTheEvidence(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const hidden = `document.getElementById("shown").hidden`
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, fmt.Sprintf(`location.hash = %q`, stateOf(12, "scratch-treated-2")+"?role=treated"))
	v.until(t, drawn)
	length := ask[int](t, v, `history.length`)
	v.tell(t, `location.hash = "#step-6"`)
	v.until(t, hidden)
	assert.Equal(t, length+1, ask[int](t, v, `history.length`), "to hide it is no visit")
	assert.Equal(t, "treated", ask[string](t, v, `document.getElementById("filter").elements.role.value`))
	v.tell(t, `history.back()`)
	v.until(t, `!`+hidden+` && `+title+`.includes("scratch-treated-2")`)
	v.tell(t, `history.back()`)
	v.until(t, hidden+` && `+counted+` === "17 of 17 copies, 12 steps"`)
	assert.Empty(t, ask[string](t, v, `location.hash`))
	v.quiet(t)
}

// timers gives the test the page's pauses before it writes an address: due has the writes
// that wait. Other timers are the browser's.
const timers = `(() => {
	const [start, stop] = [setTimeout, clearTimeout];
	window.due = new Map();
	let last = 0;
	window.setTimeout = (act, pause, ...rest) => {
		if (pause !== 300) return start(act, pause, ...rest);
		due.set(--last, act);
		return last;
	};
	window.clearTimeout = (id) => { if (!due.delete(id)) stop(id); };
})()`

// TestPagesBackBeforeAnAddressIsWritten: Back leaves the place for good, however long the
// address of that place waits to be written. One that nobody leaves is written in time.
func TestPagesBackBeforeAnAddressIsWritten(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const end = `for (const [id, act] of due) { due.delete(id); act(); }`
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, timers)
	v.tell(t, fmt.Sprintf(`location.hash = %q`, stateOf(12, "scratch-treated-2")))
	v.until(t, drawn)
	assert.Equal(t, 1, ask[int](t, v, `due.size`), "an address waits")
	v.tell(t, `addEventListener("popstate", () => { `+end+` }); history.back()`)
	v.until(t, `document.getElementById("shown").hidden && location.hash === ""`)

	v.filter(t, map[string]string{"role": "treated"})
	assert.Empty(t, ask[string](t, v, `location.hash`))
	v.tell(t, end)
	assert.Equal(t, "#?role=treated", ask[string](t, v, `location.hash`))
	v.quiet(t)
}

// TestPagesRowsThatCannotBeRead: it is said, and the rest goes on.
func TestPagesRowsThatCannotBeRead(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, `document.getElementById("pack-rows-0").textContent = "H4sI"`)
	v.filter(t, map[string]string{"rows": "fields"})
	v.until(t, `document.getElementById("states-told").innerText.startsWith("The states of some fields cannot be read: ")`)
	v.filter(t, map[string]string{"rows": "fields", "role": "untouched"})
	v.until(t, counted+` === "2 of 33 fields, 12 steps"`)
	v.filter(t, map[string]string{"rows": "objects", "role": "treated", "outcome": "undecodable"})
	v.until(t, rowNames+` === "scratch-treated-1"`)
	v.quiet(t)
}
