package play

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWriteIntoFile: scenarios need a directory, which may not exist yet; a file is refused before
// anything is played.
func TestWriteIntoFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	request := func(write string) Request {
		r := Request{Timeout: time.Minute, Write: write}
		r.Pair = "frobber@1.0..1.1"
		return r
	}
	assert.ErrorContains(t, request(file).Check(), file)
	assert.NoError(t, request(dir).Check())
	assert.NoError(t, request(filepath.Join(dir, "new")).Check())
	assert.NoError(t, request("").Check())
}
