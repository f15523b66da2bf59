package sim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path that this repository's packages are imported by.
const module = "github.com/skewsim/skewsim"

// tree is a source tree.
type tree struct {
	fs.FS
	parsed sync.Once
	all    []source
}

// whole is the tree of the repository, seen from this package. It is parsed once.
var whole = &tree{FS: os.DirFS("..")}

// repository is the whole source tree.
func repository() fs.FS { return whole }

// source is one parsed file of Go.
type source struct {
	name string // slash-separated, from the repository's root
	text string
	set  *token.FileSet
	file *ast.File
}

func (s source) dir() string          { return path.Dir(s.name) }
func (s source) isTest() bool         { return strings.HasSuffix(s.name, "_test.go") }
func (s source) inTest() bool         { return strings.HasPrefix(path.Base(s.dir()), "testdata") }
func (s source) below() string        { top, _, _ := strings.Cut(s.name, "/"); return top }
func (s source) line(p token.Pos) int { return s.set.Position(p).Line }

// parse reads one file of Go that is given as text.
func parse(t testing.TB, name, text string) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments)
	require.NoError(t, err)
	return source{name, text, set, file}
}

// sources reads every file of Go in the tree.
func sources(t testing.TB, from fs.FS) []source {
	t.Helper()
	if known, ok := from.(*tree); ok {
		known.parsed.Do(func() { known.all = read(t, known.FS) })
		return known.all
	}
	return read(t, from)
}

func read(t testing.TB, tree fs.FS) []source {
	t.Helper()
	var all []source
	for _, name := range files(t, tree, ".go") {
		if strings.Contains(name, "/testdata/") {
			continue // a program that tests build is in no package of the project
		}
		text, err := fs.ReadFile(tree, name)
		require.NoError(t, err)
		all = append(all, parse(t, name, string(text)))
	}
	return all
}

// files are the names of the files with one of the extensions, without those
// that only a build or a run leaves behind.
func files(t testing.TB, tree fs.FS, extensions ...string) []string {
	t.Helper()
	var all []string
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if left := []string{"bin", "out"}; name != "." && (slices.Contains(left, name) || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if slices.Contains(extensions, path.Ext(name)) {
			all = append(all, name)
		}
		return nil
	}))
	return all
}

// ignored tells a file that no build of this module takes.
func (s source) ignored() bool { return strings.Contains("\n"+s.text, "\n//go:build ignore\n") }
