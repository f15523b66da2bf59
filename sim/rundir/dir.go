package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// Marker is the file that marks a run directory, and is locked while a run writes there.
const Marker = ".skewsim"

// Dir is a run directory that belongs to its holder until Close.
type Dir struct {
	// Path is absolute: servers have working directories of their own.
	Path string
	lock *flock.Flock
}

// Open makes an empty run directory, and locks it. It removes what an earlier run left
// there. Errors: it holds anything else, which is the user's error; or another run writes
// there.
func Open(out string) (*Dir, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, userError(fmt.Errorf("--out: %w", err))
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, userError(fmt.Errorf("--out: %w", err))
	}
	if err := Check(out); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, userError(fmt.Errorf("--out: %w", err))
	}
	d := &Dir{Path: out, lock: flock.New(filepath.Join(out, Marker), flock.SetPermissions(0o600))}
	ours, err := d.lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("--out %q: lock: %w", out, err)
	case !ours:
		return nil, fmt.Errorf("--out %q: another run is writing there: wait for it, or name another directory", out)
	}
	return d, d.empty(entries)
}

// Check refuses a directory that cannot be a run's, before anything is built. A directory
// that does not exist can.
func Check(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return userError(fmt.Errorf("--out: %w", err))
	}
	if _, err := os.Lstat(filepath.Join(out, Marker)); len(entries) > 0 && err != nil {
		return userError(fmt.Errorf("--out %q: it holds files, and no run of skewsim: name a new or an empty directory", out))
	}
	return nil
}

func (d *Dir) empty(entries []os.DirEntry) error {
	var problems []error
	for _, e := range entries {
		if e.Name() != Marker {
			problems = append(problems, os.RemoveAll(filepath.Join(d.Path, e.Name())))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("--out %q: remove the earlier run: %w", d.Path, err)
	}
	return nil
}

// Share gives another run's directory the files of a folder of this one: the same files,
// under two names, so that either directory can be removed. Files that the other has itself
// stay.
func (d *Dir) Share(folder string, other *Dir) error {
	entries, err := os.ReadDir(d.File(folder))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(other.File(folder), 0o700); err != nil {
		return err
	}
	var problems []error
	for _, e := range entries {
		from, to := filepath.Join(d.File(folder), e.Name()), filepath.Join(other.File(folder), e.Name())
		if _, err := os.Lstat(to); err == nil || e.IsDir() {
			continue
		}
		if os.Link(from, to) != nil { // a file system without links
			problems = append(problems, copyFile(from, to))
		}
	}
	return errors.Join(problems...)
}

func copyFile(from, to string) error {
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, raw, 0o600)
}

// File returns the path of a file in the directory.
func (d *Dir) File(name string) string { return filepath.Join(d.Path, name) }

// Close lets other runs have the directory.
func (d *Dir) Close() error { return d.lock.Unlock() }

// WriteFile makes a file of a run directory whole or not at all. It writes piece by piece:
// a large run's files are larger than need be in memory. A run directory may come from
// elsewhere, so links in it are replaced, and never followed.
func WriteFile(dir, name string, content func(io.Writer) error) error {
	if err := servers.WriteWhole(filepath.Join(dir, name), content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// userError says that what the user gave is wrong.
func userError(err error) error { return fault.Wrap(fault.User, err) }
