package run

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// TestStoreEnds: a store that ends by itself ends the run, be it the shared one or one
// of a trial's; the shared one also where its end is known later than what followed.
func TestStoreEnds(t *testing.T) {
	t.Parallel()
	p, gone := runtest.SmallPlan(t, runtest.Small), errors.New("etcd was killed")
	for place, store := range map[string]string{"b-2": "store", "scratch-old": "scratch-old", "trial-new": "trial-new"} {
		for _, first := range []bool{true, store != "store"} {
			w := runtest.NewWorld(t)
			c := config(t, w, p)
			w.OnStart = func(_ context.Context, at string) error {
				if at != place {
					return nil
				}
				if first {
					w.EndStore(store, gone)
				}
				return errors.New("no store answers")
			}
			c.mourn = func() <-chan time.Time {
				w.EndStore(store, gone)
				return nil // as long as it takes
			}
			err := Run(runtest.Bounded(t), c)
			var lost *stores.Error
			require.ErrorAs(t, err, &lost, place)
			assert.ErrorIs(t, err, gone)
			assert.Empty(t, w.Left(), place)
			assert.Equal(t, &history.End{Outcome: history.StoreFailed, Message: gone.Error()}, runtest.Ended(load(t, c)), place)
		}
	}
}

// TestStoreHangs: a store that answers no more, without having ended, is no server's
// doing either; but that the run was ended from outside while it was asked is that.
func TestStoreHangs(t *testing.T) {
	w := runtest.NewWorld(t)
	w.Silent = errors.New("store: watch: current revision: keepalive ping failed")
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	var lost *stores.Error
	require.ErrorAs(t, Run(runtest.Bounded(t), c), &lost)
	assert.ErrorIs(t, lost, w.Silent)
	assert.Equal(t, &history.End{Outcome: history.StoreFailed, Message: w.Silent.Error()}, runtest.Ended(load(t, c)))
}
