package converter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

	all, err := outsideOf(servers.Reference{Module: "example.dev/op", Version: "v1.0.0"}, dir)
	require.NoError(t, err)
	assert.Empty(t, all)
	write("op/vendor/modules.txt", "# example.dev/shared v0.0.0 => ../shared\n")
	all, err = outsideOf(ref, dir)
	require.NoError(t, err)
	assert.Empty(t, all)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "vendor")))
	require.NoError(t, os.RemoveAll(filepath.Join(top, "shared")))
	_, err = Command(ref, dir, "op", "cmd")
	assert.ErrorContains(t, err, "go.mod replaces example.dev/shared by a folder")
}
