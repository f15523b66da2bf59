package build_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// plant writes files into a folder, by path.
func plant(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		name := filepath.Join(folder, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// grown returns the recipe of a program in a folder with the given digest.
func grown(folder, digest string) build.Recipe {
	return build.Recipe{
		Name: "hello", Version: "v1", Reference: "source:" + folder,
		Tree: &build.Tree{Digest: digest, Package: "cmd/hello", Copy: func(_ context.Context, dir string) error {
			return os.CopyFS(dir, os.DirFS(folder))
		}},
		Resolve: func(context.Context, *build.Go) (build.Module, error) {
			return build.Module{LDFlags: []string{"-X", "main.stamp=stamped"}}, nil
		},
	}
}

// sawn returns the files of a module that needs another one, which no proxy has.
func sawn() map[string]string {
	return map[string]string{
		"go.mod": "module tree.invalid\n\ngo 1.24\n\nrequire leaf.invalid v1.0.0\n",
		"cmd/hello/main.go": "package main\n\nimport \"leaf.invalid\"\n\nvar stamp string\n\n" +
			"func main() { println(leaf.Name, stamp) }\n",
	}
}

// prints builds the recipe's program and runs it.
func prints(t *testing.T, c *build.Cache, r build.Recipe) string {
	t.Helper()
	out, err := exec.Command(get(t, c, r, nil).Path).CombinedOutput()
	require.NoError(t, err)
	return string(out)
}

// TestFrobberTrees: a tree is built with its vendor directory, its go.work and its replacements,
// and with nothing of the folders above the cache.
func TestFrobberTrees(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	t.Setenv("GOPROXY", "off")
	const leaf = "package leaf\n\nconst Name = \"leaf\"\n"
	for _, each := range []struct {
		name  string
		files map[string]string
	}{
		{"vendor", map[string]string{
			"vendor/modules.txt":          "# leaf.invalid v1.0.0\n## explicit; go 1.24\nleaf.invalid\n",
			"vendor/leaf.invalid/leaf.go": leaf,
		}},
		{"go.work", map[string]string{
			"go.work":             "go 1.24\n\nuse (\n\t.\n\t./staging/leaf\n)\n",
			"staging/leaf/go.mod": "module leaf.invalid\n\ngo 1.24\n", "staging/leaf/leaf.go": leaf,
		}},
		{"go.work and vendor", map[string]string{ // as Kubernetes has it
			"go.work":                     "go 1.24\n\nuse (\n\t.\n\t./staging/twig\n)\n",
			"staging/twig/go.mod":         "module twig.invalid\n\ngo 1.24\n",
			"vendor/modules.txt":          "## workspace\n# leaf.invalid v1.0.0\n## explicit; go 1.24\nleaf.invalid\n",
			"vendor/leaf.invalid/leaf.go": leaf,
		}},
		{"replace", map[string]string{
			"go.mod":              sawn()["go.mod"] + "\nreplace leaf.invalid => ./staging/leaf\n",
			"staging/leaf/go.mod": "module leaf.invalid\n\ngo 1.24\n", "staging/leaf/leaf.go": leaf,
		}},
	} {
		t.Run(each.name, func(t *testing.T) {
			folder, c := t.TempDir(), open(t)
			plant(t, filepath.Dir(c.Dir()), map[string]string{"go.work": "go 1.24\n\nuse ./nowhere\n"})
			plant(t, folder, sawn())
			plant(t, folder, each.files)
			assert.Equal(t, "leaf stamped\n", prints(t, c, grown(folder, each.name)))
		})
	}
	c := open(t)
	folder := t.TempDir()
	plant(t, folder, sawn())
	_, err := c.Get(t.Context(), grown(folder, "bare"), nil)
	assert.ErrorContains(t, err, "leaf.invalid", "a missing module is not substituted")
	assert.Empty(t, entries(t, c))
}

// TestFrobberTreeCompletes: a main.go of ours may need modules that a tidy go.mod does not name. They are added to the copy, and only if the
// recipe says so; the folder stays as it is, and no version of its go.mod changes.
func TestFrobberTreeCompletes(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	t.Setenv("GOPROXY", "off")
	const replaced = "\nreplace (\n\tleaf.invalid => ./staging/leaf\n\ttwig.invalid v1.0.0 => ./staging/twig\n\ttwig.invalid v1.1.0 => ./staging/twig\n)\n"
	tree := map[string]string{
		"go.mod":              sawn()["go.mod"] + replaced,
		"types.go":            "package tree\n\nimport _ \"leaf.invalid\"\n",
		"staging/leaf/go.mod": "module leaf.invalid\n\ngo 1.24\n\nrequire twig.invalid v1.0.0\n", "staging/leaf/leaf.go": "package leaf\n",
		"staging/leaf/more/more.go": "package more\n\nimport \"twig.invalid\"\n\nconst Name = twig.Name\n",
		"staging/twig/go.mod":       "module twig.invalid\n\ngo 1.24\n", "staging/twig/twig.go": "package twig\n\nconst Name = \"twig\"\n",
	}
	folder, c := t.TempDir(), open(t)
	plant(t, folder, tree)
	r := grown(folder, "tidy")
	r.Main = "package main\n\nimport \"leaf.invalid/more\"\n\nvar stamp string\n\nfunc main() { println(more.Name, stamp) }\n"
	_, err := c.Get(t.Context(), r, nil)
	require.ErrorContains(t, err, "go.mod")
	r.Tree.Completes = true
	assert.Equal(t, "twig stamped\n", prints(t, c, r))
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, tree["go.mod"], string(text))

	plant(t, folder, map[string]string{
		"go.mod":              "module tree.invalid\n\ngo 1.24\n\nrequire (\n\tleaf.invalid v1.0.0\n\ttwig.invalid v1.0.0\n)\n" + replaced,
		"staging/leaf/go.mod": "module leaf.invalid\n\ngo 1.24\n\nrequire twig.invalid v1.1.0\n",
	})
	r.Tree.Digest = "old twig"
	_, err = c.Get(t.Context(), r, nil)
	require.ErrorContains(t, err, "twig.invalid v1.1.0, and go.mod requires v1.0.0")
}

// TestFrobberTreeKeys: only the digest determines whether a tree is rebuilt; a recipe without a
// tree has another key.
func TestFrobberTreeKeys(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	folder, c := t.TempDir(), open(t)
	plant(t, folder, map[string]string{"go.mod": "module tree.invalid\n\ngo 1.24\n", "cmd/hello/main.go": "package main\n\nvar stamp = \"\"\n\nfunc main() { println(1, stamp) }\n"})
	assert.Equal(t, "1 stamped\n", prints(t, c, grown(folder, "one")))
	plant(t, folder, map[string]string{"cmd/hello/main.go": "package main\n\nvar stamp = \"\"\n\nfunc main() { println(2, stamp) }\n"})
	assert.Equal(t, "1 stamped\n", prints(t, c, grown(folder, "one")), "it is not even read")
	assert.Equal(t, "2 stamped\n", prints(t, c, grown(folder, "two")))
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	all, err := c.List()
	require.NoError(t, err)
	references := map[string]int{}
	for _, b := range all {
		references[b.Reference]++
	}
	assert.Equal(t, map[string]int{"source:" + folder: 2, "": 1}, references)
}

// TestFrobberProgramInATree: Main and Files form a package in the tree, which can import the
// tree's packages.
func TestFrobberProgramInATree(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	folder := t.TempDir()
	plant(t, folder, map[string]string{"go.mod": "module tree.invalid\n\ngo 1.24\n", "leaf/leaf.go": "package leaf\n\nconst Name = \"mine\"\n"})
	r := grown(folder, "one")
	r.Main = "package main\n\nimport \"tree.invalid/leaf\"\n\nvar stamp string\n\nfunc main() { println(leaf.Name, more) }\n"
	r.Files = map[string]string{"more.go": "package main\n\nconst more = \"more\"\n"}
	r.Tree.Package = "guest"
	assert.Equal(t, "mine more\n", prints(t, open(t), r))
	assert.NoDirExists(t, filepath.Join(folder, "guest"))
}

func TestFrobberTreeThatChanges(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c, r := open(t), grown(t.TempDir(), "one")
	r.Tree.Copy = func(context.Context, string) error { return errors.New("x.go changed while it was copied") }
	_, err := c.Get(t.Context(), r, nil)
	assert.EqualError(t, err, "build hello v1: x.go changed while it was copied")
	assert.Empty(t, entries(t, c))
}
