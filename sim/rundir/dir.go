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

// Dir is a run directory. Until Close, no other run can open it.
type Dir struct {
	// Path is absolute, because servers have working directories of their own.
	Path string
	lock *flock.Flock
}

// Open creates and locks an empty run directory. It removes the files of an earlier run. It
// returns a user's error if the directory holds anything else, and an error if another run
// writes there.
func Open(out string) (*Dir, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, fault.ByUser(fault.Optionf("{out}: %w", err))
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, unusable(out, err)
	}
	if err := Check(out); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, unusable(out, err)
	}
	d := &Dir{Path: out, lock: flock.New(filepath.Join(out, Marker), flock.SetPermissions(0o600))}
	ours, err := d.lock.TryLock()
	switch {
	case err != nil:
		return nil, fault.Optionf("{out} %q: lock: %w", out, err)
	case !ours:
		return nil, fault.Optionf("{out} %q: another run is writing there: wait for it, or name another directory", out)
	}
	return d, d.empty(entries)
}

// unusable is the error about a directory that cannot be made or read.
func unusable(out string, err error) error {
	return fault.ByUser(fault.Optionf("{out} %q: %w: name a directory that you can write to", out, err))
}

// Check refuses a directory that cannot hold a run, before anything is built. It accepts a
// directory that does not exist.
func Check(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable(out, err)
	}
	if _, err := os.Lstat(filepath.Join(out, Marker)); len(entries) > 0 && err != nil {
		return fault.ByUser(fault.Optionf("{out} %q: the directory holds files, and no run: name a new or an empty directory", out))
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
		return fault.Optionf("{out} %q: remove the earlier run: %w", d.Path, err)
	}
	return nil
}

// Share links the files of a folder of this directory into another run's directory, so that
// either directory can be removed. It replaces no file of the other directory.
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
		if os.Link(from, to) != nil { // the file system has no links
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

// Close unlocks the directory.
func (d *Dir) Close() error { return d.lock.Unlock() }

// WriteFile writes a file of a run directory atomically. It streams the content, because a
// large run's files do not fit in memory. A run directory may come from elsewhere, so
// WriteFile replaces links and never follows them.
func WriteFile(dir, name string, content func(io.Writer) error) error {
	if err := servers.WriteWhole(filepath.Join(dir, name), content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
