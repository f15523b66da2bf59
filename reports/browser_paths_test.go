//go:build browser

package reports_test

import (
	"bytes"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// TestPagesPaper: what is chosen on the screen is on the paper, with the verdict and the
// findings, folded ones too; what only a screen can use is not.
func TestPagesPaper(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(12, "scratch-treated-3"))
	v.until(t, drawn)
	v.look(t, "print", "dark")
	text := ask[string](t, v, `document.body.innerText`)
	for _, want := range []string{"fail", "Not expected", "token-1", "scratch-treated-3 · step 12", "511", "Checks", "Builds"} {
		assert.Contains(t, text, want)
	}
	for _, unwanted := range []string{"Jump to first loss", "Copy link", "Skip to the findings"} {
		assert.NotContains(t, text, unwanted)
	}
	const dark = `[...document.querySelectorAll("body, main > section, #shown, #matrix, pre")].filter((el) => el.checkVisibility()).filter((el) => {
		const [r, g, b, a = 1] = getComputedStyle(el).backgroundColor.match(/[\d.]+/g).map(Number);
		return a > 0 && Math.min(r, g, b) < (r > 1 || g > 1 || b > 1 ? 200 : 0.78);
	}).map((el) => el.id || el.className || el.localName).join()`
	assert.Empty(t, ask[string](t, v, dark), "dark on paper")
	v.tell(t, `document.querySelector("#timeline").style.background = "#222"`)
	assert.Equal(t, "timeline", ask[string](t, v, dark), "what is dark is noticed")

	pdf, err := chromedp.Run(v, chromedp.PrintToPDF())
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(pdf, []byte("%PDF-")))
	v.quiet(t)
}

// tabTo presses Tab until an element that fits has the focus. On the way the focus is
// always somewhere, and to be seen.
func (v *visit) tabTo(t *testing.T, css string) {
	t.Helper()
	for range 300 {
		v.press(t, kb.Tab)
		require.NotEqual(t, "BODY", ask[string](t, v, focused+`.tagName`), "on the way to %s", css)
		require.True(t, ask[bool](t, v, focused+`.matches(":focus-visible") && (getComputedStyle(`+focused+`).outlineStyle !== "none" || `+focused+`.matches(".skip, svg a"))`),
			"the focus is not seen on %s", ask[string](t, v, focused+`.outerHTML.slice(0, 200)`))
		if ask[bool](t, v, focused+`.matches('`+css+`')`) {
			return
		}
	}
	t.Fatalf("Tab does not lead to %s", css)
}

// TestPagesTabsLeadToTheLoss goes from the top of the page to the evidence of a finding, on to
// the ledger of its field, back, and to the cell in the matrix, with nothing but Tab,
// Enter and Escape.
func TestPagesTabsLeadToTheLoss(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tabTo(t, ".skip")
	v.press(t, kb.Enter)
	v.tabTo(t, `#findings a[href^="#step-12/token-1/"]`)
	v.press(t, kb.Enter)
	v.until(t, title+`.includes("token-1 · step 12") && `+drawn+` && `+focused+`.id === "shown-title"`)
	v.tabTo(t, "#shown .field")
	v.press(t, kb.Enter)
	v.until(t, title+`.startsWith("Ledger of") && `+focused+`.id === "shown-title"`)
	v.until(t, `document.querySelector("#shown .readers")`)
	v.tabTo(t, "#shown .readers button")
	v.press(t, kb.Enter)
	v.until(t, title+`.includes("token-1 · step") && `+focused+`.id === "shown-title"`)
	v.press(t, kb.Escape)
	v.until(t, focused+`.closest("#matrix") && `+focused+`.getAttribute("role") === "gridcell"`)
	v.tabTo(t, "#row-next, #row-before")
	v.do(t, chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	v.until(t, focused+`.closest("#matrix")`)
	v.quiet(t)
}
