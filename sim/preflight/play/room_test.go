package play

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
)

// TestRoom: a store that does not fit twice is not copied; a small one is.
func TestRoom(t *testing.T) {
	if _, known := machine.FreeDisk(t.TempDir()); !known {
		t.Skip("the space is not known on this system")
	}
	store := t.TempDir()
	file := filepath.Join(store, "db")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	assert.NoError(t, room(t.TempDir(), store))
	require.NoError(t, os.Truncate(file, 1<<43)) // a hole
	err := room(t.TempDir(), store)
	assert.True(t, fault.Has(err, fault.DiskFull), "%v", err)
}
