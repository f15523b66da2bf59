package run

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestEndsBeforeItsTurn: a server that was started before its stage, exits by itself and
// becomes ready the second time is reported. If it was held, or waited too long for
// another, that may be the reason; else it is a death.
func TestEndsBeforeItsTurn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		letIn    bool
		patience time.Duration
		want     history.ServerEvent
	}{
		"held":                        {false, time.Hour, history.EndedEarly},
		"let in":                      {true, time.Hour, history.Died},
		"let in, and lost patience":   {true, 0, history.EndedEarly},
		"held, and lost its patience": {false, 0, history.EndedEarly},
	} {
		t.Run(name, func(t *testing.T) {
			world, p := runtest.NewWorld(t), runtest.SmallPlan(t, runtest.Small)
			config := config(t, world, p)
			world.OnStart = func(ctx context.Context, place string) error {
				if place != "a-2" {
					return nil
				}
				world.Until(ctx, func() bool { return !c.letIn || strings.Contains(strings.Join(let(world), " "), "a-2") })
				return runtest.Exit(place, false)
			}
			ctx, cancel := context.WithCancelCause(runtest.Bounded(t))
			defer cancel(nil)
			w := newAlone(ctx, config, cancel)
			w.shared.fleet.Patience = c.patience
			require.NoError(t, w.shared.play()[0])
			w.shared.close()
			require.NoError(t, config.History.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
			var told []string
			for _, s := range load(t, config).Servers {
				if s.Replica == "a" && s.Step == runtest.Numbered(t, p, "replace a by one at new") && s.Event != history.Starting {
					told = append(told, strings.TrimSpace(string(s.Event)+" "+s.Log))
				}
			}
			assert.Equal(t, []string{string(c.want) + " logs/a-2.log", "ready", "serving", "draining", "stopped"}, told)
		})
	}
}

// TestFirstServersConflict: servers that fill an empty store at once may conflict, and are
// started again, once; a single first server cannot conflict.
func TestFirstServersConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		trips  string // the places that end
		passes bool
	}{
		"one of two":       {runtest.Small, "b-1", true},
		"both":             {runtest.Small, "a-1 b-1", true},
		"the second too":   {runtest.Small, "b-1 b-2", false},
		"alone":            {runtest.Small + "replicas: 1\n", "a-1", false},
		"alone in a surge": {"surge: true\n" + runtest.Small, "a-1", false},
		"when it replaces": {runtest.Small, "a-2", true}, // a prewarmed server, which has a test of its own
	} {
		t.Run(name, func(t *testing.T) {
			world := runtest.NewWorld(t)
			config := config(t, world, runtest.SmallPlan(t, c.text))
			world.OnStart = func(_ context.Context, place string) error {
				if strings.Contains(c.trips, place) {
					return runtest.Exit(place, false)
				}
				return nil
			}
			err := Run(runtest.Bounded(t), config)
			assert.Equal(t, c.passes, err == nil, err)
			tripped := 0
			for _, s := range load(t, config).Servers {
				if s.Event == history.Tripped {
					tripped++
				}
			}
			want := strings.Count(c.trips, "-1")
			if strings.HasPrefix(name, "alone") {
				want = 0
			}
			assert.Equal(t, want, tripped)
		})
	}
}
