package reports_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "the `directory` with runs that docs/pictures are taken of, a run in a directory of its own name; make pictures gives it")

// maxPicture is how large a picture in the documents may be, in bytes.
const maxPicture = 150 << 10

// picture is a part of a report, as a document shows it.
type picture struct {
	name string // docs/pictures/NAME.png
	run  string
	// finding is what a finding says that is followed to its evidence. Default:
	// none is followed.
	finding string
	show    chromedp.CSS
}

func picturesOfTutorial() []picture {
	const head, evidence = "header", "details.copy:has(tr.linked)"
	return []picture{
		{"add-field-timeline", "add-field", "", "#timeline"},
		{"add-field-lost", "add-field", "client-omitted", evidence},
		{"add-field-required", "add-field+required", "", head},
		{"plural-omits", "plural+omits", "", head},
		{"plural-omits-lost", "plural+omits", "client-omitted", evidence},
		{"gate-off-clears-lost", "gate-off+clears", "gate-disabled", evidence},
	}
}

// alone hides everything but one element and what it stands in, and of a long table
// what comes long after the row that is looked at.
const alone = `
	const shown = document.querySelector(%q);
	for (let e = shown; e !== document.body; e = e.parentElement) {
		for (const other of e.parentElement.children) { if (other !== e) other.style.display = "none"; }
	}
	let row = document.querySelector("tr.linked");
	for (let n = 0; row; n++, row = row.nextElementSibling) { if (n > 5) row.style.display = "none"; }
	document.documentElement.style.scrollBehavior = "auto";
	scrollTo(0, 0)`

// TestPictures takes the pictures of docs/tutorial.md, of real runs.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no runs to take pictures of: make pictures plays them")
	}
	for _, p := range picturesOfTutorial() {
		t.Run(p.name, func(t *testing.T) {
			report, err := filepath.Abs(filepath.Join(*pictures, p.run, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			v := open(t, report, "")
			v.seen(t, "#verdict")
			v.do(t, chromedp.EmulateViewport(960, 800))
			if p.finding != "" {
				v.tell(t, fmt.Sprintf(`[...document.querySelectorAll(".findings a")].find((a) => a.textContent.includes(%q)).click()`, p.finding))
				v.until(t, `document.querySelector("tr.linked")?.nextElementSibling.classList.contains("open")`)
			}
			v.tell(t, fmt.Sprintf(alone, string(p.show)))
			png, err := chromedp.Run(v, chromedp.Screenshot(p.show))
			if err != nil {
				t.Fatal(err)
			}
			if len(png) > maxPicture {
				t.Errorf("%d bytes, at most %d", len(png), maxPicture)
			}
			if err := os.WriteFile(filepath.Join("..", "docs", "pictures", p.name+".png"), png, 0o644); err != nil {
				t.Fatal(err)
			}
			v.quiet(t)
		})
	}
}

// TestPicturesAreThere: each picture is in the documents, small, and a PNG; and no
// other is.
func TestPicturesAreThere(t *testing.T) {
	const dir = "../docs/pictures"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, e := range entries {
		left[e.Name()] = true
	}
	for _, p := range picturesOfTutorial() {
		png, err := os.ReadFile(filepath.Join(dir, p.name+".png"))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(png) > maxPicture || len(png) < 8 || string(png[:8]) != "\x89PNG\r\n\x1a\n" {
			t.Errorf("%s: %d bytes: want a PNG of at most %d", p.name, len(png), maxPicture)
		}
		delete(left, p.name+".png")
	}
	for name := range left {
		t.Errorf("%s/%s: no test takes this picture", dir, name)
	}
}
