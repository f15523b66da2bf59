//go:build browser

package reports_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// look shows the page on a medium, screen or print, to who likes it light or dark.
func (v *visit) look(t *testing.T, medium, scheme string) {
	t.Helper()
	v.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// The verdict, the timeline and the first finding are seen without scrolling.
func TestPagesFirstScreen(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.do(t, chromedp.EmulateViewport(1440, 900))
	for _, part := range []string{"#verdict", "#timeline svg.strip", "#timeline svg.lanes", "#findings .kinds > li"} {
		if !ask[bool](t, v, `(() => { const r = document.querySelector("`+part+`").getBoundingClientRect(); return r.top >= 0 && r.height > 0 && r.bottom <= innerHeight })()`) {
			t.Errorf("%s is not on the first screen", part)
		}
	}
	v.do(t, chromedp.EmulateViewport(400, 800))
	if wide := ask[int](t, v, `document.documentElement.scrollWidth`); wide > 400 {
		t.Errorf("a narrow page is %d pixels wide", wide)
	}
	v.quiet(t)
}

// contrasts gives the page a chip of each state, and finds what is written with
// too little contrast to what lies behind it: WCAG 2.2 asks for 4.5.
const contrasts = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
	const rgb = (color, under) => {
		canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const light = (c) => c.map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
		.reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (el) => {
		const under = el.parentElement ? behind(el.parentElement) : 'white';
		return 'rgb(' + rgb(getComputedStyle(el).backgroundColor, under).join() + ')';
	};
	const bad = [];
	const check = (what, fore, back) => {
		const [a, b] = [light(rgb(fore, back)), light(rgb(back, 'white'))];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (!(ratio >= 4.5)) bad.push(what + ': ' + ratio.toFixed(2));
	};
	for (const el of document.querySelectorAll('body *')) {
		const own = [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!own || !el.checkVisibility() || el.closest('script')) continue;
		const style = getComputedStyle(el);
		if (!el.closest('svg')) check(el.className + ' ' + el.textContent.slice(0, 20), style.color, behind(el));
		else if (el.closest('#timeline') && el.tagName === 'text') {
			const on = el.parentElement.matches('.mark') || el.matches('.on') ? el.previousElementSibling : undefined;
			const fill = on && getComputedStyle(on).fill;
			check(el.getAttribute('class') + ' ' + el.textContent.slice(0, 20), style.fill, fill && fill !== 'none' ? fill : behind(el.closest('section')));
		}
	}
	return bad.join('\n');
})()`

func TestPagesContrast(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := fixedRun(0)
	for i, e := range term.RunOutcomes() {
		r.Result.Findings = append(r.Result.Findings, found(r, 1+i, e.Word, true), found(r, 1+i, e.Word, false))
	}
	r.Result.Findings = append(r.Result.Findings, found(r, 1, "", false))
	v := open(t, saved(t, r), "")
	v.tell(t, `document.querySelectorAll("details").forEach((d) => { d.open = true })`)
	for _, medium := range []string{"screen", "print"} {
		for _, scheme := range []string{"light", "dark"} {
			v.look(t, medium, scheme)
			if bad := ask[string](t, v, contrasts); bad != "" {
				t.Errorf("%s, %s: too little contrast:\n%s", medium, scheme, bad)
			}
		}
	}
	v.look(t, "screen", "light")
	v.tell(t, `document.querySelector("#verdict p").style.color = "#ccc"`)
	if ask[string](t, v, contrasts) == "" {
		t.Error("a pale verdict is not noticed")
	}
	v.quiet(t)
}

// brightness is that of what lies behind the page, from 0 to 255.
const brightness = `Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0])`

// The page is dark for who likes it dark, and paper is always light.
func TestPagesDarkAndPrinted(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	r := rolled(2, 1)
	for range 3 {
		r.Result.Findings = append(r.Result.Findings, found(r, 15, term.Lost, false))
	}
	v := open(t, saved(t, r), "")
	const folded = `document.querySelector(".like a").checkVisibility({ contentVisibilityAuto: true })`
	const nav = `document.querySelector("nav").checkVisibility()`
	for _, c := range []struct {
		medium, scheme string
		light          bool
	}{{"screen", "light", true}, {"screen", "dark", false}, {"print", "light", true}, {"print", "dark", true}} {
		v.look(t, c.medium, c.scheme)
		if got := ask[int](t, v, brightness); (got > 200) != c.light {
			t.Errorf("%s, %s: brightness %d", c.medium, c.scheme, got)
		}
		if got := ask[bool](t, v, folded); got != (c.medium == "print") {
			t.Errorf("%s: findings alike are shown: %t", c.medium, got)
		}
		if got := ask[bool](t, v, nav); got != (c.medium == "screen") {
			t.Errorf("%s: the sections' links are shown: %t", c.medium, got)
		}
	}
	v.quiet(t)
}
