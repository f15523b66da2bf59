package run

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// TestEndsBeforeItsTurn: a server that was executed ahead of its stage, ends by itself and comes
// up the second time does not pass without a word. While it was held, or where what it
// waited for took too long, that may be why; of any other it is a death like any.
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
			world, p := newWorld(t), smallPlan(t, small)
			config := config(t, world, p)
			world.onStart = func(ctx context.Context, place string) error {
				if place != "a-2" {
					return nil
				}
				world.until(ctx, func() bool { return !c.letIn || strings.Contains(strings.Join(world.let(), " "), "a-2") })
				return exit(place, false)
			}
			ctx, cancel := context.WithCancelCause(bounded(t))
			defer cancel(nil)
			w := newAlone(ctx, config, cancel)
			w.shared.fleet.patience = c.patience
			require.NoError(t, w.shared.play()[0])
			w.shared.close()
			require.NoError(t, config.History.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
			var told []string
			for _, s := range load(t, config).Servers {
				if s.Replica == "a" && s.Step == numbered(t, p, "replace a by one at new") && s.Event != history.Starting {
					told = append(told, strings.TrimSpace(string(s.Event)+" "+s.Log))
				}
			}
			assert.Equal(t, []string{string(c.want) + " logs/a-2.log", "ready", "serving", "draining", "stopped"}, told)
		})
	}
}

// TestFirstServersTrip: servers that fill an empty store at once may trip over each
// other, and are executed again, once; a server that is first alone has nobody to trip over.
func TestFirstServersTrip(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		trips  string // the places that end
		passes bool
	}{
		"one of two":       {small, "b-1", true},
		"both":             {small, "a-1 b-1", true},
		"the second too":   {small, "b-1 b-2", false},
		"alone":            {small + "replicas: 1\n", "a-1", false},
		"when it replaces": {small, "a-2", true}, // executed ahead, which has a story of its own
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			config := config(t, world, smallPlan(t, c.text))
			world.onStart = func(_ context.Context, place string) error {
				if strings.Contains(c.trips, place) {
					return exit(place, false)
				}
				return nil
			}
			err := Run(bounded(t), config)
			assert.Equal(t, c.passes, err == nil, err)
			tripped := 0
			for _, s := range load(t, config).Servers {
				if s.Event == history.Tripped {
					tripped++
				}
			}
			want := strings.Count(c.trips, "-1")
			if name == "alone" {
				want = 0
			}
			assert.Equal(t, want, tripped)
		})
	}
}
