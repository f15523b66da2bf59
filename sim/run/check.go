package run

import (
	"context"
	"errors"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/run/precheck"
)

// Check reports what is wrong with a plan as far as servers of both releases know, each on
// a scratch store: the errors that Run reports before the roll-out. It executes no step.
// With KeptOnly it starts no server, and uses the kept answers of earlier runs.
func Check(ctx context.Context, c Config) error {
	if c.Progress == nil {
		c.Progress = silent{}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := newAlone(ctx, c, cancel)
	err := fault.Guard(m.probe)
	left := m.shared.scratches.Dismiss()
	if errors.Is(err, precheck.ErrNotKept) {
		return left
	}
	return errors.Join(err, left)
}
