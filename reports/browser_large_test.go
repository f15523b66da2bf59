//go:build browser

package reports_test

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// counting counts the blocks of data that the page unpacks.
const counting = `(() => {
	window.unpacked = 0;
	const real = window.DecompressionStream;
	window.DecompressionStream = class extends real { constructor(...args) { super(...args); window.unpacked++; } };
})()`

// scrolled scrolls through the matrix both ways, a frame at a time. It returns how many
// elements the matrix had at most, and how many it drew anew in the frame that drew most.
const scrolled = `(async () => {` + frames + `
	const matrix = document.getElementById("matrix");
	matrix.scrollIntoView({ behavior: "instant" });
	const steps = 120;
	let [most, drawn, added] = [0, 0, 0];
	const watch = new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach((n) => { added += 1 + (n.querySelectorAll?.("*").length ?? 0); })));
	watch.observe(matrix, { childList: true, subtree: true });
	for (let i = 1; i <= steps; i++) {
		added = 0;
		matrix.scrollTop = (matrix.scrollHeight - matrix.clientHeight) * i / steps;
		matrix.scrollLeft = (matrix.scrollWidth - matrix.clientWidth) * i / steps;
		matrix.dispatchEvent(new Event("scroll"));
		await frame();
		[most, drawn] = [Math.max(most, matrix.querySelectorAll("*").length), Math.max(drawn, added)];
	}
	watch.disconnect();
	return { most, drawn };
})()`

// TestPagesALargeRunOpensFast opens a page of 1,000 copies with 60 rows each. What opening and
// scrolling cost is counted, not timed: opening unpacks the index alone, and scrolling unpacks
// no more than that and draws the visible elements.
func TestPagesALargeRunOpensFast(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	page := saved(t, largeRun(1000, 60, 6))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Less(t, len(text), maxOfAPage)
	assert.Zero(t, omitted(t, string(text)))
	v := blank(t)
	v.do(t, chromedp.EmulateViewport(1280, 900), chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: counting})
		return err
	}), chromedp.Navigate("file://"+page))
	v.seen(t, "#states-app")
	assert.Equal(t, 1, ask[int](t, v, `window.unpacked`), "blocks that opening unpacks")
	for _, columns := range []string{"stages", "steps"} {
		v.filter(t, map[string]string{"columns": columns})
		frame := ask[struct{ Most, Drawn int }](t, v, scrolled)
		t.Logf("%s: at most %d elements, of which a frame draws %d", columns, frame.Most, frame.Drawn)
		assert.Less(t, frame.Most, 5_000, "elements of a matrix of %s", ask[string](t, v, counted))
		assert.Less(t, frame.Drawn, 5_000, "elements that one frame draws")
		assert.Contains(t, ask[string](t, v, `[...document.querySelectorAll("#matrix .row .what")].map((n) => n.innerText).join()`), largeName(999), "the last copy is drawn")
	}
	assert.Equal(t, 1, ask[int](t, v, `window.unpacked`), "blocks that scrolling unpacks")
	v.quiet(t)
}
