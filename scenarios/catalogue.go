package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// files holds the catalogue. Only the embed package writes to it.
//
//go:embed kubernetes frobber crd aggregated
var files embed.FS

// Entry is one scenario of the catalogue.
type Entry struct {
	// Name is the scenario's name, such as emptydir-mode.
	Name string
	// Group is the folder it lies in, such as kubernetes.
	Group string
	// Scenario is what Load returns for it.
	Scenario *Scenario
}

// Path is the entry's full name, such as kubernetes/emptydir-mode.
func (e Entry) Path() string { return path.Join(e.Group, e.Name) }

// Catalogue returns the scenarios that are built in, by group and name. An
// error means that the build itself is broken.
func Catalogue() ([]Entry, error) {
	names, err := catalogueFiles()
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(names))
	for i, name := range names {
		s, err := loadBuiltIn(name)
		if err != nil {
			return nil, err
		}
		entries[i] = Entry{Name: s.Name, Group: path.Dir(name), Scenario: s}
	}
	return entries, nil
}

func loadBuiltIn(name string) (*Scenario, error) {
	s, err := LoadFS(files, name)
	if err == nil {
		s.BuiltIn = true
	}
	return s, err
}

// catalogueFiles lists the scenario files; object files lie one folder deeper.
func catalogueFiles() ([]string, error) {
	names, err := fs.Glob(files, "*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return names, nil
}

// CatalogueFS returns the catalogue's files, to copy from.
func CatalogueFS() fs.FS { return files }

// Find returns the scenario that a user names: a file, which ends in .yaml, or
// one of the catalogue by its name or its full name (emptydir-mode,
// kubernetes/emptydir-mode). A twin's name may follow (add-field+required): the
// scenario then plays it. For an unknown name the error suggests the nearest;
// otherwise errors are as for Load.
func Find(nameOrFile string) (*Scenario, error) {
	name, twin, isTwin := cutTwin(nameOrFile)
	s, err := find(name)
	if err != nil || !isTwin {
		return s, err
	}
	if err := s.play(twin); err != nil {
		return nil, err
	}
	return s, nil
}

func find(nameOrFile string) (*Scenario, error) {
	if isFile(nameOrFile) {
		return Load(nameOrFile)
	}
	names, err := catalogueFiles()
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		full := strings.TrimSuffix(file, ".yaml")
		if nameOrFile == full || nameOrFile == path.Base(full) {
			return loadBuiltIn(file)
		}
	}
	return nil, unknownScenario(nameOrFile, names)
}

// Match lists the full names of the catalogue's scenarios that match a pattern of
// path.Match: frobber/*, or gate-* whatever their group. A pattern with a plus sign
// means twins: frobber/add-field+*. An error: the pattern is none, or none matches.
func Match(pattern string) ([]string, error) {
	entries, err := Catalogue()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		for _, name := range e.names(strings.Contains(pattern, "+")) {
			full, err := path.Match(pattern, path.Join(e.Group, name))
			if short, _ := path.Match(pattern, name); full || short {
				all = append(all, path.Join(e.Group, name))
			}
			if err != nil {
				return nil, fmt.Errorf("scenario %s: no pattern of names: %w", quote(pattern), err)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("scenario %s: matches no name of the catalogue; see skewsim list", quote(pattern))
	}
	return all, nil
}

// names are the scenario's name, or those of its twins.
func (e Entry) names(twins bool) []string {
	if !twins {
		return []string{e.Name}
	}
	var all []string
	for _, twin := range e.Scenario.TwinNames() {
		all = append(all, e.Name+"+"+twin)
	}
	return all
}

func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// mostNear is how many names are offered to whom no single one is.
const mostNear = 5

func unknownScenario(name string, files []string) error {
	var known, full []string
	for _, file := range files {
		f := strings.TrimSuffix(file, ".yaml")
		full = append(full, f)
		known = append(known, f, path.Base(f))
	}
	near, some := "; see skewsim list", beginning(path.Base(name), full)
	if len(some) == 0 {
		some = nearestFew(path.Base(name), full, mostNear)
	}
	if len(some) > 0 {
		near = fmt.Sprintf(" (the nearest: %s; see skewsim list)", strings.Join(some[:min(mostNear, len(some))], ", "))
	}
	if one := nearest(name, known); one != "" && len(beginning(path.Base(name), full)) < 2 {
		near = fmt.Sprintf(": did you mean %q?", one)
	}
	return fmt.Errorf("scenario %s: neither a file that ends in .yaml nor in the catalogue%s", quote(name), near)
}
