//go:build browser

package reports_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/skewsim/skewsim/reports"
)

// browserLimit ends a test that hangs in the browser. It is far from what any takes.
const browserLimit = 5 * time.Minute

// browserPath returns the path of a Chromium. Without one the test fails: who selects the
// tier Pages wants its tests to run.
func browserPath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no chromium or google-chrome in PATH (Debian: apt-get install chromium)")
	return ""
}

// chrome is the one browser of all tests. It starts when the first test needs it. Tests use
// one tab after the other: a new one costs more than most pages.
type chrome struct {
	once sync.Once
	ctx  context.Context
	stop context.CancelFunc
	err  error
	idle *tab
}

// tab is a private window of the browser, with one page after the other.
type tab struct {
	context.Context
	close context.CancelFunc
	mu    sync.Mutex
	shown *visit
}

var shared chrome

// TestMain ends the browser, if a test has started it.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// running starts the browser, or gives the one that runs.
func (c *chrome) running(t *testing.T) context.Context {
	t.Helper()
	path := browserPath(t)
	c.once.Do(func() { c.start(path) })
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.ctx
}

func (c *chrome) start(path string) {
	opts := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.WindowSize(1280, 900)}
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-extensions", "disable-ipc-flooding-protection", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		opts = append(opts, chromedp.Flag(flag, true))
	}
	allocated, free := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ := chromedp.NewContext(allocated) // Cancel ends it
	c.ctx, c.err = ctx, chromedp.Do(ctx)
	c.stop = func() {
		limited, cancel := context.WithTimeout(ctx, browserLimit)
		defer cancel()
		_ = chromedp.Cancel(limited) // nothing is left to be done about it
		free()
	}
}

// visit is a page in the browser, with what it complained of and asked for.
type visit struct {
	context.Context
	mu         sync.Mutex
	complaints []string
	requested  []string
}

// newTab opens a tab.
func (c *chrome) newTab(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(c.running(t), chromedp.WithNewBrowserContext())
	b := &tab{Context: ctx, close: cancel}
	if err := chromedp.Listen(ctx, b.listen); err != nil { // it makes the tab, whose life has no limit
		t.Fatal(err)
	}
	return b
}

// visit begins what a test does in the tab.
func (b *tab) visit(t *testing.T) *visit {
	t.Helper()
	ctx, cancel := context.WithTimeout(b, browserLimit)
	t.Cleanup(cancel)
	v := &visit{Context: ctx}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = v
	return v
}

// blank opens a tab that only this test uses: what it does to the tab goes with it.
func blank(t *testing.T) *visit {
	t.Helper()
	b := shared.newTab(t)
	t.Cleanup(b.close)
	return b.visit(t)
}

var visits int

// open loads the page at the fragment. The page has a history of its own, and an address
// that no page had before it, so that the browser loads it anew.
func open(t *testing.T, page, fragment string) *visit {
	t.Helper()
	b := shared.idle
	if shared.idle = nil; b == nil {
		b = shared.newTab(t)
	}
	t.Cleanup(func() { shared.put(b, t.Failed()) })
	v := b.visit(t)
	v.do(t, chromedp.EmulateViewport(1280, 900))
	v.look(t, "", "")
	visits++
	v.do(t, chromedp.Navigate(fmt.Sprintf("file://%s?%d%s", page, visits, fragment)), chromedp.Func(forget))
	return v
}

// forget resets the tab's history. The browser refuses while it still exchanges the frame of
// the page before for the new one, which is over in a moment.
func forget(ctx context.Context, target *chromedp.Target) error {
	for {
		_, err := cdp.Call(ctx, target, cdppage.ResetNavigationHistory, cdp.Empty{})
		if err == nil || !strings.Contains(err.Error(), "Not attached to an active page") {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// put keeps one tab for the next test: never one of a test that failed, which may hang.
func (c *chrome) put(b *tab, failed bool) {
	if failed || c.idle != nil {
		b.close()
		return
	}
	c.idle = b
}

// listen gives an event to the visit that the tab shows.
func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown != nil {
		b.shown.listen(event)
	}
}

// listen notes what the page complains of and asks for.
func (v *visit) listen(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		v.complaints = append(v.complaints, e.Entry.Text)
	case *cdpruntime.EventConsoleAPICalled:
		v.complaints = append(v.complaints, fmt.Sprintf("console.%s", e.Type))
	case *cdpruntime.EventExceptionThrown:
		v.complaints = append(v.complaints, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *network.EventRequestWillBeSent:
		v.requested = append(v.requested, e.Request.URL)
	}
}

// do performs actions, or fails.
func (v *visit) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(v, actions...); err != nil {
		t.Fatal(err)
	}
}

// seen waits until an element is shown.
func (v *visit) seen(t *testing.T, css chromedp.CSS) {
	t.Helper()
	v.do(t, chromedp.WaitVisible(css))
}

// tell runs statements in the page.
func (v *visit) tell(t *testing.T, statements string) {
	t.Helper()
	ask[any](t, v, statements+"; true")
}

// until waits until an expression of the page holds.
func (v *visit) until(t *testing.T, expression string) {
	t.Helper()
	if _, err := chromedp.Run(v, chromedp.Poll[any]("!!("+expression+")")); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

// ask evaluates an expression of the page, and waits for it where it is a promise.
func ask[T any](t *testing.T, v *visit, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(v, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	return answer
}

// quiet checks that the page neither complained nor asked for anything but itself.
func (v *visit) quiet(t *testing.T) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.complaints {
		t.Errorf("the browser complained: %s", c)
	}
	for _, url := range v.requested {
		if !strings.HasPrefix(url, "file://") {
			t.Errorf("the page asked for %s", url)
		}
	}
}

// saved writes the report of a run to a file.
func saved(t *testing.T, run reports.Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(write(t, "report.html", run)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// frames begins a script that goes through many states of the page. It gives the script the
// page's frames, which otherwise come sixty times a second: frame lets the page do what it
// has to do and draws, until does so until something holds, and follow goes to an address.
// What the page asked for before a script begins is drawn too, be it of the browser or of the
// script before: the page asks for no second frame while it waits for one.
const frames = `
	if (!window.waiting) {
		await new Promise((done) => requestAnimationFrame(done));
		window.waiting = new Map();
		let last = 0;
		window.requestAnimationFrame = (draw) => { waiting.set(++last, draw); return last; };
		window.cancelAnimationFrame = (id) => waiting.delete(id);
	}
	const turn = () => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
	const frame = async () => {
		await turn();
		const draws = [...waiting.values()];
		waiting.clear();
		for (const draw of draws) draw(performance.now());
		await turn();
	};
	const until = async (holds) => {
		const limit = performance.now() + 10_000;
		do await frame(); while (!holds() && performance.now() < limit);
	};
	const follow = async (link) => {
		const before = location.hash;
		const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
		location.hash = link;
		if (location.hash !== before) await changed;
		await frame();
	};
`
