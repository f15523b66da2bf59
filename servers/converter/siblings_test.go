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

// TestSiblings: a folder of the repository that a published archive does not have is required as it is published; one that is there,
// another repository's, and what a folder on disk replaces are left as they are.
func TestSiblings(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module example.dev/op\n\ngo 1.24\n\nreplace example.dev/op/api => ./apis\n\nreplace example.dev/op/nested => ./nested\n\nreplace example.dev/other => ../other\n\nreplace example.dev/op/fork => example.dev/fork v1.0.0\n",
	})
	published := servers.Reference{Module: "example.dev/op", Version: "v1.2.3"}
	all, err := siblings(published, dir)
	require.NoError(t, err)
	assert.Equal(t, []module.Version{{Path: "example.dev/op/api", Version: "v1.2.3"}}, all)
	all, err = siblings(servers.Reference{Path: dir}, dir)
	require.NoError(t, err)
	assert.Empty(t, all)

	before, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, requireSiblings(t.Context(), dir, nil))
	after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
