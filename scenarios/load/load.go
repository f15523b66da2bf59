package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// File reads a scenario and its object files, which must be in the scenario's own folder. It
// sets the defaults, except of at and read, which the plan decides. It returns all mistakes in
// the files at once, as strict.Errors; any other error means that a file cannot be read.
func File(file string) (*scenarios.Scenario, error) {
	data, err := readScenario(file)
	if err != nil {
		return nil, err
	}
	// A Root keeps names and links in a scenario from leading out of the folder.
	folder, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %w", file, err)
	}
	defer folder.Close()
	return parse(file, data, folder.FS())
}

// FS is File for a file in fsys, such as the catalogue's own file system. It follows links as
// far as fsys does.
func FS(fsys fs.FS, name string) (*scenarios.Scenario, error) {
	data, err := readRegular(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %w", name, cause(err))
	}
	folder, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %w", name, err)
	}
	return parse(name, data, folder)
}

// readScenario reads the scenario's own file, which may be a link because the user named it.
func readScenario(file string) ([]byte, error) {
	folder := os.DirFS(filepath.Dir(file))
	data, err := readRegular(folder, filepath.Base(file))
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %w", file, cause(err))
	}
	return data, nil
}

// errNotRegular is the error for devices, pipes and folders: reading some of them never ends.
var errNotRegular = errors.New("not a regular file")

// readRegular reads one byte more than the limit at most, to detect a file that is too large.
func readRegular(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
}

// cause removes the operation and the name from an error: the caller reports them already.
func cause(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}

// parse turns a scenario's bytes and the object files in its folder into a
// Scenario.
func parse(file string, data []byte, folder fs.FS) (*scenarios.Scenario, error) {
	p := &strict.Problems{File: file}
	s := &scenarios.Scenario{File: file, Lines: map[string]int{}, Manifests: map[string]scenarios.Manifest{}}
	if n := strict.ParseDocument(data, p); n != nil {
		d := strict.Decoder{Problems: p, Lines: s.Lines}
		d.Decode(n, s)
		s.Earlier = p.Earlier
		scenarios.ApplyDefaults(s)
		Validate(s, p)
		loadManifests(s, folder, p)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return s, nil
}
