package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/sim/engine"
)

// PrepareOne finds the scenario of a name, and decides what a request runs of it. Errors are
// everything that can be found without a build.
func PrepareOne(ctx context.Context, builds engine.Builds, name string, r engine.Request) (*Cell, error) {
	s, err := engine.FindScenario(ctx, builds, name, r.Webhooks)
	if err != nil {
		return &Cell{}, err
	}
	r.Scenario = s
	run, err := engine.Prepare(ctx, builds, r)
	return &Cell{Run: run, Named: name}, err
}

// Prepare prepares the scenarios of names and patterns, each once, and those that take
// longest first, so that none of them runs at the end alone. The directory of the request is
// the one that has theirs.
func Prepare(ctx context.Context, builds engine.Builds, names []string, r engine.Request) ([]*Cell, error) {
	below := r.Dir
	r.Dir = ""
	names, err := Expand(names)
	problems := []error{err}
	var all []*Cell
	for _, name := range names {
		c, err := PrepareOne(ctx, builds, name, r)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if below != "" {
			c.Run.Dir = filepath.Join(below, filepath.Base(c.Run.Dir))
		}
		if i := slices.IndexFunc(all, func(other *Cell) bool { return other.Run.Dir == c.Run.Dir }); i >= 0 {
			if all[i].Run.Scenario.File != c.Run.Scenario.File {
				problems = append(problems, fmt.Errorf("%s and %s: have one name, and so one directory: play one after the other", all[i].Run.Scenario.File, c.Run.Scenario.File))
			}
			continue
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *Cell) int { return cmp.Compare(b.Run.Steps(), a.Run.Steps()) })
	return all, errors.Join(problems...)
}
