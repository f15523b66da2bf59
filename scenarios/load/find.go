package load

import (
	"fmt"
	"path"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
)

// Find returns the scenario that a user names: a file, which ends in .yaml, or one of the
// catalogue by its name or its full name (emptydir-mode, kubernetes/emptydir-mode). A mutant's
// name may follow (add-field+required): the scenario then plays the mutant. For an unknown name
// the error suggests the nearest one; otherwise errors are those of File.
func Find(nameOrFile string) (*scenarios.Scenario, error) {
	name, mutant, isMutant := cutMutant(nameOrFile)
	s, err := find(name)
	if err != nil || !isMutant {
		return s, err
	}
	if err := play(s, mutant); err != nil {
		return nil, err
	}
	return s, nil
}

func find(nameOrFile string) (*scenarios.Scenario, error) {
	if isFile(nameOrFile) {
		return File(nameOrFile)
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

// Match returns the full names of the catalogue's scenarios that match a pattern of path.Match:
// frobber/*, or gate-* in any group. A pattern with a plus sign matches mutants:
// frobber/add-field+*. It returns an error if the pattern is invalid or matches nothing.
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
				return nil, fmt.Errorf("scenario %s: invalid pattern: %w", strict.Quote(pattern), err)
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("scenario %s: matches no name in the catalogue; see skewsim list", strict.Quote(pattern))
	}
	return all, nil
}

// names returns the scenario's name, or the names of its mutants.
func (e Entry) names(mutants bool) []string {
	if !mutants {
		return []string{e.Name}
	}
	var all []string
	for _, mutant := range e.Scenario.MutantNames() {
		all = append(all, e.Name+"+"+mutant)
	}
	return all
}

func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// maxNear is how many names an error suggests if no single one is near.
const maxNear = 5

func unknownScenario(name string, files []string) error {
	var known, full []string
	for _, file := range files {
		f := strings.TrimSuffix(file, ".yaml")
		full = append(full, f)
		known = append(known, f, path.Base(f))
	}
	near, some := "; see skewsim list", suggest.Completions(path.Base(name), full)
	if len(some) == 0 {
		some = suggest.NearestFew(path.Base(name), full, maxNear)
	}
	if len(some) > 0 {
		near = fmt.Sprintf(" (the nearest: %s; see skewsim list)", strings.Join(some[:min(maxNear, len(some))], ", "))
	}
	if one := suggest.Nearest(name, known); one != "" && len(suggest.Completions(path.Base(name), full)) < 2 {
		near = fmt.Sprintf(": did you mean %q?", one)
	}
	return fmt.Errorf("scenario %s: neither a file that ends in .yaml nor in the catalogue%s", strict.Quote(name), near)
}

// cutMutant splits a mutant's name from a scenario's. The names of files and folders may
// contain a plus sign: for a file, only what follows its extension is a mutant.
func cutMutant(name string) (scenario, mutant string, isMutant bool) {
	if isFile(name) {
		return name, "", false
	}
	if at := strings.LastIndex(name, "+"); at >= 0 && isFile(name[:at]) {
		return name[:at], name[at+1:], true
	}
	return strings.Cut(name, "+")
}

// play selects one of the scenario's mutants.
func play(s *scenarios.Scenario, mutant string) error {
	if _, known := s.Mutants[mutant]; known {
		s.Mutant = mutant
		return nil
	}
	if len(s.Mutants) == 0 {
		return fmt.Errorf("scenario %s: has no mutants, so none named %s", strict.Quote(s.Name), strict.Quote(mutant))
	}
	names := s.MutantNames()
	near := suggest.Nearest(mutant, names)
	if near != "" {
		near = fmt.Sprintf(": did you mean %q?", near)
	}
	return fmt.Errorf("scenario %s: unknown mutant %s (mutants: %s)%s", strict.Quote(s.Name), strict.Quote(mutant), strings.Join(names, ", "), near)
}
