//go:build browser

package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	sweepreports "github.com/skewsim/skewsim/reports/sweep"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/sweep"
)

// swept is the sweep whose files are held in the tests of its writers, with as many rows.
func swept(t *testing.T, rows int) sweep.Result {
	t.Helper()
	text, err := os.ReadFile("sweep/testdata/sweep.json")
	require.NoError(t, err)
	var r sweep.Result
	require.NoError(t, json.Unmarshal(text, &r))
	for i := 0; len(r.Rows) < rows; i++ {
		row := r.Rows[i]
		row.ID = fmt.Sprintf("%s again %d", row.ID, len(r.Rows))
		row.Name, row.Path = fmt.Sprint(row.Name, len(r.Rows)), fmt.Sprintf("%s.again%d", row.Path, len(r.Rows)) // no one change with others
		r.Rows = append(r.Rows, row)
	}
	return r
}

// openSweep opens the page of a sweep, and waits until its rows are drawn.
func openSweep(t *testing.T, r sweep.Result, fragment string) *visit {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, sweepreports.HTML(&b, r, sweepreports.Options{FailOn: sweep.Gate{Level: term.Frozen.Effect()}}))
	path := filepath.Join(t.TempDir(), sweepreports.Page)
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	v := open(t, path, fragment)
	v.until(t, `document.documentElement.classList.contains("drawn")`)
	return v
}

// sweepHands are what a reader does and sees: choose fills in a part of the filter.
const sweepHands = `
	const form = document.getElementById("filter");
	const choose = (name, value) => { form.elements[name].value = value; form.elements[name].dispatchEvent(new Event("input", { bubbles: true })); };
	const rows = () => [...document.querySelectorAll("#rows-body tr.row")];
	const more = document.getElementById("more");
	const drawn = () => { while (!more.hidden) more.firstElementChild.click(); return rows(); };
	const rowsIn = (line) => 1 + Number((line.innerText.match(/and (\d+) more rows? of this change/) || [0, 0])[1]);
	const shown = () => drawn().reduce((n, line) => n + rowsIn(line), 0);
	const column = (n) => drawn().map((tr) => tr.cells[n].innerText);
	const count = () => document.getElementById("count").textContent;
`

// inSweep evaluates an expression with the hands of a reader.
func inSweep[T any](t *testing.T, v *visit, statements string) T {
	t.Helper()
	return ask[T](t, v, "(() => {"+sweepHands+statements+"})()")
}

func TestPagesSweepFilters(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := swept(t, 0)
	v := openSweep(t, r, "")
	require.Equal(t, "60 rows", inSweep[string](t, v, `return count()`))
	for name, value := range map[string]string{"outcome": "frozen", "difference": "field-added", "kind": "Deployment.apps", "gate": "PodLevelThing", "reachable": "false", "lap": "gates", "ruling": "sanctioned", "change": "fails"} {
		want := 0
		for _, row := range r.Rows {
			if sweepHas(row, name, value) {
				want++
			}
		}
		require.Positive(t, want, name)
		require.Less(t, want, len(r.Rows), name)
		got := inSweep[[]any](t, v, fmt.Sprintf(`choose(%q, %q); const n = [shown(), count()]; choose(%q, ""); return n`, name, value, name))
		assert.Equal(t, []any{float64(want), fmt.Sprintf("%d of 60 rows", want)}, got, "%s %s", name, value)
	}
	assert.Equal(t, "60 rows", inSweep[string](t, v, `return count()`))
	v.quiet(t)
}

// sweepHas reports whether a filter selects a row, from the data alone.
func sweepHas(row sweep.Row, name, value string) bool {
	switch name {
	case "outcome":
		return row.Effect.String() == value
	case "difference":
		return string(row.Difference.Difference) == value
	case "kind":
		return row.Kind+"."+row.Group == value
	case "gate":
		return len(row.Gates) > 0 && row.Gates[0].Name == value
	case "reachable":
		return fmt.Sprint(row.Reachable) == value
	case "lap":
		for _, o := range row.Laps {
			if string(o.Lap) == value {
				return true
			}
		}
		return len(row.Laps) == 0
	case "ruling":
		return row.Class == "impact"
	}
	return (sweep.Result{Rows: []sweep.Row{row}}).Failing(sweep.Gate{Level: term.Frozen.Effect()}) != nil
}

func TestPagesSweepSearches(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := swept(t, 0)
	v := openSweep(t, r, "")
	// In a path, in the sentence of a cell, in a reason; and words in different texts of a row.
	for _, words := range []string{"ALLOCATEDRESOURCES", "typed client could not carry", "flexvolume.driver", "batch/v1 successpolicy merge-patch"} {
		want := 0
		for _, row := range r.Rows {
			if sweepMentions(t, row, strings.Fields(strings.ToLower(words))) {
				want++
			}
		}
		require.Positive(t, want, words)
		require.Less(t, want, len(r.Rows), words)
		assert.Equal(t, want, inSweep[int](t, v, fmt.Sprintf(`choose("q", %q); return shown()`, words)), words)
	}
	assert.Equal(t, 0, inSweep[int](t, v, `choose("q", "zzqx"); return drawn().length`))
	v.seen(t, "#none")
	v.tell(t, `document.getElementById("clear").click()`)
	assert.Equal(t, "60 rows", inSweep[string](t, v, `return count()`))
	v.quiet(t)
}

// sweepMentions reports whether the data of a row has all words.
func sweepMentions(t *testing.T, row sweep.Row, words []string) bool {
	t.Helper()
	text, err := json.Marshal(row)
	require.NoError(t, err)
	return !slices.ContainsFunc(words, func(word string) bool {
		return !strings.Contains(strings.ToLower(string(text)+row.Group+"/"+row.Version), word)
	})
}

func TestPagesSweepSorts(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := openSweep(t, swept(t, 0), "")
	before := inSweep[[]string](t, v, `return column(2)`)
	const sort = `const th = document.querySelector('th[data-sort="difference"]'); th.querySelector("button").click(); return [th.getAttribute("aria-sort"), ...column(1)]`
	up, down := inSweep[[]string](t, v, sort), inSweep[[]string](t, v, sort)
	require.Len(t, up, len(before)+1)
	assert.Equal(t, "ascending", up[0])
	assert.IsNonDecreasing(t, up[1:])
	assert.Equal(t, "descending", down[0])
	assert.IsNonIncreasing(t, down[1:])
	assert.Equal(t, "none", inSweep[[]string](t, v, sort)[0])
	assert.Equal(t, before, inSweep[[]string](t, v, `return column(2)`), "the third click restores the order")
	v.quiet(t)
}

func TestPagesSweepOpensRows(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := swept(t, 0)
	v := openSweep(t, r, "")
	opened := inSweep[[]string](t, v, `drawn()[0].querySelector("button").click();
		const below = drawn()[0].nextElementSibling;
		return [drawn()[0].querySelector("button").getAttribute("aria-expanded"), below.innerText, ...[...below.querySelectorAll("a")].map((a) => a.getAttribute("href"))]`)
	assert.Equal(t, "true", opened[0])
	for _, c := range r.Rows[0].Cells {
		assert.Contains(t, opened[1], c.Write)
	}
	assert.Contains(t, opened[1], r.Rows[0].Cells[1].Message)
	assert.Contains(t, opened, r.Rows[0].History)
	assert.Contains(t, opened, "default/report.html#step-5/"+r.Rows[0].Cells[1].Copy)
	assert.Equal(t, 0, inSweep[int](t, v, `drawn()[0].querySelector("button").click(); return document.querySelectorAll("tr.opened").length`))

	hostile := inSweep[[]string](t, v, `for (const tr of drawn()) tr.querySelector("button").click();
		return [...document.querySelectorAll("a")].map((a) => a.protocol).filter((p) => p !== "file:")`)
	assert.Empty(t, hostile, "no link leads out of the directory")
	assert.Equal(t, 0, ask[int](t, v, `document.querySelectorAll("img, script:not([type]):not(:last-of-type)").length`))
	assert.False(t, strings.ContainsAny(ask[string](t, v, `document.body.innerText`), "\u202e\x1b"))
	v.quiet(t)
}

// TestPagesSweepAddress: an address shows its filter, and its row open.
func TestPagesSweepAddress(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := swept(t, 0)
	v := openSweep(t, r, "#outcome=frozen&sort=-place&row="+strings.ReplaceAll(r.Rows[9].ID, " ", "%20"))
	assert.Equal(t, []any{"3 of 60 rows", true, r.Rows[9].ID}, inSweep[[]any](t, v, `return [count(), document.activeElement.closest("tr").classList.contains("open"), document.activeElement.closest("tr").dataset.row]`))
	v.tell(t, `document.getElementById("clear").click()`)
	v.until(t, `!location.hash.includes("outcome")`)
	v.quiet(t)
}

// TestPagesSweepKeys: a keyboard searches, goes from row to row, opens and closes.
func TestPagesSweepKeys(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := openSweep(t, swept(t, 0), "")
	v.do(t, chromedp.KeyEvent("/"))
	assert.Equal(t, "q", ask[string](t, v, `document.activeElement.name`))
	v.tell(t, `document.activeElement.value = ""`) // the driver types the key, also after the page has taken it
	v.do(t, chromedp.KeyEvent("frozen"))
	assert.Equal(t, "6 of 60 rows", inSweep[string](t, v, `return count()`))
	v.do(t, chromedp.KeyEvent("\x1b"))
	assert.Equal(t, "60 rows", inSweep[string](t, v, `return count()`))
	v.tell(t, `document.activeElement.blur()`)
	v.do(t, chromedp.KeyEvent("jjk"), chromedp.KeyEvent("j"), chromedp.KeyEvent("\r"))
	assert.Equal(t, []bool{false, true, false}, inSweep[[]bool](t, v, `return drawn().slice(0, 3).map((tr) => tr.classList.contains("open"))`))
	v.do(t, chromedp.KeyEvent("\x1b"))
	assert.Equal(t, 0, ask[int](t, v, `document.querySelectorAll("tr.open").length`))
	v.quiet(t)
}

// TestPagesSweepOf5000Rows: the page draws some rows at a time, whatever is looked for and
// however it is sorted, and a filter looks at all of them.
func TestPagesSweepOf5000Rows(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := openSweep(t, swept(t, 5000), "")
	for act, all := range map[string]bool{
		`choose("q", "")`: true, `choose("q", "fixture")`: false, `choose("q", "typed client could not carry")`: false,
		`choose("q", ""); document.querySelector('th[data-sort="place"] button').click()`: true,
	} {
		shown := inSweep[[]any](t, v, act+`; return [rows().length, count()]`)
		assert.Less(t, shown[0], 500.0, act)
		assert.Equal(t, all, shown[1] == "5000 rows", "%s: %s", act, shown[1])
	}
	v.tell(t, `document.getElementById("more").scrollIntoView({ behavior: "instant" })`)
	v.until(t, `document.querySelectorAll("#rows-body tr.row").length > 150`)
	v.quiet(t)
}

func TestPagesSweepNoBarriers(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			v := openSweep(t, swept(t, 0), "")
			v.do(t, chromedp.EmulateViewport(width, 900))
			v.look(t, "screen", scheme)
			inSweep[bool](t, v, `for (const tr of drawn().slice(0, 12)) tr.querySelector("button").click(); return true`)
			for _, b := range v.broken(t, script, rulesOf(scheme == "dark")) {
				t.Errorf("%s, %d wide: %s", scheme, width, b)
			}
			assert.LessOrEqual(t, ask[int](t, v, `document.documentElement.scrollWidth - innerWidth`), 0, "%s, %d wide", scheme, width)
			v.quiet(t)
		}
	}
}
