package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEmulatedVersion: a server that emulates another release is still its own, and none
// emulates a later one.
func TestEmulatedVersion(t *testing.T) {
	said, err := run("--release=1.18", "--emulated-version=1.17", "--version")
	require.NoError(t, err)
	assert.Equal(t, "Frobber v1.18.0\n", said)
	_, err = run("--release=1.18", "--emulated-version=1.19", "--version")
	assert.ErrorContains(t, err, "--emulated-version")
}
