//go:build browser

package reports_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	page string // of the run's directory; default: report.html
	// finding is what a finding says that is followed to its evidence. Default:
	// none is followed.
	finding string
	ledger  bool   // from the evidence on to the ledger of the field
	show    string // the element that is shown; default: the first screen
	width   int64
	height  int64
}

// picturesOfReports are those of the README, of docs/reference/reports.md and of docs/explanation/frobber.md.
func picturesOfReports() []picture {
	const states, readers = "#states", "#shown-told > :has(.readers)"
	return []picture{
		{name: "sweep-gateway-api", run: "sweep", page: "sweep.html", width: 1280, height: 760},
		{name: "report-first-screen", run: "plural+omits", width: 1280, height: 860},
		{name: "report-states", run: "plural+omits", finding: "client-omitted", show: states, width: 1280, height: 860},
		{name: "report-ledger", run: "plural+omits", finding: "client-omitted", ledger: true, show: "#shown", width: 1000, height: 860},
		{name: "add-field-lost", run: "add-field", finding: "client-omitted", ledger: true, show: readers, width: 900, height: 800},
		{name: "plural-omits-lost", run: "plural+omits", finding: "client-omitted", ledger: true, show: readers, width: 900, height: 800},
		{name: "gate-off-clears-lost", run: "gate-off+clears", finding: "gate-disabled", ledger: true, show: readers, width: 900, height: 800},
	}
}

// alone hides everything but one element and what it stands in, and of the table of
// readers what comes later.
const alone = `(() => {
	const shown = document.querySelector(%q);
	for (let e = shown; e !== document.body; e = e.parentElement) {
		for (const other of e.parentElement.children) if (other !== e) other.style.display = "none";
		if (shown.closest("#shown")) e.style.display = "block";
	}
	[...document.querySelectorAll(".readers tbody tr:not(.alike)")].slice(4).forEach((row) => { row.style.display = "none"; });
	if (shown.closest("#shown-told")) shown.style.padding = "1rem";
	if (shown.id === "shown") Object.assign(shown.style, { height: "auto", maxHeight: "none" });
	scrollTo({ top: 0, behavior: "instant" });
})()`

// TestPictures takes the pictures of the documents, of real runs.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no runs to take pictures of: make screenshots plays them")
	}
	for _, p := range picturesOfReports() {
		t.Run(p.name, func(t *testing.T) {
			data := p.taken(t)
			if len(data) > maxPicture {
				t.Errorf("%d bytes, at most %d", len(data), maxPicture)
			}
			if err := os.WriteFile(filepath.Join("..", "docs", "pictures", p.name+".png"), data, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// taken takes the picture.
func (p picture) taken(t *testing.T) []byte {
	t.Helper()
	report, err := filepath.Abs(filepath.Join(*pictures, p.run, cmp.Or(p.page, "report.html")))
	if err != nil {
		t.Fatal(err)
	}
	v := open(t, report, "")
	v.do(t, chromedp.EmulateViewport(p.width, p.height))
	v.look(t, "screen", "light")
	v.until(t, `document.documentElement.classList.contains("drawn")`)
	if p.finding != "" {
		v.tell(t, fmt.Sprintf(`[...document.querySelectorAll("#findings .kinds > li")].find((li) => li.innerText.includes(%[1]q) || li.textContent.includes(%[1]q)).querySelector("a").click()`, p.finding))
		v.until(t, drawn)
	}
	if p.ledger {
		v.tell(t, `(document.querySelector("#shown .field.looked-at") ?? document.querySelector("#shown .field")).click()`)
		v.until(t, `document.querySelector("#shown .readers")`)
	}
	action := chromedp.CaptureScreenshot()
	if p.show != "" {
		v.tell(t, fmt.Sprintf(alone, p.show))
		action = chromedp.Screenshot(chromedp.CSS(p.show))
	}
	v.tell(t, `document.activeElement.blur(); document.documentElement.style.scrollbarWidth = "none"`)
	ask[bool](t, v, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 100)))`)
	data, err := chromedp.Run(v, action)
	if err != nil {
		t.Fatal(err)
	}
	v.quiet(t)
	return packedTight(t, data)
}

// packedTight is the same picture in fewer bytes: in the 256 colours that come nearest to
// those it has.
func packedTight(t *testing.T, data []byte) []byte {
	t.Helper()
	shown, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	drawn := image.NewPaletted(shown.Bounds(), colours(shown))
	draw.Draw(drawn, drawn.Rect, shown, drawn.Rect.Min, draw.Src)
	var b bytes.Buffer
	tight := png.Encoder{CompressionLevel: png.BestCompression}
	if err := tight.Encode(&b, drawn); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// colours are 256 for a picture: each next is the one that so far is missed most, by how
// often it is there and how far it is from the nearest. So a sign of a few dots keeps its
// colour.
func colours(shown image.Image) color.Palette {
	counts := map[color.RGBA]int{}
	for y := shown.Bounds().Min.Y; y < shown.Bounds().Max.Y; y++ {
		for x := shown.Bounds().Min.X; x < shown.Bounds().Max.X; x++ {
			counts[color.RGBAModel.Convert(shown.At(x, y)).(color.RGBA)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	palette, far := color.Palette{all[0]}, make([]int, len(all))
	for i, c := range all {
		far[i] = distance(c, all[0])
	}
	for range min(len(all), 256) - 1 {
		missed := 0
		for i, c := range all {
			if far[i]*counts[c] > far[missed]*counts[all[missed]] {
				missed = i
			}
		}
		palette = append(palette, all[missed])
		for i, c := range all {
			far[i] = min(far[i], distance(c, all[missed]))
		}
	}
	return palette
}

// distance is how far two colours are from each other, squared.
func distance(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}

// TestPagesPicturesAreThere: each picture is in the documents, small, and a PNG; and no
// other is.
func TestPagesPicturesAreThere(t *testing.T) {
	const dir = "../docs/pictures"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, e := range entries {
		left[e.Name()] = true
	}
	for _, p := range picturesOfReports() {
		data, err := os.ReadFile(filepath.Join(dir, p.name+".png"))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(data) > maxPicture || len(data) < 8 || string(data[:8]) != "\x89PNG\r\n\x1a\n" {
			t.Errorf("%s: %d bytes: want a PNG of at most %d", p.name, len(data), maxPicture)
		}
		delete(left, p.name+".png")
	}
	for name := range left {
		if filepath.Ext(name) == ".svg" {
			continue // it is drawn by hand
		}
		t.Errorf("%s/%s: no test takes this picture", dir, name)
	}
}
