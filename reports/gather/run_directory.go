package gather

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Directory refuses a missing directory, and a file where a directory is expected.
func Directory(name string) error {
	const wanted = "give the directory that a run left (default out/<scenario>)"
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such directory: %s", name, wanted)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: is a file: %s", name, wanted)
	}
	return nil // whoever reads it reports any other error
}

// RunDirectory refuses a directory that holds runs and is not a run's own, such as that of
// a matrix. Whoever reads another directory reports what it lacks.
func RunDirectory(dir string) error {
	if err := Directory(dir); err != nil || rundir.IsRun(dir) {
		return err
	}
	below := runsBelow(dir)
	what := "holds runs"
	switch {
	case rundir.Exists(filepath.Join(dir, matrix.FileName)):
		what = "is the directory of a matrix"
	case len(below) == 0:
		return nil
	}
	which := ""
	if len(below) > 0 {
		which = "give the directory of one run (" + few(below) + "), or "
	}
	return fmt.Errorf("%s: %s: %sdraw all runs on one page with skewsim report merge %s", dir, what, which, shell.Quote(dir))
}

// runsBelow returns the directories of runs in a directory, and in those that it holds, as a
// matrix has them.
func runsBelow(dir string) (all []string) {
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		found, _ := fs.Glob(os.DirFS(dir), filepath.ToSlash(pattern)) // the pattern is valid
		for _, name := range found {
			if at := filepath.Join(dir, filepath.FromSlash(name)); rundir.IsRun(at) {
				all = append(all, at)
			}
		}
	}
	return all
}

// few names the first of some directories.
func few(dirs []string) string {
	const most = 3
	if len(dirs) > most {
		return strings.Join(dirs[:most], ", ") + ", ..."
	}
	return strings.Join(dirs, ", ")
}
