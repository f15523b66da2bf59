package reports_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// formats is every writer with the file it gives.
var formats = map[string]func(io.Writer, reports.Run) error{
	"report.html": reports.HTML,
	"result.json": func(w io.Writer, r reports.Run) error { return reports.JSON(w, r.Result) },
	"ledger.json": func(w io.Writer, r reports.Run) error { return reports.LedgerJSON(w, r.Ledger) },
	"junit.xml":   reports.JUnit,
	"report.md":   reports.Markdown,
	"summary.txt": func(w io.Writer, r reports.Run) error {
		return reports.Text(w, r, reports.TextOptions{ReportPath: "out/emptydir-mode/report.html"})
	},
	"summary-color.txt": func(w io.Writer, r reports.Run) error {
		return reports.Text(w, r, reports.TextOptions{TerminalOptions: document.TerminalOptions{Width: 60, Color: true}})
	},
	"prr.md":      func(w io.Writer, r reports.Run) error { return reports.PRR(w, []reports.Measured{reports.Measure(r)}) },
	"merged.json": func(w io.Writer, r reports.Run) error { return reports.MergedJSON(w, mergedWith(r)) },
	"merged.html": mergedPage,
	"merged.md":   func(w io.Writer, r reports.Run) error { return reports.MergedMarkdown(w, mergedWith(r)) },
	"merged.txt": func(w io.Writer, r reports.Run) error {
		return reports.MergedText(w, mergedWith(r), reports.TextOptions{ReportPath: "out/merged/index.html"})
	},
	"merged-junit.xml": func(w io.Writer, r reports.Run) error { return reports.MergedJUnit(w, sourcesWith(r), false) },
}

func write(t *testing.T, format string, r reports.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats[format](&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// dataBlock is a block of packed data in the page.
var dataBlock = regexp.MustCompile(`(id="(pack-[a-z]+(?:-[0-9]+)?)">)([^<]*)(</script>)`)

// blocks returns what each block of the page's data holds, by its id.
func blocks(t *testing.T, page string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range dataBlock.FindAllStringSubmatch(page, -1) {
		all[m[2]] = unpacked(t, m[3])
	}
	if all["pack-index"] == "" {
		t.Fatal("no data in the page")
	}
	return all
}

// blockOf returns what one block of the page's data holds.
func blockOf(t *testing.T, page, id string) string {
	t.Helper()
	for _, m := range dataBlock.FindAllStringSubmatch(page, -1) {
		if m[2] == id {
			return unpacked(t, m[3])
		}
	}
	t.Fatalf("the page has no block %s", id)
	return ""
}

// unpacked returns what one block holds.
func unpacked(t *testing.T, block string) string {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(block)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// laidOpen is the page with its data unpacked: compressed bytes depend on the
// version of Go, and what they hold does not.
func laidOpen(t *testing.T, page string) string {
	t.Helper()
	return dataBlock.ReplaceAllStringFunc(page, func(block string) string {
		m := dataBlock.FindStringSubmatch(block)
		return m[1] + "\n" + strings.ReplaceAll(unpacked(t, m[3]), "},{", "},\n{") + "\n" + m[4]
	})
}

// ownAssets are the page's style, its script and the digests that the policy names
// them by: each is its own file in assets, and no golden file holds it again.
var ownAssets = regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|(&#39;sha256-).*?(&#39;)`)

func TestFormats(t *testing.T) {
	for name := range formats {
		t.Run(name, func(t *testing.T) {
			run := view.Sealed(fixedRun(0))
			got := write(t, name, run)
			if name == "report.html" {
				got = laidOpen(t, got)
			}
			if strings.HasSuffix(name, ".html") {
				got = ownAssets.ReplaceAllString(got, "$1$3$5...$2$4$6")
			}
			compare(t, filepath.Join("testdata", name), got)
		})
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range gotLines {
		if i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s: line %d differs; -update writes it anew\ngot  %.300s\nwant %.300s", path, i+1, gotLines[i], wantLines[min(i, len(wantLines)-1)])
		}
	}
	t.Fatalf("%s: shorter than the golden file; -update writes it anew", path)
}

func TestGoldensAreAllUsed(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if formats[e.Name()] == nil {
			t.Errorf("testdata/%s: no test uses it", e.Name())
		}
	}
}

func TestNothingOfASecretIsShown(t *testing.T) {
	t.Parallel()
	for name := range formats {
		run := fixedRun(0)
		if strings.HasSuffix(name, ".json") {
			run = view.Sealed(run)
		}
		got := write(t, name, run)
		if name == "report.html" {
			got += laidOpen(t, got)
		}
		for _, secret := range []string{secretValue, secretEncoded, "hunter2"} {
			if i := strings.Index(got, secret); i >= 0 {
				t.Errorf("%s shows %s: …%s…", name, secret, got[max(0, i-80):i+40])
			}
		}
		if name == "report.html" && !strings.Contains(got, redact.Withheld) {
			t.Error("report.html does not say that stored bytes are withheld")
		}
	}
}

func TestNothingHostileActs(t *testing.T) {
	t.Parallel()
	for name := range formats {
		got := write(t, name, fixedRun(0))
		if strings.HasSuffix(name, ".json") {
			continue // JSON is data: its readers escape
		}
		for _, bad := range []string{"\x1b[31m ", "\u202e"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	if got := write(t, "report.md", fixedRun(0)); strings.Contains(got, " @team") || strings.Contains(got, " <img") {
		t.Error("report.md holds markup or a mention outside code")
	}
	if err := xml.Unmarshal([]byte(write(t, "junit.xml", fixedRun(0))), new(struct {
		XMLName xml.Name `xml:"testsuites"`
	})); err != nil {
		t.Errorf("junit.xml: %v", err)
	}
}

func TestHTMLStandsAlone(t *testing.T) {
	page := write(t, "report.html", fixedRun(0))
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	var links []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "img" || n.Data == "link" || n.Data == "iframe" {
			t.Errorf("the page has a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val]++
			case a.Key == "src" || strings.HasPrefix(a.Key, "on") || a.Key == "style":
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			case a.Key == "href":
				links = append(links, a.Val)
			}
		}
	}
	for _, href := range links {
		if !strings.HasPrefix(href, "#") {
			t.Errorf("href=%q leads out of the page", href)
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("id %q occurs %d times", id, n)
		}
	}
	if external := regexp.MustCompile(`@import|url\(`).FindString(page); external != "" {
		t.Errorf("the page holds %s", external)
	}
}

// A run that broke off is reported too.
func TestAnEmptyRunIsWritten(t *testing.T) {
	for name := range formats {
		got := write(t, name, reports.Run{})
		if got == "" {
			t.Errorf("%s is empty", name)
		}
		if strings.HasSuffix(name, ".json") && strings.Contains(got, "null") {
			t.Errorf("%s holds null: %s", name, got)
		}
	}
}

func TestNewReadsTheHistory(t *testing.T) {
	run := fixedRun(0)
	h := &history.History{Header: history.Header{Tool: run.Tool, Salt: run.Salt, Plan: run.Plan}, Servers: run.Servers,
		Stages: run.Stages, Operations: run.Operations, Listings: run.Listings, Blobs: map[string]history.Blob{},
		End: &history.End{Outcome: history.Finished}}
	for _, c := range run.Ledger.Copies {
		for _, row := range c.Rows {
			for _, digest := range []string{row.Stored.Value, row.Views[0].Answer, row.Views[1].Answer} {
				h.Blobs[digest], _ = run.Blobs(digest)
			}
			for _, q := range row.Requests {
				h.Blobs[q.Sent], _ = run.Blobs(q.Sent)
				h.Blobs[q.Answer], _ = run.Blobs(q.Answer)
			}
		}
	}
	drawn := reports.New(h, run.Result, run.Ledger)
	for name := range formats {
		if write(t, name, drawn) != write(t, name, view.Sealed(run)) {
			t.Errorf("%s of the history differs", name)
		}
	}
	if h.End = nil; drawn.Cut || !reports.New(h, run.Result, run.Ledger).Cut {
		t.Error("a history without an end is cut, and no other")
	}
}

// TestLargeRunStaysSmall: a thousand copies with sixty rows each make a page below 8 MB that
// omits no body. The size is calculated from fifty of them, since it grows with the copies, as
// TestSizeGrowsWithTheRun checks. TestPagesALargeRunOpensFast writes the whole page.
func TestLargeRunStaysSmall(t *testing.T) {
	t.Parallel()
	const copies, all = 50, 1000
	base := len(write(t, "report.html", largeRun(0, 60, 6)))
	page := write(t, "report.html", largeRun(copies, 60, 6))
	size := base + (len(page)-base)*all/copies
	t.Logf("%d copies make %d bytes, so %d make %d", copies, len(page), all, size)
	assert.Less(t, size, maxOfAPage)
	assert.Zero(t, omitted(t, page))
}

// maxOfAPage is how many bytes report.html may have: it is mailed and attached.
const maxOfAPage = 8_000_000

// omitted returns how many bodies a page omits.
func omitted(t *testing.T, page string) int {
	t.Helper()
	var index struct{ Omitted int }
	require.NoError(t, json.Unmarshal([]byte(blockOf(t, page, "pack-index")), &index))
	return index.Omitted
}

// TestSizeGrowsWithTheRun: twice the copies, or twice the rows, take no more
// than twice the space, give or take what all pages have.
func TestSizeGrowsWithTheRun(t *testing.T) {
	t.Parallel()
	size := func(copies, rows int) int { return len(write(t, "report.html", largeRun(copies, rows, 6))) }
	base := size(0, 12)
	one, copies, rows := size(40, 12)-base, size(80, 12)-base, size(40, 24)-base
	t.Logf("an empty page has %d bytes, 40 copies %d more, twice the copies %d, twice the rows %d", base, one, copies, rows)
	for name, n := range map[string]int{"copies": copies, "rows": rows} {
		if n > one*22/10 {
			t.Errorf("twice the %s take %d bytes, and once took %d", name, n, one)
		}
	}
}
