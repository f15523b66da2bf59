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
)

func TestHostileContentStaysText(t *testing.T) {
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

// walk goes through all that a page can show, as a reader with much time does: each cell
// and name of the matrix in each view, each body and each ledger, each filter, and links
// that are made of attacks. After each it looks at the page. It gives the elements and
// attributes that were there at any time, the globals, and what is wrong.
const walk = `(async (attacks) => {
	const at = (id) => document.getElementById(id);
	const [told, form, matrix] = [at("shown-told"), at("filter"), at("matrix")];
	const [tags, wrong] = [new Set(), new Set()];
	const acting = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
	const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	const looked = { evidence: 0, ledgers: 0, bodies: 0, filters: 0, links: 0 };

	const judge = (where) => {
		for (const el of document.querySelectorAll("*")) {
			tags.add(el.localName);
			for (const { name, value } of el.attributes) {
				tags.add(el.localName + " " + name);
				if (name.startsWith("on")) wrong.add(where + ": " + el.localName + " " + name);
				if (["href", "src", "action", "xlink:href"].includes(name) && !value.startsWith("#")) wrong.add(where + ": leads to " + value.slice(0, 60));
				if (["title", "aria-label"].includes(name) && acting.test(value.replace(/[\n\t]/g, ""))) wrong.add(where + ": " + el.localName + "." + el.className + " " + name + " acts");
			}
		}
		const sign = acting.exec(document.body.innerText.replace(/[\n\t]/g, ""));
		if (sign) wrong.add(where + ": the text acts: U+" + sign[0].codePointAt(0).toString(16) + " after " + document.body.innerText.split(sign[0])[0].slice(-40));
		if (document.documentElement.scrollWidth > innerWidth) wrong.add(where + ": wider than the window by " + (document.documentElement.scrollWidth - innerWidth));
		if (document.querySelector("p.warning:not(.shown)")?.innerText.includes("cannot be shown")) wrong.add(where + ": " + document.querySelector("p.warning").innerText.slice(0, 200));
	};
	// shows waits until the evidence is drawn anew after an act.
	const shows = async (where, act) => {
		const drawn = new Promise((done) => {
			const watch = new MutationObserver(() => { watch.disconnect(); done(true); });
			watch.observe(told, { childList: true });
			setTimeout(() => done(false), 3000);
		});
		act();
		if (!await drawn) wrong.add(where + ": nothing is shown");
	};
	const openAll = async (where) => {
		for (const d of told.querySelectorAll("details")) { d.open = true; looked.bodies++; }
		for (let n = 0; n < 100 && [...told.querySelectorAll("details")].some((d) => d.children.length < 2); n++) await frame();
		for (const b of told.querySelectorAll("button.fold, button.quiet")) b.click();
		await frame();
		judge(where);
	};
	const places = () => [...matrix.querySelectorAll("[data-row]")].map((el) => [el.dataset.row, el.dataset.column]);
	const view = async (rows, columns) => {
		form.elements.rows.value = rows;
		form.elements.columns.value = columns;
		form.dispatchEvent(new Event("input"));
		for (let n = 0; n < 100 && (n < 2 || matrix.querySelector(".pending")); n++) await frame();
	};

	for (const d of document.querySelectorAll("details")) d.open = true;
	judge("at first");
	for (const [rows, columns] of [["objects", "steps"], ["fields", "steps"], ["objects", "stages"], ["fields", "stages"]]) {
		await view(rows, columns);
		judge(rows + " by " + columns);
		for (const [row, column] of places()) {
			const where = rows + " by " + columns + ", row " + row + ", column " + column;
			const cell = () => matrix.querySelector('[data-row="' + row + '"][data-column="' + column + '"]');
			await shows(where, () => cell().click());
			looked.evidence++;
			await openAll(where);
			if (rows === "fields" || columns === "stages") continue;
			for (let i = 0; i < told.querySelectorAll(".field").length; i++) {
				await shows(where + ", ledger " + i, () => told.querySelectorAll(".field")[i].click());
				looked.ledgers++;
				await openAll(where + ", ledger " + i);
				await shows(where + ", back", () => at("shown-back").click());
			}
		}
		at("shown-close").click();
	}
	await view("objects", "steps");
	const set = async (name, value) => {
		form.elements[name].value = value;
		form.dispatchEvent(new Event("input"));
		await frame();
		looked.filters++;
		judge("filter " + name);
		at("filter-clear").click();
	};
	for (const attack of attacks) await set("q", attack);
	for (const select of form.querySelectorAll("select")) for (const option of [...select.options]) await set(select.name, option.value);
	const links = [...new Set([...document.querySelectorAll('a[href*="/"], a[href*="?"]')].map((a) => a.getAttribute("href")))];
	for (const attack of attacks) {
		const part = encodeURIComponent(attack.toWellFormed());
		links.push("#" + attack, "#" + part, "#step-1/" + part + "/" + part, "#ledger/" + part, "#?state=" + part + "&q=" + part + "&rows=" + part, "#step-" + part);
	}
	for (const link of links) {
		location.hash = link;
		await frame();
		looked.links++;
		judge("link " + link.slice(0, 60));
	}
	return { tags: [...tags].sort(), wrong: [...wrong], looked, globals: Object.getOwnPropertyNames(window).sort(),
		prototype: Object.getOwnPropertyNames(Object.prototype).sort(), scripts: document.scripts.length };
})`

// walked is what a walk found.
type walked struct {
	Tags, Wrong, Globals, Prototype []string
	Looked                          map[string]int
	Scripts                         int
}

// trapped opens a page in which a dialog is a complaint.
func trapped(t *testing.T, path string, width int64) *visit {
	t.Helper()
	v := open(t, "/dev/null", "")
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
	return ask[walked](t, v, walk+"("+string(given)+")")
}

// TestInjectionIntoABrowser walks through pages whose every string is an attack. They
// show no element, no attribute and no global that a page of words does not, ask for
// nothing, complain of nothing, and keep their width.
func TestInjectionIntoABrowser(t *testing.T) {
	v := trapped(t, saved(t, benignRun()), 1280)
	benign := v.through(t)
	assert.Empty(t, benign.Wrong)
	v.quiet(t)
	for turn, width := range map[int]int64{0: 1280, 9: 1280, 17: 400} {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			run := injectedRun(turn)
			v := trapped(t, saved(t, run), width)
			got := v.through(t)
			t.Logf("looked at %v", got.Looked)
			for name, n := range benign.Looked {
				assert.GreaterOrEqual(t, got.Looked[name], n/2, name)
			}
			assert.Empty(t, got.Wrong)
			assert.Empty(t, slices.DeleteFunc(got.Tags, func(tag string) bool { return slices.Contains(benign.Tags, tag) }), "elements that are not ours")
			assert.Equal(t, benign.Globals, got.Globals)
			assert.Equal(t, benign.Prototype, got.Prototype)
			v.quiet(t)
		})
	}
}

// TestInjectionIsNoticed: the walk finds what an attack that works would do.
func TestInjectionIsNoticed(t *testing.T) {
	v := trapped(t, saved(t, benignRun()), 1280)
	v.tell(t, `(() => { const a = document.createElement("a"); a.href = "https://evil.example/"; a.setAttribute("onclick", "x"); a.title = "\u202e";
		const wide = document.createElement("p"); wide.style.width = "3000px"; document.querySelector("main").append(a, wide, "\u2066"); })()`)
	wrong := strings.Join(v.through(t).Wrong, "\n")
	for _, want := range []string{"leads to https://evil.example/", "a onclick", "title acts", "the text acts: U+2066", "wider than the window"} {
		assert.Contains(t, wrong, want)
	}
	v.tell(t, `alert(1)`)
	v.mu.Lock()
	defer v.mu.Unlock()
	assert.Contains(t, strings.Join(v.complaints, "\n"), "console.error")
}
