//go:build browser

package reports_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// overlaps finds texts of one drawing that lie upon each other, or outside it.
const overlaps = `[...document.querySelectorAll(".plot svg")].filter((s) => s.checkVisibility()).flatMap((s) => {
	const frame = s.getBoundingClientRect();
	const texts = [...s.querySelectorAll("text")].map((e) => [e.textContent, e.getBoundingClientRect()]);
	const upon = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2.5 && b.top < a.bottom - 2.5;
	return texts.flatMap(([text, box], i) => [
		...(box.left < frame.left - 3 || box.right > frame.right + 3 ? ["outside: " + text] : []),
		...texts.slice(i + 1).filter(([, other]) => upon(box, other)).map(([other]) => text + " / " + other)]);
}).join("; ")`

func TestPagesLabelsOfPlotsDoNotOverlap(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	for _, stages := range []int{1, 3, 7, 30} {
		page := filepath.Join(t.TempDir(), "report.html")
		r := journeyOf(stages)
		r.Ledger = fixedRun(0).Ledger
		for i := range r.Ledger.Copies {
			for j := range r.Ledger.Copies[i].Rows {
				r.Ledger.Copies[i].Rows[j].Stage = r.Plan.Stages[j%stages].Name
			}
		}
		require.NoError(t, os.WriteFile(page, []byte(write(t, "report.html", r)), 0o600))
		v := open(t, page, "")
		for _, width := range []int64{1280, 640, 360} {
			v.do(t, chromedp.EmulateViewport(width, 900))
			assert.Equal(t, 2, ask[int](t, v, `[...document.querySelectorAll(".plot svg")].filter((s) => s.checkVisibility()).length`), "one of both widths is shown")
			assert.Empty(t, ask[string](t, v, overlaps), "%d stages, %d wide", stages, width)
			least := ask[float64](t, v, `Math.min(...[...document.querySelectorAll(".plot svg")].filter((s) => s.checkVisibility()).map((s) => 11 * s.getBoundingClientRect().width / s.viewBox.baseVal.width))`)
			assert.Greater(t, least, 9.0, "the letters are as large as one can read")
		}
		v.quiet(t)
	}
}
