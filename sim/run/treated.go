package run

import (
	"errors"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// checkTreated refuses, before the roll-out, a treated value that equals its
// field's published default: were it lost, the default in its place would look
// like the value kept. Only fields that the old release does not publish can
// be the change under test.
func (w *walker) checkTreated() error {
	var problems []error
	var checked []string
	for _, c := range w.config.Plan.Copies {
		if c.Role != term.Treated || slices.Contains(checked, c.Manifest) {
			continue
		}
		checked = append(checked, c.Manifest)
		problems = append(problems, w.checkManifest(c.Manifest)...)
	}
	return errors.Join(problems...)
}

func (w *walker) checkManifest(file string) []error {
	m := w.config.Plan.Manifests[file]
	old, _ := w.known[term.Old].schema.Kind(m.APIVersion, m.Kind)
	new, ok := w.known[term.New].schema.Kind(m.APIVersion, m.Kind)
	if !ok {
		return nil
	}
	var problems []error
	for name, leaf := range new.Leaves(m.Body) {
		fallback, has := new.Default(leaf.Path)
		if has && !old.Declares(leaf.Path) && schema.Text(fallback) == schema.Text(leaf.Value) {
			problems = append(problems, &DefaultError{At: w.where(file, indexed(m.Body, leaf.Path)), Path: name, Value: schema.Text(leaf.Value)})
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}
