package preflight_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/document"
	reports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/sim/preflight"
)

var update = flag.Bool("update", false, "write golden files anew")

func write(t *testing.T, file reports.File, r preflight.Result, o reports.Options) string {
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

var summary = reports.File{Name: "summary.txt", Write: reports.Text}

// rollback is a preflight of the way back alone, which ended early.
func rollback() preflight.Result {
	r := fixture(1)
	r.Hops, r.Ended = r.Hops[1:], "interrupted"
	r.Hops[0].Rollback, r.Hops[0].Up = true, ""
	r.Hops[0].Phases = r.Hops[0].Phases[:2]
	r.Hops[0].Grade(source)
	return r
}

// TestGolden holds the bytes of every format.
func TestGolden(t *testing.T) {
	type golden struct {
		name   string
		file   reports.File
		result preflight.Result
		o      reports.Options
	}
	set := rollback()
	set.Hops[0].PointOfNoReturn[0].Objects, set.Hops[0].Set = 2, 2
	set.Hops[0].Grade(source)
	onTerminal := reports.Options{Terminal: document.TerminalOptions{Color: true, Width: 100}, Dir: "out/preflight"}
	cases := []golden{{"summary.txt", summary, fixture(7), reports.Options{}}, {"summary-color.txt", summary, fixture(7), onTerminal}, {"rollback.txt", summary, rollback(), reports.Options{}}, {"set.txt", summary, set, reports.Options{}}, {"rollback-junit.xml", named(t, "junit.xml"), rollback(), reports.Options{}}}
	for _, f := range reports.Files() {
		cases = append(cases, golden{f.Name, f, fixture(7), reports.Options{}})
	}
	members := []reports.Member{{Name: "eu-1", Link: "eu-1/preflight.html", Result: fixture(2)}, {Name: hostile, Link: "javascript:alert(1)"}}
	fleet := reports.File{Write: func(w io.Writer, _ preflight.Result, _ reports.Options) error { return reports.Fleet(w, members) }}
	cases = append(cases, golden{reports.FleetPage, fleet, preflight.Result{}, reports.Options{}})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := readable(t, write(t, c.file, c.result, c.o))
			path := filepath.Join("testdata", c.name)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
			assert.Equal(t, got, readable(t, write(t, c.file, c.result, c.o)), "equal results give equal bytes")
		})
	}
}

var (
	assetText = regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`)
	hashText  = regexp.MustCompile(`sha256-(?:[^&;]|&#43;)*&#39`)
	packText  = regexp.MustCompile(`(id="pack-preflight">)([^<]*)`)
)

// readable returns a page without its style and its script, which are files of their own, and
// with its data unpacked. Any other text stays as it is.
func readable(t *testing.T, page string) string {
	t.Helper()
	if !strings.HasPrefix(page, "<!DOCTYPE") {
		return page
	}
	page = assetText.ReplaceAllString(hashText.ReplaceAllString(page, "sha256-…"), "$1…$2")
	if pack := packText.FindStringSubmatch(page); pack != nil {
		page = strings.Replace(page, pack[2], "\n"+unpacked(t, pack[2])+"\n", 1)
	}
	return page
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
