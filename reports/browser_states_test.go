//go:build browser

package reports_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/history"
)

// What tests read from the section of states.
const (
	title     = `document.getElementById("shown-title").innerText`
	panelText = `document.getElementById("shown").innerText`
	focused   = `document.activeElement`
	counted   = `document.getElementById("states-count").value`
	selected  = `document.querySelector('#matrix .cell[aria-selected="true"]')`
	rowNames  = `[...document.querySelectorAll("#matrix .row:not(.group) .name .what")].map((n) => n.innerText).join()`
	drawn     = `document.querySelector("#shown-told > *")`
)

// stateOf is the address of a copy's field at a step.
func stateOf(step int, copy string) string {
	return fmt.Sprintf("#step-%d/%s/%s", step, url.PathEscape(copy), url.PathEscape(modePath))
}

// filter sets controls of the filter, as a user does.
func (v *visit) filter(t *testing.T, set map[string]string) {
	t.Helper()
	data, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	v.tell(t, fmt.Sprintf(`(() => { const f = document.getElementById("filter");
		for (const [name, value] of Object.entries(%s)) f.elements[name].value = value;
		f.dispatchEvent(new Event("input")); })()`, data))
}

// press sends keys to what has the focus.
func (v *visit) press(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		v.do(t, chromedp.KeyEvent(key))
	}
}

// openAll opens every body of the evidence, and waits until they are drawn.
func (v *visit) openAll(t *testing.T) {
	t.Helper()
	v.until(t, drawn)
	v.tell(t, `document.querySelectorAll("#shown details").forEach((d) => { d.open = true })`)
	v.until(t, `[...document.querySelectorAll("#shown details")].every((d) => d.children.length > 1)`)
}

func TestPagesFindingOpensItsEvidence(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, `document.querySelectorAll("#findings details").forEach((d) => { d.open = true })`)
	v.do(t, chromedp.Click(`#findings a[href^="#step-12/scratch-treated-2/"]`))
	v.until(t, `document.getElementById("shown").checkVisibility() && `+drawn)
	assert.Equal(t, "shown-title", ask[string](t, v, focused+`.id`))
	assert.Contains(t, ask[string](t, v, title), "scratch-treated-2 · step 12")
	assert.Contains(t, ask[string](t, v, panelText), "a server whose release does not know the field rewrote the object", "the cause")
	assert.Contains(t, ask[string](t, v, panelText), `unknown field "spec.volumes[1].emptyDir.mode"`, "the warning")
	v.until(t, selected)
	assert.Contains(t, ask[string](t, v, selected+`.getAttribute("aria-label")`), "step 12, rolling-back 1/2: lost")
	v.quiet(t)
}

func TestPagesLinkIsRestored(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(12, "scratch-treated-3")+"?client=old-typed&role=treated&rows=fields&q=scratch")
	v.until(t, drawn)
	assert.Contains(t, ask[string](t, v, title), "scratch-treated-3 · step 12")
	assert.Equal(t, "old-typed treated fields scratch", ask[string](t, v,
		`["client", "role", "rows", "q"].map((name) => document.getElementById("filter").elements[name].value).join(" ")`))
	assert.Equal(t, "26 of 33 fields, 6 steps", ask[string](t, v, counted))
	v.until(t, selected)
	assert.Equal(t, modePath, ask[string](t, v, selected+`.closest(".row").querySelector(".what").innerText`))

	v.tell(t, `location.hash = "#ledger/scratch-treated-2/`+url.PathEscape(modePath)+`"`)
	v.until(t, title+`.startsWith("Ledger of")`)
	assert.Equal(t, "17 of 17 copies, 12 steps", ask[string](t, v, counted), "an address without a filter has none")
	v.tell(t, `history.back()`)
	v.until(t, title+`.includes("scratch-treated-3")`)
	assert.Equal(t, "26 of 33 fields, 6 steps", ask[string](t, v, counted))
	v.quiet(t)
}

// TestPagesLinkOfALostPlace: an address that names nothing, and one that is broken,
// show the page as it is.
func TestPagesLinkOfALostPlace(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	for name, fragment := range map[string]string{
		"no copy": "#step-12/no-such-copy", "broken": "#step-12/%E0%A4%A", "no field": "#ledger/scratch-treated-2/.spec.none",
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, saved(t, fixedRun(0)), fragment)
			v.until(t, `document.documentElement.classList.contains("drawn")`)
			assert.Equal(t, "17 of 17 copies, 12 steps", ask[string](t, v, counted))
			if name == "no copy" {
				assert.Equal(t, "This run has no copy no-such-copy with states.", ask[string](t, v, `document.getElementById("states-told").innerText`))
			}
			v.quiet(t)
		})
	}
}

func TestPagesEvidenceIsWhole(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(12, "scratch-treated-2"))
	v.openAll(t)
	text := ask[string](t, v, panelText)
	for _, want := range []string{
		`"generation": 9007199254740993`, // more than a JavaScript number holds
		`.spec.volumes[name="v"].emptyDir.mode is not here; acknowledged: 448`,
		`00000000  6b 38 73 00`, `|k8s.`, `more bytes, in history.jsonl.zst`,
		"protobuf", "112", "unread:",
		`\u202e`, `</script><img src=x onerror=alert(1)>`,
	} {
		assert.Contains(t, text, want)
	}
	v.quiet(t)
}

func TestPagesChangedValueIsMarked(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(12, "scratch-treated-3"))
	v.openAll(t)
	marked := ask[string](t, v, `[...document.querySelectorAll("#shown .ack")].map((l) => l.innerText).join("\n")`)
	assert.Contains(t, marked, `"mode": 511`)
	assert.Contains(t, marked, "acknowledged: 448")
	assert.Contains(t, ask[string](t, v, `document.querySelector("#shown .then").innerText`), `"note":`, "a line that differs from before")
	v.quiet(t)
}

// shuffled is the fixture with a body whose volumes stand in another order, and
// of which one has lost its mode.
func shuffled(t *testing.T) reports.Run {
	t.Helper()
	run := fixedRun(0)
	body := pod("scratch-treated-13", 0)
	spec := body["spec"].(map[string]any)
	volumes := spec["volumes"].([]any)
	spec["volumes"] = []any{volumes[1], volumes[0]}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	blobs := run.Blobs
	run.Blobs = func(digest string) (history.Blob, bool) {
		if digest == "shuffled" {
			return history.Blob{Digest: digest, JSON: data}, true
		}
		return blobs(digest)
	}
	for _, c := range run.Ledger.Copies {
		if c.Copy == "scratch-treated-13" {
			c.Rows[4].Views[1].Answer = "shuffled"
		}
	}
	return run
}

// TestPagesDiffFollowsListKeys: what only moved is no difference where the elements
// have keys, and is one where they have none.
func TestPagesDiffFollowsListKeys(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	const lines = `[...document.querySelectorAll("#shown .view:nth-of-type(2) .cut, #shown .view:nth-of-type(2) .new")].map((l) => l.innerText.trim()).join("\n")`
	run := shuffled(t)
	v := open(t, saved(t, run), stateOf(12, "scratch-treated-13"))
	v.until(t, drawn)
	assert.Regexp(t, `^-\s+emptyDir:\n-\s+mode: 448\n\+\s+emptyDir: \{\}$|^-\s+mode: 448$`, ask[string](t, v, lines))
	assert.Contains(t, ask[string](t, v, panelText), `[name="v"]:`)
	v.quiet(t)

	run.Ledger.Lists = nil
	v = open(t, saved(t, run), stateOf(12, "scratch-treated-13"))
	v.until(t, drawn)
	assert.Contains(t, ask[string](t, v, lines), `name: "tmp"`)
	v.quiet(t)
}

func TestPagesFilterShowsWhatFits(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	for name, tc := range map[string]struct {
		set                map[string]string
		rows, count, query string
	}{
		"outcome":           {map[string]string{"outcome": "undecodable"}, "scratch-treated-1", "1 of 17 copies, 8 steps", "#?outcome=undecodable"},
		"two":               {map[string]string{"outcome": "hidden", "role": "untouched"}, "scratch-untouched", "1 of 17 copies, 8 steps", "#?role=untouched&outcome=hidden"},
		"search":            {map[string]string{"q": "TREATED-1 put"}, "scratch-treated-1,scratch-treated-10,scratch-treated-11,scratch-treated-12,scratch-treated-13", "5 of 17 copies, 12 steps", "#?q=TREATED-1+put"},
		"stage and search":  {map[string]string{"q": "bystander", "stage": "rolled-back"}, "scratch-bystander", "1 of 17 copies, 2 steps", "#?q=bystander&stage=rolled-back"},
		"client":            {map[string]string{"q": "bystander", "client": "old-typed"}, "scratch-bystander", "1 of 17 copies, 6 steps", "#?q=bystander&client=old-typed"},
		"replica":           {map[string]string{"outcome": "resurrected", "replica": "b", "role": "untouched"}, "scratch-untouched", "1 of 17 copies, 2 steps", "#?role=untouched&replica=b&outcome=resurrected"},
		"stages as columns": {map[string]string{"outcome": "undecodable", "columns": "stages"}, "scratch-treated-1", "1 of 17 copies, 4 stages", "#?outcome=undecodable&columns=stages"},
		"nothing":           {map[string]string{"q": "no such thing"}, "", "0 of 17 copies, 0 steps", "#?q=no+such+thing"},
	} {
		t.Run(name, func(t *testing.T) {
			v.filter(t, map[string]string{"columns": "steps"})
			v.filter(t, tc.set)
			v.until(t, fmt.Sprintf("%s === %q", rowNames, tc.rows))
			assert.Equal(t, tc.count, ask[string](t, v, counted))
			v.until(t, fmt.Sprintf(`location.hash === %q`, tc.query))
			v.do(t, chromedp.Click("#filter-clear"))
			v.until(t, counted+`.startsWith("17 of 17 copies")`)
			v.quiet(t)
		})
	}
}

// TestPagesFieldsOfAPath: a path that is chosen shows that field of each copy.
func TestPagesFieldsOfAPath(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.filter(t, map[string]string{"path": modePath, "outcome": "changed"})
	v.until(t, rowNames+`.startsWith("scratch-treated-3,")`)
	assert.Equal(t, "2 of 33 fields, 10 steps", ask[string](t, v, counted))
	assert.Equal(t, "fields", ask[string](t, v, `document.getElementById("filter").elements.rows.value`))
	v.quiet(t)
}

func TestPagesJumpToFirstLoss(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.filter(t, map[string]string{"q": "bystander"})
	v.do(t, chromedp.Click("#first-loss"))
	v.until(t, title+`.includes("token-1 · step 12")`) // the one that was not expected
	assert.Equal(t, "17 of 17 copies, 12 steps", ask[string](t, v, counted), "the filter hid it")
	v.quiet(t)

	run := fixedRun(0)
	run.Result.Findings = nil
	v = open(t, saved(t, run), "")
	v.seen(t, "#states-app")
	assert.True(t, ask[bool](t, v, `document.getElementById("first-loss").disabled`))
	v.quiet(t)
}

func TestPagesLedgerOfAField(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "#ledger/scratch-treated-3/"+url.PathEscape(modePath))
	v.until(t, drawn)
	text := ask[string](t, v, panelText)
	for _, want := range []string{"448", "step 6", "old-typed", "acknowledged by", "unknown-field", "511", "rule-6"} {
		assert.Contains(t, text, want)
	}
	const rows = `[...document.querySelectorAll(".readers tbody tr")].filter((r) => r.checkVisibility()).map((r) => r.cells[0].innerText + r.cells[3].innerText.replace(/\s+/g, " ")).join("|")`
	assert.Equal(t, "step 6✓ kept new 448|step 9✓ kept new 448|step 12≠ changed old 511|step 15≠ changed old 511|step 18≠ changed new 511|step 21≠ changed new 511",
		ask[string](t, v, rows), "edges say what the rows before them say")
	v.tell(t, `[...document.querySelectorAll(".readers button")].find((b) => b.innerText === "step 12").click()`)
	v.until(t, title+`.includes("scratch-treated-3 · step 12")`)
	v.until(t, `document.querySelector("#shown .field")`)
	v.tell(t, `document.querySelector("#shown .field").click()`)
	v.until(t, title+`.startsWith("Ledger of")`)
	v.quiet(t)
}

// TestPagesKeyboardAlone walks from the top of the page to the evidence and back.
func TestPagesKeyboardAlone(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.press(t, "/")
	assert.Equal(t, "q", ask[string](t, v, focused+`.name`))
	v.tell(t, focused+`.value = ""`) // the protocol types the key even where the page took it
	v.press(t, "n", "j")
	assert.Equal(t, "nj", ask[string](t, v, focused+`.value`), "letters that are typed are text")
	v.until(t, counted+`.startsWith("0 of 17")`)
	v.press(t, kb.Backspace, kb.Backspace)
	v.until(t, counted+`.startsWith("17 of 17") && document.querySelector("#matrix [data-row]") && !document.querySelector("#matrix .pending")`)
	for range 20 {
		v.press(t, kb.Tab)
		if ask[bool](t, v, focused+`.closest("#matrix") !== null`) {
			break
		}
	}
	const label = focused + `.getAttribute("aria-label") || ` + focused + `.innerText`
	for _, tc := range []struct{ key, want string }{
		{kb.ArrowRight, "step 6, upgrading 1/2: hidden"},
		{kb.ArrowDown, "step 6, upgrading 1/2: kept"},
		{kb.End, "step 22, re-upgraded: undecodable"},
		{kb.ArrowLeft, "step 21, re-upgraded: undecodable"},
		{kb.PageDown, "step 21, re-upgraded:"},
		{kb.Home, ""},
	} {
		v.press(t, tc.key)
		v.until(t, fmt.Sprintf(`(%s).includes(%q)`, label, tc.want))
	}
	v.do(t, chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.until(t, focused+`.innerText.includes("scratch-untouched")`)
	v.press(t, kb.ArrowRight)
	v.do(t, chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.until(t, `(`+label+`).includes("step 9, new")`)
	v.press(t, kb.Enter)
	v.until(t, title+`.includes("step 9") && `+focused+`.id === "shown-title"`)
	v.press(t, kb.ArrowRight)
	v.until(t, title+`.includes("step 10")`)
	v.press(t, "k")
	v.until(t, title+`.includes("step 9")`)
	v.press(t, kb.Escape)
	v.until(t, `(`+label+`).includes("step 9, new")`)
	v.press(t, "n")
	v.until(t, title+`.includes("onerror")`) // the first that was not expected
	v.press(t, "n")
	v.until(t, title+`.includes("token-1")`)
	v.press(t, "p")
	v.until(t, title+`.includes("onerror")`)
	v.quiet(t)
}

// TestPagesLinkIsCopied: what the button gives leads back to what is looked at.
func TestPagesLinkIsCopied(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(12, "scratch-treated-2")+"?role=treated")
	v.until(t, drawn)
	v.tell(t, `Object.defineProperty(navigator, "clipboard", { value: undefined }); document.getElementById("shown-link").click()`)
	v.until(t, focused+`.id === "shown-address"`)
	link := ask[string](t, v, focused+`.value.slice(`+focused+`.selectionStart, `+focused+`.selectionEnd)`)
	assert.True(t, strings.HasPrefix(link, "file://"), link)
	_, fragment, _ := strings.Cut(link, "#")
	decoded, err := url.PathUnescape(fragment)
	assert.NoError(t, err)
	assert.Equal(t, "step-12/scratch-treated-2/"+modePath+"?role=treated", decoded)
	v.quiet(t)
}

// TestPagesHostileEvidenceStaysText opens all that there is of an object whose every
// string is hostile.
func TestPagesHostileEvidenceStaysText(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), stateOf(9, hostile))
	v.openAll(t)
	assert.Contains(t, ask[string](t, v, title), "<img src=x onerror=alert(1)>")
	v.filter(t, map[string]string{"rows": "fields", "object": "hostile " + hostile})
	v.until(t, counted+`.startsWith("2 of 33 fields")`)
	assert.Equal(t, 1, ask[int](t, v, `document.querySelectorAll("img, iframe, script:not([type])").length`), "the report's own script alone")
	text := ask[string](t, v, `document.getElementById("states").innerText + [...document.querySelectorAll("#states [title], #states [aria-label]")].map((e) => e.title + e.ariaLabel).join()`)
	assert.NotContains(t, text, "\u202e")
	assert.NotContains(t, text, "\x1b")
	v.quiet(t)
}

// TestPagesAnEmptyRunIsShown: nothing to show is no error.
func TestPagesAnEmptyRunIsShown(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	run := fixedRun(0)
	run.Ledger.Copies = nil
	v := open(t, saved(t, run), stateOf(9, "scratch-treated-2"))
	v.until(t, `document.documentElement.classList.contains("drawn")`)
	assert.Equal(t, "0 of 0 copies, 0 steps", ask[string](t, v, counted))
	v.quiet(t)
}
