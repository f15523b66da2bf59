package run

import (
	"context"

	"github.com/skewsim/skewsim/sim/plan"
)

// watch opens a WATCH of every kind through every replica that has none yet.
func (w *walker) watch(context.Context, plan.Step) (string, error) { return "not played yet", nil }
