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

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
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

// chrome is the one browser of all tests. It starts when the first test needs it;
// each test has a context of its own in it, as a private window has.
type chrome struct {
	once sync.Once
	ctx  context.Context
	stop context.CancelFunc
	err  error
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
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
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

// open loads the page at the fragment, in a context of its own.
func open(t *testing.T, page, fragment string) *visit {
	t.Helper()
	tab, cancel := chromedp.NewContext(shared.running(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	v := &visit{Context: tab}
	if err := chromedp.Listen(tab, v.listen); err != nil { // it makes the tab, whose life has no limit
		t.Fatal(err)
	}
	v.Context, cancel = context.WithTimeout(tab, browserLimit)
	t.Cleanup(cancel)
	v.do(t, chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+page+fragment))
	return v
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
