package sim_test

import (
	"flag"
	"fmt"
	"go/doc"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the list of packages into docs/explanation/architecture.md")

const (
	architecturePage = "docs/explanation/architecture.md"
	beginPackages    = "<!-- packages: written by go test ./sim -run TestPackagesPage -update -->\n"
	endPackages      = "<!-- end of packages -->\n"
)

// packageLines returns a line for each package, with the first sentence of its doc.go.
func packageLines(all []source) string {
	synopsis := map[string]string{}
	for _, s := range all {
		if path.Base(s.name) == "doc.go" && !s.inTest() && !strings.Contains(s.name, "/testdata/") && s.below() != "docs" {
			text := new(doc.Package).Synopsis(s.file.Doc.Text())
			synopsis[s.dir()] = strings.TrimPrefix(text, "Package "+s.file.Name.Name+" ")
		}
	}
	var b strings.Builder
	folder := ""
	for _, dir := range slices.Sorted(maps.Keys(synopsis)) {
		if top, _, _ := strings.Cut(dir, "/"); top != folder {
			folder = top
			fmt.Fprintf(&b, "\n| `%s` | |\n| --- | --- |\n", top)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", dir, strings.ReplaceAll(synopsis[dir], "|", "\\|"))
	}
	return b.String() + "\n"
}

// TestPackagesPage holds that the page lists every package in the words of its doc.go, and
// that the files which it names exist.
func TestPackagesPage(t *testing.T) {
	text, err := fs.ReadFile(repository(), architecturePage)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), beginPackages)
	require.True(t, found)
	_, after, found := strings.Cut(rest, endPackages)
	require.True(t, found)
	want := before + beginPackages + packageLines(sources(t, repository())) + endPackages + after
	if *update {
		require.NoError(t, os.WriteFile("../"+architecturePage, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text), "go test ./sim -run TestPackagesPage -update")
	for _, name := range regexp.MustCompile("`((?:cmd|docs|reports|scenarios|servers|sim)/[^`]*)`").FindAllStringSubmatch(before, -1) {
		_, err := fs.Stat(repository(), name[1])
		assert.NoError(t, err)
	}
}
