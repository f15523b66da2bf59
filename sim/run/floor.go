package run

import (
	"context"
	"slices"

	"github.com/skewsim/skewsim/sim/plan"
)

// floors is how many runs of a journey execute steps at once between two roll-outs: while
// one waits for a server, another uses the cores. More would only delay the servers, and a
// late server proves nothing.
const floors = 2

// floor holds an element for each run that executes steps.
type floor chan struct{}

// take waits until a run may execute steps. The caller calls the result when the steps are
// done. A run that waits for the others does not block them.
func (f floor) take(ctx context.Context, steps []plan.Step) (leave func(), err error) {
	waits := func(s plan.Step) bool { return movesServers(s) || s.Action == plan.Trial }
	if slices.ContainsFunc(steps, waits) {
		return func() {}, nil
	}
	select {
	case f <- struct{}{}:
		return func() { <-f }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// movesServers reports whether a step starts, replaces or stops servers, or the program beside them.
func movesServers(s plan.Step) bool {
	return s.Action == plan.Start || s.Action == plan.Replace || s.Action == plan.Program || s.Action == plan.Stop
}
