package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
)

// ResultFile holds the result of a run.
const ResultFile = "result.json"

// IsRun reports whether a directory is that of a run or a chain: whether it holds a file
// that only they write.
func IsRun(dir string) bool {
	for _, name := range []string{ResultFile, ChainFile, history.FileName, history.PlainFileName, Marker} {
		if Exists(filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// Exists reports whether a path has something, be it only a link to nothing.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// WithoutPath returns an error without the path that the file system gave it, for a caller
// that names the path itself.
func WithoutPath(err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}

// maxRead is the size up to which a file is read whole.
const maxRead = 64 << 20

// ReadRegular reads a regular file. It refuses a pipe, which might never end, and a file
// that is too large.
func ReadRegular(name string) ([]byte, error) {
	f, err := servers.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if at, err := f.Stat(); err == nil && at.Size() > maxRead {
		return nil, fmt.Errorf("%s: %d MB: no document is that large, at most %d MB are read", name, at.Size()>>20, maxRead>>20)
	}
	return io.ReadAll(io.LimitReader(f, maxRead))
}
