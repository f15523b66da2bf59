//go:build browser

package reports_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

func TestPagesHostileContentStaysText(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, `document.querySelectorAll("details").forEach((d) => { d.open = true })`)
	if n := ask[int](t, v, `document.querySelectorAll("img, script:not([type])").length`); n != 1 {
		t.Errorf("%d scripts and images, want the report's own script", n)
	}
	if text := ask[string](t, v, `document.body.innerText`); strings.ContainsAny(text, "\u202e\x1b") || strings.Contains(text, "hunter2") {
		t.Error("the page shows a control character or a Secret's value")
	}
	v.quiet(t)
}

// trap stands in the page before anything else: a dialog is a complaint.
const trap = `for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
	window[name] = (...given) => console.error(name, ...given);
}`

// judge looks at an element of the page, and at the width of the whole: it notes the
// elements and attributes that are there, and what is wrong.
const judge = `((found, where, root) => {
	const acting = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
	const wrong = (what) => found.wrong.add(where + ": " + what);
	for (const el of [root, ...root.querySelectorAll("*")]) {
		found.tags.add(el.localName);
		for (const { name, value } of el.attributes) {
			found.tags.add(el.localName + " " + name);
			if (name.startsWith("on")) wrong(el.localName + " " + name);
			if (["href", "src", "action", "xlink:href"].includes(name) && !value.startsWith("#")) wrong("leads to " + value.slice(0, 60));
			if (["title", "aria-label"].includes(name) && acting.test(value)) wrong(el.localName + "." + el.className + ": its " + name + " acts");
		}
	}
	const text = root.innerText.replace(/[\n\t]/g, "");
	const sign = acting.exec(text);
	if (sign) wrong("the text acts: U+" + sign[0].codePointAt(0).toString(16) + " after " + text.slice(0, sign.index).slice(-40));
	const wide = document.documentElement.scrollWidth - innerWidth;
	if (wide > 0) wrong("wider than the window by " + wide);
	if (text.includes("cannot be shown")) wrong(text.slice(text.indexOf("cannot be shown")).slice(0, 200));
})`

// walk goes through all that a page can show, as a reader with much time does: each cell
// and name of the matrix, each body and each ledger, each filter, and links that are made
// of attacks. After each it judges what has changed.
const walk = `(async (attacks, judge) => {` + frames + `
	const at = (id) => document.getElementById(id);
	const [told, form, matrix] = [at("shown-told"), at("filter"), at("matrix")];
	const found = { tags: new Set(), wrong: new Set() };
	const looked = { evidence: 0, ledgers: 0, bodies: 0, filters: 0, links: 0 };

	// shows waits until the evidence is drawn anew after an act, and opens its bodies.
	const shows = async (where, act) => {
		let drawn = false;
		const watch = new MutationObserver(() => { drawn = true; });
		watch.observe(told, { childList: true });
		act();
		await until(() => drawn);
		watch.disconnect();
		if (!drawn) found.wrong.add(where + ": nothing is shown");
		for (const d of told.querySelectorAll("details")) { d.open = true; looked.bodies++; }
		await until(() => [...told.querySelectorAll("details")].every((d) => d.children.length > 1));
		for (const b of told.querySelectorAll("button.fold, button.quiet")) b.click();
		judge(found, where, at("shown"));
	};
	const view = async (rows, columns) => {
		form.elements.rows.value = rows;
		form.elements.columns.value = columns;
		form.dispatchEvent(new Event("input"));
		await until(() => matrix.querySelector("[data-row]") && !matrix.querySelector(".pending"));
		judge(found, rows + " by " + columns, at("states"));
	};
	const cell = (row, column) => matrix.querySelector('[data-row="' + row + '"][data-column="' + column + '"]');

	for (const d of document.querySelectorAll("details")) d.open = true;
	judge(found, "the page", document.documentElement);
	for (const columns of ["stages", "steps"]) for (const rows of ["fields", "objects"]) {
		await view(rows, columns);
		if (columns === "stages") continue;
		for (const { row, column } of [...matrix.querySelectorAll("[data-row]")].map((el) => ({ ...el.dataset }))) {
			if (rows === "fields" && column !== "-1") continue;
			const where = rows + ", row " + row + ", column " + column;
			await until(() => cell(row, column));
			await shows(where, () => cell(row, column)?.click());
			looked.evidence++;
			for (let i = 0; rows === "objects" && column === "-1" && i < told.querySelectorAll(".field").length; i++) {
				await shows(where + ", ledger " + i, () => told.querySelectorAll(".field")[i].click());
				looked.ledgers++;
				await shows(where + ", back", () => at("shown-back").click());
			}
			at("shown-close").click();
		}
	}
	const set = async (name, value) => {
		form.elements[name].value = value;
		form.dispatchEvent(new Event("input"));
		await frame();
		looked.filters++;
		judge(found, "filter " + name, matrix);
		at("filter-clear").click();
	};
	for (const attack of attacks) await set("q", attack);
	for (const select of form.querySelectorAll("select")) for (const option of [...select.options]) await set(select.name, option.value);
	const links = [...new Set([...document.querySelectorAll('a[href*="/"], a[href*="?"]')].map((a) => a.getAttribute("href")))];
	for (const attack of attacks) {
		const part = encodeURIComponent(attack.toWellFormed());
		links.push("#" + attack, "#" + part, "#step-1/" + part + "/" + part, "#ledger/" + part, "#?outcome=" + part + "&q=" + part + "&rows=" + part);
	}
	for (const link of links) {
		await follow(link);
		looked.links++;
		judge(found, "link " + link.slice(0, 60), at("states"));
	}
	return { tags: [...found.tags].sort(), wrong: [...found.wrong], looked,
		globals: Object.getOwnPropertyNames(window).sort(), prototype: Object.getOwnPropertyNames(Object.prototype).sort() };
})`

// walked is what a walk found.
type walked struct {
	Tags, Wrong, Globals, Prototype []string
	Looked                          map[string]int
}

// trapped opens a page in which a dialog is a complaint.
func trapped(t *testing.T, path string, width int64) *visit {
	t.Helper()
	v := blank(t)
	v.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: trap})
		return err
	}), chromedp.EmulateViewport(width, 3000), chromedp.Navigate("file://"+path))
	v.until(t, `document.documentElement.classList.contains("drawn")`)
	return v
}

// through walks through a page.
func (v *visit) through(t *testing.T) walked {
	t.Helper()
	given, err := json.Marshal(attacks())
	if err != nil {
		t.Fatal(err)
	}
	return ask[walked](t, v, walk+"("+string(given)+","+judge+")")
}

// TestPagesInjectionIntoABrowser walks through pages whose every string is an attack. They
// show no element, no attribute and no global that a page of words does not, ask for
// nothing, complain of nothing, and keep their width.
func TestPagesInjectionIntoABrowser(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := trapped(t, saved(t, benignRun()), 1280)
	benign := v.through(t)
	assert.Empty(t, benign.Wrong)
	v.quiet(t)
	for turn, width := range map[int]int64{0: 1280, 17: 400} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			run := injectedRun(turn)
			v := trapped(t, saved(t, run), width)
			got := v.through(t)
			t.Logf("looked at %v", got.Looked)
			for name, n := range benign.Looked {
				assert.GreaterOrEqual(t, got.Looked[name], n*3/4, name)
			}
			assert.Empty(t, got.Wrong)
			assert.Empty(t, slices.DeleteFunc(got.Tags, func(tag string) bool { return slices.Contains(benign.Tags, tag) }), "elements that are not ours")
			assert.Equal(t, benign.Globals, got.Globals)
			assert.Equal(t, benign.Prototype, got.Prototype)
			v.quiet(t)
		})
	}
}

// TestPagesInjectionIsNoticed: what an attack that works would do is found.
func TestPagesInjectionIsNoticed(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := trapped(t, saved(t, benignRun()), 1280)
	v.tell(t, `(() => { const a = document.createElement("a"); a.href = "https://evil.example/"; a.setAttribute("onclick", "x"); a.title = "\u202e";
		document.querySelector("main").append(a, "\u2066"); document.body.style.width = "3000px"; })()`)
	wrong := ask[string](t, v, `(() => { const found = { tags: new Set(), wrong: new Set() }; `+judge+`(found, "page", document.body); return [...found.wrong].join("\n") })()`)
	for _, want := range []string{"leads to https://evil.example/", "a onclick", "its title acts", "the text acts: U+2066", "wider than the window"} {
		assert.Contains(t, wrong, want)
	}
	v.tell(t, `alert(1)`)
	v.mu.Lock()
	defer v.mu.Unlock()
	assert.Contains(t, strings.Join(v.complaints, "\n"), "console.error")
}
