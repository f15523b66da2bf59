package apiserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The cache of a server fits in its memory, however much is stored.
func TestMemoryGrowsWithTheStore(t *testing.T) {
	assert.Equal(t, []string{"GOGC=off", "GOMEMLIMIT=1024MiB"}, unhurried(0))
	assert.Equal(t, []string{"GOGC=off", "GOMEMLIMIT=1724MiB"}, unhurried(350<<20))
}
