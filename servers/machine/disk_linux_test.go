package machine

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFreeDisk(t *testing.T) {
	free, known := FreeDisk(t.TempDir())
	assert.True(t, known)
	assert.Positive(t, free)
	_, known = FreeDisk(filepath.Join(t.TempDir(), "missing"))
	assert.False(t, known)
}
