package tiers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dividers are what a test of the nightly calls to leave a part to each shard.
var dividers = []string{"tiers.Plays", "tiers.Shard", "tiers.NeedFirst"}

// undivided returns the nightly tests among the files of one package that every shard would
// repeat: neither they nor what they call in the package calls a divider.
func undivided(files ...*ast.File) (tests []string) {
	calls := map[string][]string{}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
				calls[f.Name.Name] = append(calls[f.Name.Name], called(f.Body)...)
			}
		}
	}
	for name := range calls {
		if named(name, Nightly) && !divides(calls, name, map[string]bool{}) {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests
}

// called returns the functions that a body calls: f, or p.F for one of a package.
func called(body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			names = append(names, f.Name)
		case *ast.SelectorExpr:
			if p, is := f.X.(*ast.Ident); is {
				names = append(names, p.Name+"."+f.Sel.Name)
			}
		}
		return true
	})
	return names
}

// divides reports whether a function calls a divider, itself or through others.
func divides(calls map[string][]string, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(calls[name], func(next string) bool {
		return slices.Contains(dividers, next) || divides(calls, next, seen)
	})
}

// TestEachNightlyTestIsSplit: with SHARD=i/n each part of the nightly is played once. What
// does not say how it is split would be played n times.
func TestEachNightlyTestIsSplit(t *testing.T) {
	packages := map[string][]*ast.File{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "out" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
		return err
	}))
	nightly := 0
	for dir, files := range packages {
		assert.Empty(t, undivided(files...), "%s: call tiers.Plays, tiers.Shard or tiers.NeedFirst", dir)
		for _, file := range files {
			for _, d := range file.Decls {
				if f, is := d.(*ast.FuncDecl); is && named(f.Name.Name, Nightly) {
					nightly++
				}
			}
		}
	}
	assert.Positive(t, nightly, "nightly tests were looked for")
}

// TestUndivided: a test that plays everything in each shard is found; one whose helper
// divides, one that only the first part plays, and those of other tiers are not.
func TestUndivided(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "some_test.go", `package some
func TestNightlyWhole(t *testing.T) { tiers.Need(t, tiers.Nightly); play(t, all()) }
func TestNightlyPart(t *testing.T) { tiers.Need(t, tiers.Nightly); t.Run("x", func(t *testing.T) { part(t) }) }
func TestNightlyFirst(t *testing.T) { tiers.Need(t, tiers.Nightly); tiers.NeedFirst(t) }
func TestFrobberWhole(t *testing.T) { play(t, all()) }
func part(t *testing.T) { play(t, tiers.Shard(t, all())); part(t) }
`, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"TestNightlyWhole"}, undivided(file))
}
