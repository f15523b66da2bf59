package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// marker tells a run directory from any other, and is locked while a run
// writes there.
const marker = ".skewsim"

// runDir is a run directory that is ours while we hold its lock.
type runDir struct {
	path string
	lock *flock.Flock
}

// openRunDir makes out an empty run directory. What an earlier run left there
// is removed; a directory that holds anything else is refused.
func openRunDir(out string) (*runDir, error) {
	// Servers have working directories of their own.
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, usage(fmt.Errorf("--out: %w", err))
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, usage(fmt.Errorf("--out: %w", err))
	}
	if err := checkOut(out); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, usage(fmt.Errorf("--out: %w", err))
	}
	d := &runDir{path: out, lock: flock.New(filepath.Join(out, marker), flock.SetPermissions(0o600))}
	ours, err := d.lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("--out %q: lock: %w", out, err)
	case !ours:
		return nil, fmt.Errorf("--out %q: another run is writing there: wait for it, or name another directory", out)
	}
	return d, d.empty(entries)
}

// checkOut tells of a directory that cannot be a run's, as far as can be told before
// anything is made: that there is none yet is no error.
func checkOut(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	if _, err := os.Lstat(filepath.Join(out, marker)); len(entries) > 0 && err != nil {
		return usage(fmt.Errorf("--out %q: it holds files, and no run of skewsim: name a new or an empty directory", out))
	}
	return nil
}

func (d *runDir) empty(entries []os.DirEntry) error {
	var problems []error
	for _, e := range entries {
		if e.Name() != marker {
			problems = append(problems, os.RemoveAll(filepath.Join(d.path, e.Name())))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("--out %q: remove the earlier run: %w", d.path, err)
	}
	return nil
}

// share has another run's directory hold the files of a folder of this one as well:
// the same files, under two names, so that either directory can go. What the other
// has itself stays.
func (d *runDir) share(folder string, other *runDir) error {
	entries, err := os.ReadDir(d.file(folder))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(other.file(folder), 0o700); err != nil {
		return err
	}
	var problems []error
	for _, e := range entries {
		from, to := filepath.Join(d.file(folder), e.Name()), filepath.Join(other.file(folder), e.Name())
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

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

func (d *runDir) close() error { return d.lock.Unlock() }
