package rundir

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestRunDirIsAbsolute: servers, which have working directories of their own, find the
// files of a run directory that the user named by a relative path.
func TestRunDirIsAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	d, err := Open(filepath.Join("out", "mine"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if !filepath.IsAbs(d.File("secrets")) {
		t.Errorf("%q is relative", d.File("secrets"))
	}
}

// TestRunDirIsTaken: another run in a directory is not the user's error; other files in it
// are.
func TestRunDirIsTaken(t *testing.T) {
	mine, others := t.TempDir(), t.TempDir()
	d, err := Open(mine)
	require.NoError(t, err)
	_, err = Open(mine)
	assert.ErrorContains(t, err, "another run is writing there")
	assert.False(t, isUser(err))
	require.NoError(t, d.Close())
	d, err = Open(mine)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	require.NoError(t, os.WriteFile(filepath.Join(others, "thesis.txt"), nil, 0o600))
	_, err = Open(others)
	assert.True(t, isUser(err))
}

// TestReplaceFollowsNoLink: judging a run directory from elsewhere changes nothing outside
// it.
func TestReplaceFollowsNoLink(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"result.json", ".result.json"} {
		if err := os.Symlink(victim, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFile(dir, "result.json", func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	was, errVictim := os.ReadFile(victim)
	is, errNew := os.ReadFile(filepath.Join(dir, "result.json"))
	if errVictim != nil || errNew != nil || string(was) != "mine" || string(is) != "new" {
		t.Errorf("victim %q (%v), result %q (%v)", was, errVictim, is, errNew)
	}
}

func isUser(err error) bool {
	return fault.Is(err, fault.User)
}
