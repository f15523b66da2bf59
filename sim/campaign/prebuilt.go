package campaign

import (
	"context"

	"github.com/skewsim/skewsim/sim/engine"
)

// Prebuilt makes the builds of a group, one after the other, because each takes all cores, and
// returns the job that executes the group. Cells whose builds fail are not executed; failed is
// called after each such failure.
func (r *Runner) Prebuilt(ctx context.Context, g Group, warn func(text string), failed func()) Job {
	var unmade []Ended
	var going Group
	for _, c := range g {
		if err := r.Engine.Prebuild(ctx, c.Run, warn); err != nil {
			failed()
			unmade = append(unmade, Ended{Cell: c, Outcome: engine.Outcome{Err: err}})
			continue
		}
		going = append(going, c)
	}
	return Job{Cells: g, Do: func(ctx context.Context, report func(Ended)) {
		for _, e := range unmade {
			report(e)
		}
		if len(going) > 0 {
			r.Play(ctx, going, report)
		}
	}}
}
