package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// openMerged makes the directory of a page, and returns its real path, from which links on the page
// start. It refuses a directory that holds a run, or a page that Write did not write.
func openMerged(dir string) (string, error) {
	if rundir.IsRun(dir) {
		return "", fault.ByUser(fault.Optionf("{out} %q: it holds a run: name another directory", dir))
	}
	if rundir.Exists(filepath.Join(dir, reports.MergedPage)) && !rundir.Exists(filepath.Join(dir, reports.MergedData)) {
		return "", fault.ByUser(fault.Optionf("{out} %q: it holds an %s that merge did not write: name another directory", dir, reports.MergedPage))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.ByUser(fault.Optionf("{out}: %w", err))
	}
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fault.Optionf("{out}: %w", err)
	}
	return filepath.Abs(at)
}

// clearMerged removes the files that Write writes.
func clearMerged(dir string) error {
	var problems []error
	for _, file := range slices.Backward(reports.MergedFiles(false)) {
		if err := os.Remove(filepath.Join(dir, file.Name)); !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// writeAllMerged writes the page and the other files of the runs. With allowImpacts impacts are no
// failure in junit.xml.
func writeAllMerged(dir string, runs *gather.Runs, allowImpacts bool) (result.Merged, error) {
	m := result.Merge(runs.Sources(), runs.Notes()...)
	var err error
	for _, file := range reports.MergedFiles(allowImpacts) {
		err = errors.Join(err, rundir.WriteFile(dir, file.Name, func(w io.Writer) error { return file.Write(w, m, runs.Sources()) }))
	}
	return m, err
}
