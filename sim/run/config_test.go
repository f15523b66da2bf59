package run

import (
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

func config(t testing.TB, w *world, p *plan.Plan) Config {
	t.Helper()
	dir, h := writing(t, p)
	return Config{
		Plan: p, Runtime: w, OpenStore: w.openStore, Dir: dir, History: h, Progress: &progress{world: w}, mourn: atOnce,
		Builds: builds(),
	}
}

// load closes the run's history and reads it back.
func load(t testing.TB, c Config) *history.History {
	t.Helper()
	return written(t, c.Dir, c.History)
}
