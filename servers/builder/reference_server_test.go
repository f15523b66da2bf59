package builder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestMakeReferenceServer: the executable is made of the module of the current directory, and
// kept for it. The error for a module that does not require skewsim says how to get one.
func TestMakeReferenceServer(t *testing.T) {
	bin := t.TempDir()
	script := `#!/bin/sh
case "$1" in
env) echo "$PWD/go.mod" ;;
build) [ -e "$PWD/requires" ] || { echo "no required module provides package $4" >&2; exit 1; }; printf '#!/bin/sh\n[ "$1" = releases ] && echo 1.1 || echo Frobber v1.1.0\n' > "$3"; chmod +x "$3" ;;
esac
`
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o700))
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	ref, err := servers.ParseReference("frobber@1.1")
	require.NoError(t, err)

	b := New(Config{MakesReferenceServer: true})
	assert.False(t, b.IsBuilt(t.Context(), ref))
	_, err = b.Build(t.Context(), ref)
	assert.ErrorContains(t, err, "no required module provides package")
	assert.ErrorContains(t, err, "@VERSION")

	require.NoError(t, os.WriteFile("requires", nil, 0o600))
	b = New(Config{MakesReferenceServer: true})
	first, err := b.Build(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, "v1.1.0", first.Version)
	assert.True(t, b.IsBuilt(t.Context(), ref))
	second, err := New(Config{MakesReferenceServer: true}).Build(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, first.Path, second.Path)

	_, err = New(Config{}).Build(t.Context(), ref)
	assert.ErrorContains(t, err, "@VERSION", "a program of a checkout makes none by itself")
}
