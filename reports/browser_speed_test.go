package reports_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// stopwatch notes when the states are there to be used: drawn, and on the screen.
const stopwatch = `new MutationObserver((_, watch) => {
	if (!document.documentElement?.classList.contains("drawn")) return;
	watch.disconnect();
	requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now(); }));
}).observe(document, { attributes: true, subtree: true })`

// timed opens a page, and tells how long it took until it could be used.
func timed(t *testing.T, path string) (*visit, time.Duration) {
	t.Helper()
	v := open(t, "/dev/null", "")
	v.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: stopwatch})
		return err
	}), chromedp.Navigate("file://"+path))
	v.until(t, `window.usable`)
	return v, time.Duration(ask[float64](t, v, `window.usable`) * float64(time.Millisecond))
}

// scrolled scrolls the matrix through all its rows and columns, one move in a frame.
const scrolled = `(async () => {
	const matrix = document.getElementById("matrix");
	matrix.scrollIntoView();
	const frames = [];
	let last = performance.now();
	let most = 0;
	for (let i = 1; i <= 60; i++) {
		matrix.scrollTop = i / 60 * matrix.scrollHeight;
		matrix.scrollLeft = i / 60 * matrix.scrollWidth;
		await new Promise((done) => requestAnimationFrame(done));
		frames.push(performance.now() - last);
		last = performance.now();
		most = Math.max(most, matrix.querySelectorAll("*").length);
	}
	frames.sort((a, b) => a - b);
	return { median: frames[30], near: frames[56], longest: frames[59], elements: most };
})()`

// frames is how long the frames of a scroll took, in milliseconds: half of them, all but
// three, the longest; and how many elements the matrix had at most.
type frames struct {
	Median, Near, Longest float64
	Elements              int
}

// TestALargeRunIsFast: a thousand copies in sixty rows are usable, and scroll. The goals
// are a second, and no frame over 50 ms; the bounds are those of a machine that has much
// else to do.
func TestALargeRunIsFast(t *testing.T) {
	path := saved(t, largeRun(1000, 60, 6))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	v, took := timed(t, path)
	t.Logf("%.1f MB, usable after %s", float64(info.Size())/1e6, took.Round(time.Millisecond))
	if took > 5*time.Second {
		t.Errorf("usable after %s", took)
	}
	for _, columns := range []string{"stages", "steps"} {
		v.filter(t, map[string]string{"columns": columns})
		v.until(t, selectedColumns(columns))
		f := ask[frames](t, v, scrolled)
		t.Logf("by %s, frames: median %.0f ms, 95 of 100 within %.0f ms, longest %.0f ms; at most %d elements", columns, f.Median, f.Near, f.Longest, f.Elements)
		if f.Median > 250 {
			t.Errorf("by %s, half of the frames take longer than %.0f ms", columns, f.Median)
		}
		if f.Elements > 4000 {
			t.Errorf("by %s, the matrix has %d elements: more than are in sight", columns, f.Elements)
		}
	}
	v.quiet(t)
}

// selectedColumns holds when the matrix is drawn by these columns.
func selectedColumns(columns string) string {
	return `document.getElementById("states-count").value.endsWith("` + columns + `") && document.querySelector("#matrix .cell")`
}
