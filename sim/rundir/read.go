package rundir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/sim/history"
)

// ResultFile holds the result of a run.
const ResultFile = "result.json"

// IsRun reports whether a directory is that of a run or a chain: whether it holds a file
// that only they write.
func IsRun(dir string) bool {
	for _, name := range []string{ResultFile, ChainFile, history.FileName, Marker} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// mostRead is the size up to which a file is read whole.
const mostRead = 64 << 20

// ReadRegular reads a regular file. It refuses a pipe, which might never end, and a file
// that is too large.
func ReadRegular(name string) ([]byte, error) {
	at, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !at.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file: copy its content into one, and name that", name)
	case at.Size() > mostRead:
		return nil, fmt.Errorf("%s: %d MB: no document is that large, at most %d MB are read", name, at.Size()>>20, mostRead>>20)
	}
	return os.ReadFile(name)
}
