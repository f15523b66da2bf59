package skewtest_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the code on the pages instead of comparing it")

// printedCode is a block of a page that prints a file of the example's module:
//
//	<!-- code of "field_test.go": written by go test ./sim/skewtest -run TestPrintedTests -update -->
//	```go
//	package gotest
//	```
//	<!-- end of code -->
var printedCode = regexp.MustCompile("(?s)(<!-- code of \"(\\w+\\.go)\": written by go test ./sim/skewtest -run TestPrintedTests -update -->\n```go\n)(.*?)(```\n<!-- end of code -->)")

// TestPrintedTests: each Go test on a page is a file of the example's module, which other tests
// compile and play.
func TestPrintedTests(t *testing.T) {
	printed := 0
	require.NoError(t, fs.WalkDir(os.DirFS("../../docs"), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		file := filepath.Join("../../docs", name)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		page := printedCode.ReplaceAllStringFunc(string(text), func(block string) string {
			printed++
			m := printedCode.FindStringSubmatch(block)
			code, err := os.ReadFile(filepath.Join("../../docs/examples/gotest", m[2]))
			require.NoError(t, err, name)
			return m[1] + string(code) + m[4]
		})
		assert.NotContains(t, printedCode.ReplaceAllString(page, ""), "skewtest.Start(", "%s: a test that nothing plays", name)
		if *update && page != string(text) {
			return os.WriteFile(file, []byte(page), 0o600)
		}
		assert.Equal(t, page, string(text), "%s; -update writes it anew", name)
		return nil
	}))
	assert.Equal(t, 2, printed)
}
