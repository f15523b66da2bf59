package load

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/skewsim/skewsim/scenarios"
)

// Entry is one scenario of the catalogue.
type Entry struct {
	// Name is the scenario's name, such as emptydir-mode.
	Name string
	// Group is the name of its folder, such as kubernetes.
	Group string
	// Scenario is the scenario as File returns it.
	Scenario *scenarios.Scenario
}

// Path is the entry's full name, such as kubernetes/emptydir-mode.
func (e Entry) Path() string { return path.Join(e.Group, e.Name) }

// Catalogue returns the built-in scenarios, by group and name. An error means that the build
// itself is broken.
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

func loadBuiltIn(name string) (*scenarios.Scenario, error) {
	s, err := FS(scenarios.Files, name)
	if err == nil {
		s.BuiltIn = true
	}
	return s, err
}

// catalogueFiles lists the scenario files; object files lie one folder deeper.
func catalogueFiles() ([]string, error) {
	names, err := fs.Glob(scenarios.Files, "*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return names, nil
}
