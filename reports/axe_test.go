//go:build browser

package reports_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// axe-core finds what keeps people from using a page. This release of it is asked for,
// and no other bytes than these.
const (
	axeVersion   = "4.14.1"
	axeIntegrity = "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)

// axeRules are the rules that the pages keep: WCAG 2.1 A and AA, and what axe-core's
// authors hold to be good practice.
const axeRules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`

// axe returns the script of axe-core, from the user's cache or by npm from the registry.
// Where neither has it the test fails.
func axe(t *testing.T) string {
	t.Helper()
	packed, err := axePackage()
	if err != nil {
		t.Fatal(err)
	}
	script, err := member(packed, "package/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// axePackage reads the package from the cache, and has npm put it there first.
func axePackage() ([]byte, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("axe-core: no cache: %w", err)
	}
	dir := filepath.Join(cache, "skewsim", "npm")
	path := filepath.Join(dir, "axe-core-"+axeVersion+".tgz")
	if packed, err := intact(path); !errors.Is(err, os.ErrNotExist) {
		return packed, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("axe-core: %w", err)
	}
	npm := exec.Command("npm", "pack", "axe-core@"+axeVersion, "--ignore-scripts", "--pack-destination", dir)
	npm.Dir = dir // no package.json or .npmrc of a project
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("axe-core: npm pack: %w: %s", err, out)
	}
	return intact(path)
}

var errIntegrity = errors.New("not the bytes that the test asks for")

// intact reads the file of a package, if it is the one that is meant.
func intact(path string) ([]byte, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return packed, integrity(path, packed)
}

func integrity(path string, packed []byte) error {
	sum := sha512.Sum512(packed)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != axeIntegrity {
		return fmt.Errorf("%s: %w: %s, want %s: remove the file", path, errIntegrity, got, axeIntegrity)
	}
	return nil
}

// member is a file of a package.
func member(packed []byte, name string) (string, error) {
	raw, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	files := tar.NewReader(raw)
	for {
		head, err := files.Next()
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if head.Name == name {
			text, err := io.ReadAll(files)
			return string(text), err
		}
	}
}

// rulesOf are the rules that judge a page. Where it is dark they are those that ask for its
// colours: its elements are those of the light page.
func rulesOf(dark bool) string {
	if dark {
		return `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`
	}
	return `{ type: "tag", values: ` + axeRules + ` }`
}

// barriers lets axe-core judge the page as it is now by all rules.
func (v *visit) barriers(t *testing.T, script string) []string {
	t.Helper()
	return v.broken(t, script, rulesOf(false))
}

// broken lets axe-core judge the page as it is now, and lists what it finds: the rule, what
// it asks for, and the first elements that break it.
func (v *visit) broken(t *testing.T, script, rules string) []string {
	t.Helper()
	v.tell(t, `window.axe || (() => { `+script+"\n})()")
	return ask[[]string](t, v, `axe.run(document, { runOnly: `+rules+`, resultTypes: ["violations"] }).then((r) =>
		r.violations.map((b) => b.id + ": " + b.help + ": " + b.nodes.length + " elements, as " +
			b.nodes.slice(0, 3).map((n) => n.target.join(" ") + " (" + n.html.slice(0, 200) + ") " + n.any.concat(n.all, n.none).map((c) => c.message).join(", ")).join("; ")))`)
}

// place is a state of a page in which it is judged.
type place struct {
	name, fragment string
	width          int64
	dark, opened   bool
}

func places() []place {
	evidence := stateOf(12, "scratch-treated-3")
	ledger := strings.Replace(stateOf(1, "scratch-treated-3"), "#step-1/", "#ledger/", 1)
	return []place{
		{name: "first screen", width: 1280},
		{name: "all open", width: 1280, opened: true},
		{name: "dark", width: 1280, dark: true, opened: true},
		{name: "narrow", width: 360, opened: true},
		{name: "evidence", fragment: evidence, width: 1280, opened: true},
		{name: "evidence, dark", fragment: evidence, width: 1280, dark: true, opened: true},
		{name: "evidence, narrow", fragment: evidence, width: 360},
		{name: "ledger", fragment: ledger, width: 1280, opened: true},
		{name: "fields by stage", fragment: "#?rows=fields&columns=stages", width: 1280},
		{name: "nothing fits", fragment: "#?q=no-such-thing", width: 1280},
	}
}

// goTo brings the page there.
func (v *visit) goTo(t *testing.T, p place) {
	t.Helper()
	v.until(t, `document.documentElement.classList.contains("drawn")`)
	if p.dark {
		v.look(t, "screen", "dark")
	}
	if p.fragment != "" && !strings.HasPrefix(p.fragment, "#?") {
		v.until(t, drawn)
	}
	if p.opened {
		v.tell(t, `document.querySelectorAll("details").forEach((d) => { d.open = true })`)
		v.until(t, `[...document.querySelectorAll("#shown details")].every((d) => d.children.length > 1)`)
	}
	ask[bool](t, v, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))`)
}

func TestPagesNoBarriers(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	page := saved(t, fixedRun(0))
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			v := open(t, page, p.fragment)
			v.do(t, chromedp.EmulateViewport(p.width, 900))
			v.goTo(t, p)
			for _, b := range v.broken(t, script, rulesOf(p.dark)) {
				t.Error(b)
			}
			v.quiet(t)
		})
	}
}

func TestPagesNoBarriersInALargeRun(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	v := open(t, saved(t, largeRun(200, 60, 6)), "")
	v.goTo(t, place{})
	v.tell(t, `document.getElementById("first-loss").click()`)
	v.until(t, drawn)
	for _, b := range v.barriers(t, script) {
		t.Error(b)
	}
	v.quiet(t)
}

// TestPagesNoBarriersInMergedRuns judges the page that shows several runs.
func TestPagesNoBarriersInMergedRuns(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	var b bytes.Buffer
	require.NoError(t, reports.MergedHTML(&b, mergedWith(fixedRun(0))))
	path := filepath.Join(t.TempDir(), "merged.html")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			v := open(t, path, "")
			v.do(t, chromedp.EmulateViewport(width, 900))
			v.look(t, "screen", scheme)
			for _, b := range v.broken(t, script, rulesOf(scheme == "dark")) {
				t.Errorf("%s, %d wide: %s", scheme, width, b)
			}
			v.quiet(t)
		}
	}
}

// TestPagesBarriersAreFound: a control that nobody named, letters too pale, and a list that
// holds what is no item are found; the page without them has none.
func TestPagesBarriersAreFound(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	script := axe(t)
	v := open(t, saved(t, benignRun()), "")
	v.goTo(t, place{})
	for rule, breakage := range map[string]string{
		"button-name":    `document.getElementById("first-loss").textContent = ""`,
		"color-contrast": `document.querySelector("#verdict p").style.color = "#ccc"`,
		"list":           `document.querySelector("nav ul").append(document.createElement("div"))`,
	} {
		t.Run(rule, func(t *testing.T) {
			v.tell(t, breakage)
			if found := strings.Join(v.barriers(t, script), "\n"); !strings.Contains(found, rule+": ") {
				t.Errorf("%s is not found: %s", breakage, found)
			}
		})
	}
	dark := strings.Join(v.broken(t, script, rulesOf(true)), "\n")
	require.Contains(t, dark, "color-contrast: ")
	require.NotContains(t, dark, "button-name: ")
}

// TestPagesAxeIsTheOneMeant: other bytes are refused, also where they were cached.
func TestPagesAxeIsTheOneMeant(t *testing.T) {
	path := filepath.Join(t.TempDir(), "axe.tgz")
	if err := os.WriteFile(path, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := intact(path); !errors.Is(err, errIntegrity) {
		t.Errorf("other bytes: %v", err)
	}
	if _, err := intact(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
