package precheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/schema"
)

// Errors of a scenario's file, or of options that a user adds.

// Fault returns that the error is the user's.
func (e *DefaultError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Error names the file, the field and what to do.
func (e *DefaultError) Error() string {
	return fmt.Sprintf("%s: %s: %s is the field's default, so that a loss of it would look like the value kept: give it another value",
		e.At, e.Path, e.Value)
}

// DefaultError reports that a treated value equals its field's default.
type DefaultError struct {
	At, Path, Value string // At is the file, with the line if it is known
}

// checkTreated refuses, before the roll-out, a treated value that equals its field's
// published default: a default that replaces a lost value would look like the kept value.
// Only fields that the old release does not publish can be the change under test.
func (pc *planCheck) checkTreated() error {
	var problems []error
	var checked []string
	for _, c := range pc.known.Plan.Copies {
		if c.Role != term.Treated || slices.Contains(checked, c.Manifest) {
			continue
		}
		checked = append(checked, c.Manifest)
		problems = append(problems, pc.checkManifest(c.Manifest)...)
	}
	return errors.Join(problems...)
}

func (pc *planCheck) checkManifest(file string) []error {
	m := pc.known.Plan.Manifests[file]
	old, _ := pc.known.ByRole[term.Old].Schema.Kind(m.APIVersion, m.Kind)
	new, ok := pc.known.ByRole[term.New].Schema.Kind(m.APIVersion, m.Kind)
	if !ok {
		return nil
	}
	var problems []error
	for name, leaf := range new.Leaves(m.Body) {
		fallback, has := new.Default(leaf.Path)
		if has && !old.Declares(leaf.Path) && schema.Text(fallback) == schema.Text(leaf.Value) {
			problems = append(problems, &DefaultError{At: pc.where(file, indexed(m.Body, leaf.Path)), Path: name, Value: schema.Text(leaf.Value)})
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}
