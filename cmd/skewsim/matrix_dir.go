package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

const (
	// matrixFile is the state of a matrix.
	matrixFile = "matrix.json"
	// matrixMarker tells a matrix's directory from any other, and is locked while one
	// is played there.
	matrixMarker = ".matrix"
)

// matrixDir is the directory of a matrix, which is ours while we hold its lock.
type matrixDir struct {
	path  string
	lock  *flock.Flock
	mutex sync.Mutex // of what is below
	state matrix.State
	err   error // what has kept the state, as it is now, from being written
}

// openMatrixDir makes out a matrix's directory, and gives the state that an earlier one
// has left there, if it is to be resumed. What is there stays, until clear removes it.
func openMatrixDir(out string, resume bool) (*matrixDir, matrix.State, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, matrix.State{}, usage(fmt.Errorf("--out: %w", err))
	}
	if err := checkMatrixOut(out); err != nil {
		return nil, matrix.State{}, err
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, matrix.State{}, usage(fmt.Errorf("--out: %w", err))
	}
	d := &matrixDir{path: out, lock: flock.New(filepath.Join(out, matrixMarker), flock.SetPermissions(0o600))}
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
func (d *matrixDir) clear(resume bool) error {
	half, _ := filepath.Glob(filepath.Join(d.path, servers.HalfWritten)) // the pattern is one
	for _, name := range half {
		_ = os.Remove(name) // of one that was killed; it is in nobody's way
	}
	if !resume {
		if err := d.empty(); err != nil {
			return err
		}
	}
	return removeMerged(d.path)
}

// checkMatrixOut tells of a directory that cannot be a matrix's. That there is none yet
// is no error.
func checkMatrixOut(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usage(fmt.Errorf("--out: %w", err))
	case isRun(out):
		return usage(fmt.Errorf("--out %q: it holds one run, and a matrix has a directory of its own: name another", out))
	case len(entries) > 0 && !isThere(filepath.Join(out, matrixMarker)):
		return usage(fmt.Errorf("--out %q: it holds files, and no matrix of skewsim: name a new or an empty directory", out))
	}
	return nil
}

// readState reads what an earlier matrix has left. Where there was none, all is to be
// played.
func readState(dir string) (matrix.State, error) {
	raw, err := readRegular(filepath.Join(dir, matrixFile))
	if errors.Is(err, fs.ErrNotExist) {
		return matrix.State{}, nil
	}
	var s matrix.State
	if err == nil {
		s, err = matrix.Read(raw)
	}
	if err != nil {
		return s, usage(fmt.Errorf("--resume: %s: %w: leave out --resume to play all of it anew", filepath.Join(dir, matrixFile), withoutPath(err)))
	}
	return s, nil
}

// empty removes the runs of an earlier matrix, and what it had said of them. Only what
// is marked as a run is one, and links are not followed.
func (d *matrixDir) empty() error {
	var problems []error
	pairs, err := os.ReadDir(d.path)
	if err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	for _, p := range pairs {
		if !p.IsDir() {
			continue
		}
		at := filepath.Join(d.path, p.Name())
		runs, err := os.ReadDir(at)
		problems = append(problems, err)
		for _, r := range runs {
			if run := filepath.Join(at, r.Name()); r.IsDir() && isThere(filepath.Join(run, rundir.Marker)) {
				problems = append(problems, os.RemoveAll(run))
			}
		}
		_ = os.Remove(at) // it stays where anything else is in it
	}
	if err := os.Remove(filepath.Join(d.path, matrixFile)); !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("--out %q: remove the earlier matrix: %w", d.path, err)
	}
	return nil
}

// update changes the state, and writes it down at once: whoever kills skewsim has that
// much.
func (d *matrixDir) update(change func(*matrix.State)) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	change(&d.state)
	d.state.Sum()
	err := rundir.WriteFile(d.path, matrixFile, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(d.state)
	})
	d.err = engine.Advise(err) // each time all of it is written: only the last counts
}

// now is the state as it is.
func (d *matrixDir) now() matrix.State {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	s := d.state
	s.Cells = append([]matrix.Cell{}, s.Cells...)
	return s
}

func (d *matrixDir) close() error { return d.lock.Unlock() }
