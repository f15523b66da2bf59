package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/skewsim/skewsim/servers/fault"
)

// Scratch makes a directory for what does not outlive the process, in TMPDIR or where the system has such
// directories.
func Scratch(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err == nil {
		return dir, nil
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	err = fmt.Errorf("make a directory for temporary files in %s: %w: name a directory that you can write to with the environment variable TMPDIR", os.TempDir(), err)
	if f := fault.Of(err); f.Kind == fault.Infrastructure { // no room
		return "", err
	}
	return "", fault.ByUser(err)
}
