package rules

import (
	"path"
	"slices"
	"strings"
)

// Tests are the files of tests in Go, by the test's name: TestWalk. Packages may
// have the same name, and so may their tests.
type Tests map[string][]string

// files returns the files of a test by package.TestName, sorted. The name may include parent
// folders of the package: frobber/apiserver.TestName.
func (t Tests) files(name string) []string {
	folder, test, _ := strings.Cut(name, ".")
	var found []string
	for _, file := range t[test] {
		if at := path.Dir(file); at == folder || strings.HasSuffix(at, "/"+folder) {
			found = append(found, file)
		}
	}
	slices.Sort(found)
	return found
}
