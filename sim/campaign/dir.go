package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Marker is the file that marks the directory of a matrix. It is locked while a matrix is
// executed there.
const Marker = ".matrix"

// Dir is the directory of a matrix. Until it is closed, no other matrix can open it.
type Dir struct {
	Path  string // absolute
	lock  *flock.Flock
	mutex sync.Mutex // guards the fields below
	state matrix.State
	err   error // why the current state could not be written
}

// openDir makes a matrix's directory and returns the state of an earlier matrix there, if
// it is to be resumed. It removes no files; clear does.
func openDir(out string, resume bool) (*Dir, matrix.State, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, matrix.State{}, fault.ByUser(fault.Optionf("{out}: %w", err))
	}
	if err := CheckDir(out); err != nil {
		return nil, matrix.State{}, err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, matrix.State{}, fault.ByUser(fault.Optionf("{out}: %w", err))
	}
	d := &Dir{Path: out, lock: flock.New(filepath.Join(out, Marker), flock.SetPermissions(0o600))}
	ours, err := d.lock.TryLock()
	switch {
	case err != nil:
		return nil, matrix.State{}, fault.Optionf("{out} %q: lock: %w", out, err)
	case !ours:
		return nil, matrix.State{}, fault.Optionf("{out} %q: another matrix is writing there: wait for it, or name another directory", out)
	}
	var earlier matrix.State
	if resume {
		if earlier, err = readState(out); err != nil {
			return nil, matrix.State{}, errors.Join(err, d.close())
		}
	}
	return d, earlier, nil
}

// clear removes the files of an earlier matrix. On resume it keeps the runs and their
// state, and removes the summaries, which are out of date.
func (d *Dir) clear(resume bool) error {
	half, _ := filepath.Glob(filepath.Join(d.Path, servers.HalfWritten)) // the pattern is valid
	for _, name := range half {
		_ = os.Remove(name) // the half-written file of a killed run; it disturbs nobody if it stays
	}
	if !resume {
		if err := d.empty(); err != nil {
			return err
		}
	}
	return nil
}

// CheckDir refuses a directory that cannot hold a matrix, before anything is built. It
// accepts a directory that does not exist.
func CheckDir(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.ByUser(fault.Optionf("{out}: %w", err))
	case rundir.IsRun(out):
		return fault.ByUser(fault.Optionf("{out} %q: the directory holds a single run: name another for the matrix", out))
	case len(entries) > 0 && !rundir.Exists(filepath.Join(out, Marker)):
		return fault.ByUser(fault.Optionf("{out} %q: the directory holds files, and no matrix: name a new or an empty directory", out))
	}
	return nil
}

// CheckResume refuses a directory in which no matrix was executed.
func CheckResume(out string) error {
	if rundir.Exists(filepath.Join(out, Marker)) || rundir.Exists(filepath.Join(out, matrix.FileName)) {
		return nil
	}
	return fault.ByUser(fault.Optionf("{resume}: nothing to resume in %s: name the {out} of an earlier matrix, or leave out {resume} to begin one", out))
}

// readState reads the state of an earlier matrix. It returns an empty state if no matrix
// was executed there, so that every cell is executed.
func readState(dir string) (matrix.State, error) {
	raw, err := rundir.ReadRegular(filepath.Join(dir, matrix.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return matrix.State{}, nil
	}
	var s matrix.State
	if err == nil {
		s, err = matrix.Read(raw)
	}
	if err != nil {
		return s, fault.ByUser(fault.Optionf("{resume}: %s: %w: leave out {resume} to run all of it again", filepath.Join(dir, matrix.FileName), rundir.WithoutPath(err)))
	}
	return s, nil
}

// empty removes the runs and summaries of an earlier matrix. It removes only directories
// that are marked as runs, and follows no links.
func (d *Dir) empty() error {
	var problems []error
	pairs, err := os.ReadDir(d.Path)
	if err != nil {
		return fault.ByUser(fault.Optionf("{out}: %w", err))
	}
	for _, p := range pairs {
		if !p.IsDir() {
			continue
		}
		at := filepath.Join(d.Path, p.Name())
		runs, err := os.ReadDir(at)
		problems = append(problems, err)
		for _, r := range runs {
			if run := filepath.Join(at, r.Name()); r.IsDir() && rundir.Exists(filepath.Join(run, rundir.Marker)) {
				problems = append(problems, os.RemoveAll(run))
			}
		}
		_ = os.Remove(at) // fails if the directory holds other files, which stay
	}
	if err := os.Remove(filepath.Join(d.Path, matrix.FileName)); !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return fault.Optionf("{out} %q: remove the earlier matrix: %w", d.Path, err)
	}
	return nil
}

// update changes the state and writes it at once, so that the file is current if skewsim is
// killed.
func (d *Dir) update(change func(*matrix.State)) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	change(&d.state)
	d.state.Sum()
	err := rundir.WriteFile(d.Path, matrix.FileName, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(d.state)
	})
	d.err = engine.Advise(err) // the whole state is written each time, so only the last error counts
}

// State returns the current state.
func (d *Dir) State() matrix.State {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s := d.state
	s.Cells = append([]matrix.Cell{}, s.Cells...)
	return s
}

func (d *Dir) close() error { return d.lock.Unlock() }

// unbuiltFile holds, in the directory of a matrix, the errors of builds that failed.
const unbuiltFile = "unbuilt.txt"

// keepUnbuilt writes the errors of builds. Without errors it removes the file of an earlier
// matrix.
func (d *Dir) keepUnbuilt(texts []string) error {
	if len(texts) > 0 {
		return engine.Advise(rundir.WriteFile(d.Path, unbuiltFile, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, strings.Join(texts, "\n\n"))
			return err
		}))
	}
	if err := os.Remove(filepath.Join(d.Path, unbuiltFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
