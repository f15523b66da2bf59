package container

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEnded: only what is known to have ended has; what /proc does not show may be
// another user's.
func TestEnded(t *testing.T) {
	sees := func(began string, err error) func(int) (string, error) {
		return func(int) (string, error) { return began, err }
	}
	gone, there := func(int) bool { return true }, func(int) bool { return false }
	for name, c := range map[string]struct {
		startOf func(int) (string, error)
		isGone  func(int) bool
		want    bool
	}{
		"it lives":                    {sees("7", nil), there, false},
		"another has its number":      {sees("8", nil), there, true},
		"nobody has its number":       {sees("", os.ErrNotExist), gone, true},
		"it is hidden":                {sees("", &os.PathError{Op: "open", Path: "/proc/7/stat", Err: os.ErrNotExist}), there, false},
		"it has ended, and is listed": {sees("", errUnburied), there, true},
		"nothing can be known":        {sees("", errors.New("input/output error")), gone, false},
	} {
		assert.Equal(t, c.want, ended(7, "7", c.startOf, c.isGone), name)
	}
}

// TestIsGone asks the kernel, of a process that lives, of one that may not be sent a
// signal, where there is one, and of one that has ended.
func TestIsGone(t *testing.T) {
	assert.False(t, isGone(os.Getpid()))
	assert.False(t, isGone(1), "another user's, but for root")
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(self, "-test.run=^$")
	require.NoError(t, child.Run())
	assert.True(t, isGone(child.Process.Pid))
}
