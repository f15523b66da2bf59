package main

import (
	"cmp"
	"context"

	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
)

// task is a run that is to be executed among others.
type task struct {
	engine.Run
	// named is the scenario as the user named it, and label tells the task from others
	// of the same scenario; "": it is the only one.
	named, label string
	quiet        bool // its transcript has no operations
	// tried are the attempts at it before this app plays it, also those of an earlier matrix.
	tried []matrix.Attempt
}

// name is what a task is called among several.
func (t task) name() string { return cmp.Or(t.label, t.Scenario.FullName()) }

// prepare finds the scenario, and tells all that is wrong with it or the flags and
// can be told without a build.
func (a *app) prepare(ctx context.Context, name string, f runFlags) (task, error) {
	s, err := engine.Find(ctx, builds{a}, name)
	if err != nil {
		return task{}, err
	}
	f.Scenario = s
	r, err := engine.Prepare(ctx, builds{a}, f.Request)
	return task{Run: r, named: name, quiet: f.quiet}, err
}
