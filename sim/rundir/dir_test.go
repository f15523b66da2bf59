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

// TestRunDirIsAbsolute holds that servers, whose working directories are their
// own, find what lies in a run directory that was named relative to ours.
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

// TestRunDirIsTaken: that another run goes on in a directory is nobody's mistake; that it
// holds something else is.
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

// TestReplaceFollowsNoLink holds that judging a run directory from elsewhere
// changes nothing outside it.
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
