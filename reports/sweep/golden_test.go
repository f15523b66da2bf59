package sweep_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/document"
	reports "github.com/skewsim/skewsim/reports/sweep"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

var update = flag.Bool("update", false, "write golden files anew")

// gated are the options of the golden files.
var gated = reports.Options{FailOn: sweep.Gate{Level: term.Frozen.Effect()}}

func write(t *testing.T, file reports.File, r sweep.Result, o reports.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, file.Write(&b, r, o))
	return b.String()
}

func named(t *testing.T, name string) reports.File {
	t.Helper()
	for _, f := range reports.Files() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no file %s", name)
	return reports.File{}
}

// compared is the fixture after a comparison with a baseline.
func compared() sweep.Result {
	r := fixture(60)
	r.Baseline = &sweep.Baseline{File: "last/sweep.json", Changes: []sweep.Change{
		{ID: r.Rows[0].ID, Change: term.RowAppeared, What: "storage-version-changed: Volume", After: r.Rows[0].Effect},
		{ID: r.Rows[8].ID, Change: term.RowWorse, What: "enum-value-added: Deployment", Before: term.Refused.Effect(), After: r.Rows[8].Effect},
		{ID: "gone", Change: term.RowVanished, What: hostile, Before: term.Frozen.Effect()},
	}}
	return r
}

// unplayed is a sweep that only compared.
func unplayed() sweep.Result {
	r := fixture(20)
	r.Laps, r.Answer = nil, "Nothing was played."
	for i := range r.Rows {
		r.Rows[i].Laps, r.Rows[i].LapResult = nil, sweep.LapResult{Effect: term.NotExercised.Effect()}
	}
	return r
}

// TestGolden holds the bytes of every format.
func TestGolden(t *testing.T) {
	summary := reports.File{Name: "summary.txt", Write: reports.Text}
	color := reports.File{Name: "summary-color.txt", Write: reports.Text}
	onTerminal := gated
	onTerminal.Terminal, onTerminal.Dir = document.TerminalOptions{Color: true, Width: 100}, "out/sweep"
	cases := []struct {
		golden string
		file   reports.File
		result sweep.Result
		o      reports.Options
	}{{"summary.txt", summary, fixture(60), reports.Options{}}, {"summary-color.txt", color, compared(), onTerminal}, {"planned.txt", summary, unplayed(), onTerminal}, {"baseline.md", named(t, "sweep.md"), compared(), gated}}
	for _, f := range reports.Files() {
		cases = append(cases, struct {
			golden string
			file   reports.File
			result sweep.Result
			o      reports.Options
		}{f.Name, f, fixture(60), gated})
	}
	for _, c := range cases {
		t.Run(c.golden, func(t *testing.T) {
			got := readable(t, write(t, c.file, c.result, c.o))
			path := filepath.Join("testdata", c.golden)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			if string(want) != got {
				t.Errorf("%s differs: %s", path, firstDifference(string(want), got))
			}
			assert.Equal(t, got, readable(t, write(t, c.file, c.result, c.o)), "equal results give equal bytes")
		})
	}
}

// firstDifference returns the first line in which two texts differ, in both.
func firstDifference(want, got string) string {
	wanted, is := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range wanted {
		if i >= len(is) || wanted[i] != is[i] {
			return fmt.Sprintf("line %d:\nwant %s\ngot  %s", i+1, wanted[i], strings.Join(is[min(i, len(is)):min(i+1, len(is))], ""))
		}
	}
	return "it has more lines"
}

var (
	assetText = regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`)
	hashText  = regexp.MustCompile(`sha256-(?:[^&;]|&#43;)*&#39`)
	packText  = regexp.MustCompile(`(id="pack-sweep">)([^<]*)`)
)

// readable returns a page without its style and its script, which are files of their own, and
// with its data unpacked. Any other text stays as it is.
func readable(t *testing.T, page string) string {
	t.Helper()
	pack := packText.FindStringSubmatch(page)
	if pack == nil {
		return page
	}
	page = assetText.ReplaceAllString(hashText.ReplaceAllString(page, "sha256-…"), "$1…$2")
	return strings.Replace(page, pack[2], "\n"+unpacked(t, pack[2])+"\n", 1)
}

// unpacked returns the data of a page as indented JSON.
func unpacked(t *testing.T, pack string) string {
	t.Helper()
	zip, err := base64.StdEncoding.DecodeString(pack)
	require.NoError(t, err)
	in, err := gzip.NewReader(bytes.NewReader(zip))
	require.NoError(t, err)
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, text, "", " "))
	return indented.String()
}
