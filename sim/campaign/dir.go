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

// Marker is the file that marks the directory of a matrix, and is locked while one is
// executed there.
const Marker = ".matrix"

// Dir is the directory of a matrix, which belongs to its holder until it is closed.
type Dir struct {
	Path  string // absolute
	lock  *flock.Flock
	mutex sync.Mutex // of what is below
	state matrix.State
	err   error // what has kept the state, as it is now, from being written
}

// openDir makes a matrix's directory, and returns the state that an earlier one has left
// there, if it is to be resumed. What is there stays, until clear removes it.
func openDir(out string, resume bool) (*Dir, matrix.State, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, matrix.State{}, userError(fmt.Errorf("--out: %w", err))
	}
	if err := CheckDir(out); err != nil {
		return nil, matrix.State{}, err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, matrix.State{}, userError(fmt.Errorf("--out: %w", err))
	}
	d := &Dir{Path: out, lock: flock.New(filepath.Join(out, Marker), flock.SetPermissions(0o600))}
	ours, err := d.lock.TryLock()
	switch {
	case err != nil:
		return nil, matrix.State{}, fmt.Errorf("--out %q: lock: %w", out, err)
	case !ours:
		return nil, matrix.State{}, fmt.Errorf("--out %q: another matrix is writing there: wait for it, or name another directory", out)
	}
	var earlier matrix.State
	if resume {
		if earlier, err = readState(out); err != nil {
			return nil, matrix.State{}, errors.Join(err, d.close())
		}
	}
	return d, earlier, nil
}

// clear removes what an earlier matrix has left, but for its runs and their state where
// it is resumed: what was said of all of it holds no longer then, either.
func (d *Dir) clear(resume bool) error {
	half, _ := filepath.Glob(filepath.Join(d.Path, servers.HalfWritten)) // the pattern is one
	for _, name := range half {
		_ = os.Remove(name) // of one that was killed; it is in nobody's way
	}
	if !resume {
		if err := d.empty(); err != nil {
			return err
		}
	}
	return nil
}

// CheckDir refuses a directory that cannot be a matrix's, before anything is built. A
// directory that does not exist can.
func CheckDir(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return userError(fmt.Errorf("--out: %w", err))
	case rundir.IsRun(out):
		return userError(fmt.Errorf("--out %q: it holds one run, and a matrix has a directory of its own: name another", out))
	case len(entries) > 0 && !isThere(filepath.Join(out, Marker)):
		return userError(fmt.Errorf("--out %q: it holds files, and no matrix of skewsim: name a new or an empty directory", out))
	}
	return nil
}

// readState reads what an earlier matrix has left. Where there was none, all is to be
// executed.
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
		return s, userError(fmt.Errorf("--resume: %s: %w: leave out --resume to play all of it anew", filepath.Join(dir, matrix.FileName), cause(err)))
	}
	return s, nil
}

// empty removes the runs of an earlier matrix, and what it had said of them. Only what
// is marked as a run is one, and links are not followed.
func (d *Dir) empty() error {
	var problems []error
	pairs, err := os.ReadDir(d.Path)
	if err != nil {
		return userError(fmt.Errorf("--out: %w", err))
	}
	for _, p := range pairs {
		if !p.IsDir() {
			continue
		}
		at := filepath.Join(d.Path, p.Name())
		runs, err := os.ReadDir(at)
		problems = append(problems, err)
		for _, r := range runs {
			if run := filepath.Join(at, r.Name()); r.IsDir() && isThere(filepath.Join(run, rundir.Marker)) {
				problems = append(problems, os.RemoveAll(run))
			}
		}
		_ = os.Remove(at) // it stays where anything else is in it
	}
	if err := os.Remove(filepath.Join(d.Path, matrix.FileName)); !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("--out %q: remove the earlier matrix: %w", d.Path, err)
	}
	return nil
}

// update changes the state, and writes it down at once: whoever kills skewsim has that
// much.
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
	d.err = engine.Advise(err) // each time all of it is written: only the last counts
}

// State returns the state as it is.
func (d *Dir) State() matrix.State {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s := d.state
	s.Cells = append([]matrix.Cell{}, s.Cells...)
	return s
}

func (d *Dir) close() error { return d.lock.Unlock() }

// unbuiltFile holds, in the directory of a matrix, all that was said of builds that could
// not be made.
const unbuiltFile = "unbuilt.txt"

// keepUnbuilt writes down what was said of builds; nothing: of an earlier matrix nothing
// stays.
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

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// userError says that what the user gave is wrong.
func userError(err error) error { return fault.Wrap(fault.User, err) }

// cause returns what is wrong with a file that is named beside it.
func cause(err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}
