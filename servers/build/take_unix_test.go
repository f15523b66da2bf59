//go:build unix

package build

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A lock whose file somebody removed just before it was locked is taken anew: of two who
// hold the lock of one name, one would hold nothing.
func TestRemovedLockIsTakenAnew(t *testing.T) {
	c, err := OpenCache(filepath.Join(t.TempDir(), "cache"))
	require.NoError(t, err)
	first, second := c.newLock("k"), c.newLock("k")
	tries := 0
	ok, err := take(first, func() (bool, error) {
		tries++
		ok, err := first.TryLock()
		if tries == 1 {
			require.NoError(t, os.Remove(first.Path()))
		}
		return ok, err
	})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, 2, tries)
	ok, err = alone(second)
	require.NoError(t, err)
	assert.False(t, ok, "the first has it")
	require.NoError(t, first.Unlock())
	ok, err = alone(second)
	require.NoError(t, err)
	assert.True(t, ok)
}
