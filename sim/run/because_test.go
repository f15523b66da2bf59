package run

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// TestStoreEnds: a store that ends by itself ends the run, be it the shared one or one
// of a trial's; the shared one also where its end is known later than what followed.
func TestStoreEnds(t *testing.T) {
	t.Parallel()
	p, gone := smallPlan(t, small), errors.New("etcd was killed")
	for place, store := range map[string]string{"b-2": "store", "scratch-old": "scratch-old", "trial-new": "trial-new"} {
		for _, first := range []bool{true, store != "store"} {
			w := newWorld(t)
			c := config(t, w, p)
			w.onStart = func(_ context.Context, at string) error {
				if at != place {
					return nil
				}
				if first {
					w.stores[store].end(gone)
				}
				return errors.New("no store answers")
			}
			c.mourn = func() <-chan time.Time {
				w.stores[store].end(gone)
				return nil // as long as it takes
			}
			err := Run(bounded(t), c)
			var lost *StoreError
			require.ErrorAs(t, err, &lost, place)
			assert.ErrorIs(t, err, gone)
			assert.Empty(t, w.left(), place)
			assert.Equal(t, &history.End{Outcome: history.StoreFailed, Message: gone.Error()}, ended(load(t, c)), place)
		}
	}
}

// TestStoreHangs: a store that answers no more, without having ended, is no server's
// doing either; but that the run was ended from outside while it was asked is that.
func TestStoreHangs(t *testing.T) {
	w := newWorld(t)
	w.silent = errors.New("store: watch: current revision: keepalive ping failed")
	c := config(t, w, smallPlan(t, small))
	var lost *StoreError
	require.ErrorAs(t, Run(bounded(t), c), &lost)
	assert.ErrorIs(t, lost, w.silent)
	assert.Equal(t, &history.End{Outcome: history.StoreFailed, Message: w.silent.Error()}, ended(load(t, c)))
}
