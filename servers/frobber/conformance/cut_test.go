package conformance_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stop is one release as the train's source has it: the functions that it is made
// with, the right one first.
type stop struct {
	name       string
	functions  []string
	start, end token.Pos
}

// tree is a copy of what the server is built from.
type tree struct {
	dir   string
	files []string // Go files, from the root
	gone  []string // those that were cut
}

// cut makes the source tree of a release: what came later is gone from it, the
// files of later edits, their lines in the train's stops, and the fields of the
// internal form that came with them. It is the tree as it was then, so what is
// left has to compile.
func cut(t *testing.T, release string) *tree {
	t.Helper()
	c := copyTree(t)
	const stops = "servers/frobber/train/train.go"
	set := token.NewFileSet()
	all := readStops(t, set, c.path(stops))
	at := slices.IndexFunc(all, func(s stop) bool { return s.name == release })
	require.GreaterOrEqual(t, at, 0, "%s is no stop of the train", release)
	kept, later := all[:at+1], all[at+1:]
	text := c.read(t, stops)
	for _, s := range slices.Backward(later) {
		text = text[:set.Position(s.start).Offset] + text[set.Position(s.end).Offset+len(","):]
	}
	c.write(t, stops, text)
	for _, s := range later {
		for _, function := range s.functions {
			c.remove(t, c.declares(t, function), kept)
		}
	}
	c.removeFields(t, release)
	return c
}

// copyTree copies what the tests read of this module.
func copyTree(t *testing.T) *tree {
	t.Helper()
	from, err := snapshot()
	require.NoError(t, err)
	c := &tree{dir: filepath.Join(t.TempDir(), "tree")}
	require.NoError(t, os.CopyFS(c.dir, os.DirFS(from)))
	require.NoError(t, filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			path, err = filepath.Rel(c.dir, path)
			c.files = append(c.files, filepath.ToSlash(path))
		}
		return err
	}))
	return c
}

func (c *tree) path(name string) string { return filepath.Join(c.dir, name) }

func (c *tree) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(c.path(name))
	require.NoError(t, err)
	return string(text)
}

func (c *tree) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(c.path(name), []byte(text), 0o600))
}

// readStops reads the list of releases: the elements of what stops returns.
func readStops(t *testing.T, set *token.FileSet, file string) (all []stop) {
	t.Helper()
	parsed, err := parser.ParseFile(set, file, nil, 0)
	require.NoError(t, err)
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "stops" {
			continue
		}
		for _, element := range f.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.CompositeLit).Elts {
			all = append(all, readStop(t, element.(*ast.CompositeLit)))
		}
	}
	require.NotEmpty(t, all, "the train has no stops")
	return all
}

func readStop(t *testing.T, element *ast.CompositeLit) stop {
	t.Helper()
	name, err := strconv.Unquote(element.Elts[0].(*ast.BasicLit).Value)
	require.NoError(t, err)
	s := stop{name: name, start: element.Pos(), end: element.End()}
	for _, e := range element.Elts[1:] {
		if call, ok := e.(*ast.CallExpr); ok {
			e = call.Fun
		}
		if id := e.(*ast.Ident); id.Name != "nil" {
			s.functions = append(s.functions, id.Name)
		}
	}
	return s
}

// declares finds the file of the train that declares a function.
func (c *tree) declares(t *testing.T, function string) string {
	t.Helper()
	for _, name := range slices.Concat(c.files, c.gone) {
		if filepath.Dir(name) == "servers/frobber/train" && slices.Contains(c.functions(t, name), function) {
			return name
		}
	}
	require.Fail(t, "nobody declares "+function)
	return ""
}

func (c *tree) functions(t *testing.T, name string) (all []string) {
	t.Helper()
	from, err := snapshot()
	require.NoError(t, err)
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(from, name), nil, 0)
	require.NoError(t, err)
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			all = append(all, f.Name.Name)
		}
	}
	return all
}

// remove cuts the file of an edit. That it holds nothing of an earlier one is what
// "a further edit is a file of its own" means.
func (c *tree) remove(t *testing.T, name string, kept []stop) {
	t.Helper()
	if slices.Contains(c.gone, name) {
		return
	}
	for _, s := range kept {
		for _, function := range s.functions {
			require.NotContains(t, c.functions(t, name), function, "%s holds what %s is made with", name, s.name)
		}
	}
	require.NoError(t, os.Remove(c.path(name)))
	c.files = slices.DeleteFunc(c.files, func(n string) bool { return n == name })
	c.gone = append(c.gone, name)
}

// removeFields cuts the lines that are marked with a later release.
func (c *tree) removeFields(t *testing.T, release string) {
	t.Helper()
	marked := regexp.MustCompile(`// since (\d+\.\d+)$`)
	for _, name := range c.files {
		lines := strings.Split(c.read(t, name), "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool {
			m := marked.FindStringSubmatch(line)
			return m != nil && minor(t, m[1]) > minor(t, release)
		})
		c.write(t, name, strings.Join(lines, "\n"))
	}
}

func minor(t *testing.T, release string) int {
	t.Helper()
	_, number, _ := strings.Cut(release, ".")
	n, err := strconv.Atoi(number)
	require.NoError(t, err)
	return n
}

// knows lists where what is left of the tree speaks of a field or gate that only
// later edits have.
func (c *tree) knows(t *testing.T) (places []string) {
	t.Helper()
	from, err := snapshot()
	require.NoError(t, err)
	later := c.members(t, c.gone, from)
	for word := range c.members(t, c.files, c.dir) {
		delete(later, word)
	}
	for _, name := range c.files {
		parsed, err := parser.ParseFile(token.NewFileSet(), c.path(name), nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && later[id.Name] {
				places = append(places, name+": "+id.Name)
			}
			return true
		})
	}
	return places
}

// TestCut: what is cut, what stays, and that what should have been cut is found.
func TestCut(t *testing.T) {
	const internal = "servers/frobber/api/frobber.go"
	c := cut(t, "1.1")
	assert.Contains(t, c.read(t, internal), "Width ")
	assert.NotContains(t, c.read(t, internal), "Angle ")
	assert.Contains(t, c.gone, "servers/frobber/train/gated_field_mutants.go")
	assert.Contains(t, c.files, "servers/frobber/train/add_field_mutants.go")
	assert.Empty(t, c.knows(t))
	c.write(t, internal, strings.Replace(c.read(t, internal), "type Spec struct {", "type Spec struct {\n\tAngle *int32", 1))
	assert.Equal(t, []string{internal + ": Angle"}, c.knows(t))
}

// members are the fields of a train's files.
func (c *tree) members(t *testing.T, names []string, dir string) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	for _, name := range names {
		if filepath.Dir(name) != "servers/frobber/train" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				for _, id := range n.Names {
					if n.Tag != nil {
						words[id.Name] = true
					}
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					words[id.Name] = ast.IsExported(id.Name)
				}
			}
			return true
		})
	}
	maps.DeleteFunc(words, func(_ string, is bool) bool { return !is })
	return words
}
