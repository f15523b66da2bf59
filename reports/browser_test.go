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
)

// browserLimit is how long one test may take in a browser, a slow CI included.
const browserLimit = 60 * time.Second

// browserPath finds a Chromium; without one the test cannot run.
func browserPath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium or google-chrome in PATH: the report is not driven in a browser (Debian: apt-get install chromium)")
	return ""
}

// visit is a page in a browser, with what it complained of and asked for.
type visit struct {
	context.Context
	mu         sync.Mutex
	complaints []string
	requested  []string
}

// open starts a browser of its own and loads the page at the fragment.
func open(t *testing.T, page, fragment string) *visit {
	t.Helper()
	opts := []chromedp.ExecAllocatorOption{chromedp.ExecPath(browserPath(t)), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900)}
	for _, flag := range []string{"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		opts = append(opts, chromedp.Flag(flag, true))
	}
	limited, cancel := context.WithTimeout(context.Background(), browserLimit)
	t.Cleanup(cancel)
	allocated, cancel := chromedp.NewExecAllocator(limited, opts...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	v := &visit{Context: ctx}
	if err := chromedp.Listen(ctx, v.listen); err != nil {
		t.Fatal(err)
	}
	v.do(t, chromedp.Navigate("file://"+page+fragment))
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

// ask evaluates an expression of the page.
func ask[T any](t *testing.T, v *visit, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(v, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
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
func saved(t *testing.T, copies int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(write(t, "report.html", fixedRun(copies))), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The row that a finding of the fixture leads to.
const (
	lostRow    = "copy-scratch-treated-2/step-12"
	inLostRow  = `document.getElementById("` + lostRow + `")`
	lostBodies = inLostRow + `.nextElementSibling.querySelectorAll("details.body")`
)

func TestFindingOpensItsEvidence(t *testing.T) {
	v := open(t, saved(t, 0), "")
	v.seen(t, "#verdict")
	if got := ask[string](t, v, `document.getElementById("verdict").innerText`); !strings.Contains(got, "FAIL") || !strings.Contains(got, "3 findings are not expected") {
		t.Errorf("verdict: %q", got)
	}
	v.tell(t, `document.querySelectorAll("#findings details").forEach((d) => { d.open = true })`)
	v.do(t, chromedp.Click(`.findings a[href^="#step-12/scratch-treated-2/"]`))
	v.until(t, inLostRow+`.checkVisibility() && `+inLostRow+`.nextElementSibling.classList.contains("open")`)
	if got := ask[string](t, v, `document.activeElement.closest("tr").id`); got != lostRow {
		t.Errorf("the focus is in %q, want %q", got, lostRow)
	}
	if got := ask[string](t, v, `location.hash`); !strings.HasPrefix(got, "#step-12/scratch-treated-2/.spec.volumes") {
		t.Errorf("the address ends in %q", got)
	}
	v.quiet(t)
}

func TestDeepLinkOpensBodies(t *testing.T) {
	v := open(t, saved(t, 0), "#"+lostRow)
	v.until(t, inLostRow+`.checkVisibility() && `+lostBodies+`.length === 6`)
	v.tell(t, lostBodies+`.forEach((d) => { d.open = true })`)
	v.until(t, `[...`+lostBodies+`].every((d) => d.querySelector("pre"))`)
	text := ask[string](t, v, `[...`+lostBodies+`].map((d) => d.innerText).join("\n")`)
	for _, want := range []string{
		`"kind": "Pod"`,
		`"generation": 9007199254740993`, // more than a JavaScript number holds
		`.spec.volumes[name="v"].emptyDir.mode is not here; acknowledged: 448`,
		`00000000  6b 38 73 00`, `|k8s.`, `more bytes, in history.jsonl`,
		`\u202e`, `</script><img src=x onerror=alert(1)>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the opened bodies do not show %q", want)
		}
	}
	v.quiet(t)
}

func TestChangedValueIsMarked(t *testing.T) {
	v := open(t, saved(t, 0), "#copy-scratch-treated-3/step-12")
	const served = `document.getElementById("copy-scratch-treated-3/step-12").nextElementSibling.querySelectorAll("details.body")[3]`
	v.until(t, served)
	v.tell(t, served+`.open = true`)
	v.until(t, served+`.querySelector(".ack")`)
	if got := ask[string](t, v, served+`.querySelector(".ack").innerText`); !strings.Contains(got, `"mode": 511`) || !strings.Contains(got, "acknowledged: 448") {
		t.Errorf("marked line: %q", got)
	}
	if got := ask[string](t, v, served+`.querySelector(".then").innerText`); !strings.Contains(got, `"note":`) {
		t.Errorf("line that differs from before: %q", got)
	}
	v.quiet(t)
}

func TestHostileContentStaysText(t *testing.T) {
	v := open(t, saved(t, 0), "")
	v.seen(t, "#filter")
	v.tell(t, `document.querySelectorAll("details").forEach((d) => { d.open = true })`)
	v.tell(t, `document.querySelectorAll(".life button").forEach((b) => b.click())`)
	v.tell(t, `document.querySelectorAll("details.body").forEach((d) => { d.open = true })`)
	v.until(t, `[...document.querySelectorAll("details.body")].every((d) => d.querySelector("pre"))`)
	if n := ask[int](t, v, `document.querySelectorAll("img, script:not([type])").length`); n != 1 {
		t.Errorf("%d scripts and images, want the report's own script", n)
	}
	if text := ask[string](t, v, `document.body.innerText`); strings.ContainsAny(text, "\u202e\x1b") || strings.Contains(text, "hunter2") {
		t.Error("the page shows a control character or a Secret's value")
	}
	v.tell(t, `[...document.querySelectorAll(".findings a")].find((a) => a.innerText.includes("onerror")).click()`)
	v.until(t, `document.querySelector("tr.linked")?.id.includes("onerror")`)
	v.quiet(t)
}

func TestFilterShowsWhatFits(t *testing.T) {
	v := open(t, saved(t, 0), "")
	v.seen(t, "#filter")
	v.tell(t, `document.querySelector("select[name=state]").value = "lost"`)
	v.tell(t, `document.getElementById("filter").dispatchEvent(new Event("input"))`)
	if got := ask[string](t, v, `[...document.querySelectorAll(".copy:not([hidden]) .name")].map((n) => n.innerText).join()`); got != "scratch-treated-2" {
		t.Errorf("copies shown: %q", got)
	}
	if got := ask[string](t, v, `document.querySelector("output").value`); !strings.HasPrefix(got, "1 of ") {
		t.Errorf("told: %q", got)
	}
	v.quiet(t)
}

func TestALargeRunOpensFast(t *testing.T) {
	v := open(t, saved(t, 300), "")
	const loaded = `performance.getEntriesByType("navigation")[0].loadEventEnd`
	v.until(t, loaded+` > 0`)
	took := time.Duration(ask[float64](t, v, loaded) * float64(time.Millisecond))
	t.Logf("loaded in %s", took)
	if took > 5*time.Second { // aimed at one second; a busy CI is slower
		t.Errorf("loaded in %s", took)
	}
	v.quiet(t)
}
