package skewtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/load"
)

// problems returns what is wrong in terms of Go: calls that no file could contain, a name that
// no file could have, and a scenario without lines.
func (s *ScenarioSpec) problems() error {
	all := slices.Clone(s.errs)
	at := ""
	if s.at.known() {
		at = s.at.String() + ": "
	}
	if s.model.Name == "" {
		all = append(all, fmt.Errorf("%sthe scenario has no name: pass one to Scenario, such as my-field", at))
	} else if why := load.BadName(s.model.Name); why != "" {
		all = append(all, fmt.Errorf("%sscenario name %q: %s", at, s.model.Name, why))
	}
	all = append(all, s.Lines.problems()...)
	for _, e := range s.expect {
		all = append(all, e.errs...)
	}
	if len(all) == 0 && len(s.model.Play)+len(s.all) == 0 {
		all = append(all, fmt.Errorf("%sscenario %s has no lines: add them with Create, Touch, Set, Patch, Get, List or Delete", at, s.model.Name))
	}
	return errors.Join(all...)
}

// problems returns the errors of the lines and of those that follow them.
func (ls *Lines) problems() (all []error) {
	for _, l := range ls.all {
		all = append(append(all, l.errs...), l.then.problems()...)
	}
	return all
}

// isNil returns the error for an argument that is nil.
func isNil(at position, what string) error { return fmt.Errorf("%s: %s is nil", at, what) }
