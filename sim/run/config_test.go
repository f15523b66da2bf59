package run

import (
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

func config(t testing.TB, w *runtest.World, p *plan.Plan) Config {
	t.Helper()
	dir, h := runtest.Writing(t, p)
	return Config{
		Plan: p, Runtime: w, OpenStore: w.OpenStore, Dir: dir, History: h, Progress: &runtest.Progress{World: w}, mourn: runtest.AtOnce,
		Builds: runtest.Builds(),
	}
}

// load closes the run's history and reads it back.
func load(t testing.TB, c Config) *history.History {
	t.Helper()
	return runtest.Written(t, c.Dir, c.History)
}
