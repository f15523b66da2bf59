package rundir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/sim/history"
)

// ResultFile holds the result of a run.
const ResultFile = "result.json"

// IsRun reports whether a directory is that of a run, or a chain: whether it holds anything
// that only they leave.
func IsRun(dir string) bool {
	for _, name := range []string{ResultFile, ChainFile, history.FileName, Marker} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// mostRead is how large a file is at most that is read whole.
const mostRead = 64 << 20

// ReadRegular reads a file. A pipe, which may never say anything, is refused, and so is a
// file too large to be what is looked for.
func ReadRegular(name string) ([]byte, error) {
	at, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !at.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file: write what it has into one, and name that", name)
	case at.Size() > mostRead:
		return nil, fmt.Errorf("%s: %d MB: more than any document has, at most %d MB are read", name, at.Size()>>20, mostRead>>20)
	}
	return os.ReadFile(name)
}
