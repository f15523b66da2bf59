package skewtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printedCode is a block of Go code on a page.
var printedCode = regexp.MustCompile("(?s)```go\n(.*?)```")

// printedTests returns the code on a page that starts servers.
func printedTests(page string) (all []string) {
	for _, m := range printedCode.FindAllStringSubmatch(page, -1) {
		if strings.Contains(m[1], "skewtest.Start(") {
			all = append(all, m[1])
		}
	}
	return all
}

// TestPrintedTestsArePlayed: the Go tests on the pages are files of the example's module, which
// other tests compile and play.
func TestPrintedTestsArePlayed(t *testing.T) {
	files := map[string]bool{}
	names, err := filepath.Glob("../../docs/examples/gotest/*_test.go")
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[string(text)] = true
	}
	printed := 0
	require.NoError(t, fs.WalkDir(os.DirFS("../.."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(filepath.Join("../..", name))
		for _, code := range printedTests(string(text)) {
			printed++
			assert.True(t, files[code], "%s: no file of docs/examples/gotest is\n%s", name, code)
		}
		return err
	}))
	assert.GreaterOrEqual(t, printed, 2)
}
