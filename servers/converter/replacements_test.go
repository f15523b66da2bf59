package converter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
)

// TestOutside: a folder beside a user's module that replaces another one is part of what is built, and the copy finds it. What is in the
// module, a version, and the replacements of a published module are left as they are.
func TestOutside(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		at := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	const mod = "module example.dev/op\n\ngo 1.24\n\nrequire example.dev/shared v0.0.0\n\nreplace (\n\texample.dev/shared => ../shared\n\texample.dev/in => ./in\n\texample.dev/fork => example.dev/other v1.0.0\n)\n"
	write("op/go.mod", mod)
	write("shared/go.mod", "module example.dev/shared\n")
	write("shared/shared.go", "package shared\n")
	dir, ref := filepath.Join(top, "op"), servers.Reference{Path: filepath.Join(top, "op")}

	before, err := Command(ref, dir, "op", "cmd")
	require.NoError(t, err)
	again, err := Command(ref, dir, "op", "cmd")
	require.NoError(t, err)
	assert.Equal(t, before.Tree.Digest, again.Tree.Digest)
	write("shared/shared.go", "package shared\n\nconst More = 1\n")
	after, err := Command(ref, dir, "op", "cmd")
	require.NoError(t, err)
	assert.NotEqual(t, before.Tree.Digest, after.Tree.Digest)

	copied := t.TempDir()
	require.NoError(t, after.Tree.Copy(t.Context(), copied))
	text, err := os.ReadFile(filepath.Join(copied, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "example.dev/shared => "+filepath.Join(top, "shared")+"\n")
	assert.Contains(t, string(text), "example.dev/in => ./in\n")
	own, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, mod, string(own))

	write("op/go.mod", "module example.dev/op\n\nreplace example.dev/shared => "+filepath.Join(top, "shared")+"\n")
	whole, err := replacementsOf(ref, dir)
	require.NoError(t, err)
	assert.Equal(t, map[module.Version]string{{Path: "example.dev/shared"}: filepath.Join(top, "shared")}, whole.outside)
	write("op/go.mod", "module example.dev/op\n\nreplace example.dev/shared v1.0.0 => ../one\n\nreplace example.dev/shared => ../shared\n")
	several, err := replacementsOf(ref, dir)
	require.NoError(t, err)
	require.NoError(t, copyFiles(t.Context(), dir, copied))
	require.NoError(t, several.applyTo(t.Context(), copied))
	text, err = os.ReadFile(filepath.Join(copied, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "example.dev/shared v1.0.0 => "+filepath.Join(top, "one")+"\n")
	assert.Contains(t, string(text), "example.dev/shared => "+filepath.Join(top, "shared")+"\n")
	write("op/go.mod", mod)
	published, err := replacementsOf(servers.Reference{Module: "example.dev/op", Version: "v1.0.0"}, dir)
	require.NoError(t, err)
	assert.Empty(t, published.outside)
	write("op/vendor/modules.txt", "# example.dev/shared v0.0.0 => ../shared\n")
	vendored, err := replacementsOf(ref, dir)
	require.NoError(t, err)
	assert.Empty(t, vendored.outside)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "vendor")))
	require.NoError(t, os.RemoveAll(filepath.Join(top, "shared")))
	_, err = Command(ref, dir, "op", "cmd")
	assert.ErrorContains(t, err, "go.mod replaces example.dev/shared by a folder")
}

// TestSiblings: a folder of the repository that a published archive does not have is required as it is published; one that is there,
// another repository's, and what a folder on disk replaces are left as they are.
func TestSiblings(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module example.dev/op\n\ngo 1.24\n\nreplace example.dev/op/api => ./apis\n\nreplace example.dev/op/nested => ./nested\n\nreplace example.dev/other => ../other\n\nreplace example.dev/op/fork => example.dev/fork v1.0.0\n",
	})
	published := servers.Reference{Module: "example.dev/op", Version: "v1.2.3"}
	all, err := replacementsOf(published, dir)
	require.NoError(t, err)
	assert.Equal(t, []module.Version{{Path: "example.dev/op/api", Version: "v1.2.3"}}, all.siblings)
	all, err = replacementsOf(servers.Reference{Path: dir}, dir)
	require.NoError(t, err)
	assert.Empty(t, all.siblings)

	before, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, replacements{}.applyTo(t.Context(), dir))
	after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
