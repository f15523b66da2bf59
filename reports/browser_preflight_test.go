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

	preflightreports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/preflight"
)

// preflown is the preflight whose files are held in the tests of its writers.
func preflown(t *testing.T) (r preflight.Result) {
	t.Helper()
	text, err := os.ReadFile("preflight/testdata/preflight.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// openPreflight opens the page of a preflight from disk, and waits until its rows are drawn.
func openPreflight(t *testing.T, r preflight.Result, fragment string) *visit {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, preflightreports.HTML(&b, r, preflightreports.Options{}))
	path := filepath.Join(t.TempDir(), preflightreports.Page)
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	v := open(t, path, fragment)
	v.until(t, `document.querySelectorAll("#rows-body tr.row").length > 0`)
	return v
}

// TestPagesPreflightFilters: an outcome, a search and a chip show the rows that the data have, and Clear shows all.
func TestPagesPreflightFilters(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := preflown(t)
	v := openPreflight(t, r, "")
	all := inSweep[int](t, v, `return drawn().length`)
	frozen := inSweep[[]string](t, v, `choose("outcome", "frozen"); return drawn().map((tr) => tr.className)`)
	require.NotEmpty(t, frozen)
	assert.Less(t, len(frozen), all)
	for _, class := range frozen {
		assert.Contains(t, class, "c-frozen")
	}
	assert.Equal(t, fmt.Sprintf("%d of %d rows", len(frozen), all), inSweep[string](t, v, `return count()`))
	assert.Equal(t, 0, inSweep[int](t, v, `choose("q", "no such thing"); return drawn().length`))
	v.seen(t, "#none")
	v.tell(t, `document.getElementById("clear").click()`)
	assert.Equal(t, all, inSweep[int](t, v, `return drawn().length`))
	chip := inSweep[[]any](t, v, `const chip = document.querySelector("button[data-outcome]"); chip.click(); return [chip.getAttribute("aria-pressed"), drawn().length, chip.dataset.class]`)
	assert.Equal(t, "true", chip[0])
	assert.NotZero(t, chip[1], chip[2])
	v.quiet(t)
}

// TestPagesPreflightSorts: a heading sorts both ways, and the third click restores the order.
func TestPagesPreflightSorts(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := openPreflight(t, preflown(t), "")
	before := inSweep[[]string](t, v, `return column(2)`)
	const sort = `const th = document.querySelector('th[data-sort="where"]'); th.querySelector("button").click(); return [th.getAttribute("aria-sort"), ...column(1)]`
	up, down := inSweep[[]string](t, v, sort), inSweep[[]string](t, v, sort)
	assert.Equal(t, "ascending", up[0])
	assert.Equal(t, "descending", down[0])
	slices.Reverse(down[1:])
	assert.ElementsMatch(t, up[1:], down[1:])
	assert.NotEqual(t, up[1], up[len(up)-1], "there is something to sort")
	assert.Equal(t, up[1], down[1])
	assert.Equal(t, "none", inSweep[[]string](t, v, sort)[0])
	assert.Equal(t, before, inSweep[[]string](t, v, `return column(2)`))
	v.quiet(t)
}

// TestPagesPreflightKeys: a keyboard searches, goes from row to row, opens and closes; an open row has the
// message of its cause and what owns the objects.
func TestPagesPreflightKeys(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := preflown(t)
	v := openPreflight(t, r, "")
	v.do(t, chromedp.KeyEvent("/"))
	assert.Equal(t, "q", ask[string](t, v, `document.activeElement.name`))
	v.do(t, chromedp.KeyEvent("\x1b"))
	v.tell(t, `document.activeElement.blur()`)
	v.do(t, chromedp.KeyEvent("j"), chromedp.KeyEvent("\r"))
	opened := inSweep[string](t, v, `return drawn()[0].nextElementSibling.innerText`)
	assert.True(t, slices.ContainsFunc(r.Hops, func(h preflight.Hop) bool {
		return slices.ContainsFunc(h.Findings, func(f preflight.Finding) bool { return strings.Contains(opened, f.Message) })
	}), opened)
	v.do(t, chromedp.KeyEvent("\x1b"))
	assert.Equal(t, 0, ask[int](t, v, `document.querySelectorAll("tr.open").length`))
	v.quiet(t)
}

// TestPagesPreflightAddress: an address shows its filter, and its row open. The page asks for nothing, and its
// links lead nowhere else.
func TestPagesPreflightAddress(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := openPreflight(t, preflown(t), "")
	id := inSweep[string](t, v, `return drawn()[1].dataset.row`)
	v = openPreflight(t, preflown(t), "#row="+id)
	assert.Equal(t, id, inSweep[string](t, v, `return document.querySelector("tr.open").dataset.row`))
	assert.Empty(t, inSweep[[]string](t, v, `return [...document.querySelectorAll("a")].map((a) => a.protocol).filter((p) => p !== "file:")`))
	v.quiet(t)
}

// TestPagesPreflightNoBarriers: axe finds no barrier, and a narrow page does not scroll sideways.
func TestPagesPreflightNoBarriers(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			v := openPreflight(t, preflown(t), "")
			v.do(t, chromedp.EmulateViewport(width, 900))
			v.look(t, "screen", scheme)
			inSweep[bool](t, v, `for (const tr of drawn().slice(0, 5)) tr.querySelector("button").click(); return true`)
			for _, b := range v.broken(t, script, rulesOf(scheme == "dark")) {
				t.Errorf("%s, %d wide: %s", scheme, width, b)
			}
			assert.LessOrEqual(t, ask[int](t, v, `document.documentElement.scrollWidth - innerWidth`), 0, "%s, %d wide", scheme, width)
			v.quiet(t)
		}
	}
}
