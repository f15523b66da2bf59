package machine

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUsed: a child counts once it has ended.
func TestUsed(t *testing.T) {
	before, known := Used()
	require.True(t, known)
	assert.Positive(t, before.CPU)
	assert.Positive(t, before.Memory)
	require.NoError(t, exec.Command("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").Run())
	after, _ := Used()
	assert.Greater(t, after.Children, before.Children)
}
