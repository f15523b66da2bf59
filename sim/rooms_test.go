package sim_test

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The limits of a package: what one person can own.
const (
	maxPackage = 2500 // lines without tests
	maxMethods = 25   // of one receiver, without tests
)

// unlimited are the packages that may have more lines, each with the reason.
func unlimited() map[string]string {
	return map[string]string{
		"servers/frobber/train": "a list of releases: each is small, stands alone, and is read alone",
	}
}

// unsplit are the packages that are still to be split, with what they have now at most. A
// package that is within the limits leaves this list.
func unsplit() map[string]struct{ lines, methods int } {
	return map[string]struct{ lines, methods int }{}
}

// packages returns the files of each package without tests, by directory.
func packages(all []source) map[string][]source {
	by := map[string][]source{}
	for _, s := range all {
		if !s.isTest() && !s.inTest() && !strings.Contains(s.name, "/testdata/") && !s.ignored() {
			by[s.dir()] = append(by[s.dir()], s)
		}
	}
	return by
}

// largePackages lists the packages over the limit.
func largePackages(all []source) (problems []string) {
	for dir, files := range packages(all) {
		lines := 0
		for _, f := range files {
			lines += strings.Count(f.text, "\n")
		}
		most := max(maxPackage, unsplit()[dir].lines)
		if lines > most && unlimited()[dir] == "" {
			problems = append(problems, fmt.Sprintf("%s has %d lines without tests, at most %d", dir, lines, most))
		}
	}
	slices.Sort(problems)
	return problems
}

// largeReceivers lists the types with more methods than the limit.
func largeReceivers(all []source) (problems []string) {
	for dir, files := range packages(all) {
		methods := map[string]int{}
		for _, f := range files {
			for _, d := range f.file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
					methods[receiverName(fn)]++
				}
			}
		}
		most := max(maxMethods, unsplit()[dir].methods)
		for name, n := range methods {
			if n > most {
				problems = append(problems, fmt.Sprintf("%s: %s has %d methods, at most %d", dir, name, n, most))
			}
		}
	}
	slices.Sort(problems)
	return problems
}

func receiverName(fn *ast.FuncDecl) string {
	of := fn.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// mutual counts the pairs of files in a package that use names of one another: each is a
// place where the order in which to read the package is not clear.
func mutual(files []source) int {
	home := map[string]string{} // of package-level names
	for _, f := range files {
		for name := range f.file.Scope.Objects {
			home[name] = f.name
		}
	}
	uses := map[[2]string]bool{}
	for _, f := range files {
		for _, id := range f.file.Unresolved {
			if to := home[id.Name]; to != "" && to != f.name {
				uses[[2]string{f.name, to}] = true
			}
		}
	}
	n := 0
	for edge := range uses {
		if edge[0] < edge[1] && uses[[2]string{edge[1], edge[0]}] {
			n++
		}
	}
	return n
}

// TestRooms holds the limits of packages and receivers, and reports with -v how many pairs of
// files use one another.
func TestRooms(t *testing.T) {
	all := sources(t, repository())
	for _, problem := range append(largePackages(all), largeReceivers(all)...) {
		t.Error(problem)
	}
	by := packages(all)
	for _, dir := range slices.Sorted(maps.Keys(by)) {
		if n := mutual(by[dir]); n > 0 {
			t.Logf("%s: %d pairs of files use one another", dir, n)
		}
	}
}

func TestRoomsCanFail(t *testing.T) {
	file := func(name string, lines, methods int) source {
		return parse(t, name, "package x\n"+strings.Repeat("func (r *R[T]) m() {}\n", methods)+strings.Repeat("\n", lines-1-methods))
	}
	assert.Empty(t, largePackages([]source{file("a/x.go", 1500, 0), file("a/y.go", 1000, 0), file("a/y_test.go", 1000, 0)}))
	assert.Equal(t, []string{"a has 2501 lines without tests, at most 2500"}, largePackages([]source{file("a/x.go", 1500, 0), file("a/y.go", 1001, 0)}))
	assert.Empty(t, largeReceivers([]source{file("a/x.go", 30, 20), file("a/y.go", 30, 5), file("a/y_test.go", 30, 5)}))
	assert.Equal(t, []string{"a: R has 26 methods, at most 25"}, largeReceivers([]source{file("a/x.go", 30, 20), file("a/y.go", 30, 6)}))
	one, two := parse(t, "a/x.go", "package x\nfunc f() { g() }\nfunc h() {}\n"), parse(t, "a/y.go", "package x\nfunc g() { h() }\n")
	assert.Equal(t, 1, mutual([]source{one, two}))
	assert.Zero(t, mutual([]source{one, parse(t, "a/y.go", "package x\nfunc g() {}\n")}))
}
