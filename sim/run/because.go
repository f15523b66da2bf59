package run

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run/act"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// mournWithin is how long the end of a store may take to be known after what followed
// from it.
const mournWithin = 500 * time.Millisecond

// because returns why a run ended: what ended its context, for the rest only follows from
// it; and before that, that a store has ended: servers without one may end too. It is called
// before anything is closed, since closing ends the store's follower too.
func because(ctx context.Context, err error, all *stores.Stores, mourn func() <-chan time.Time) error {
	if err == nil {
		return nil
	}
	why := cmp.Or(context.Cause(ctx), err)
	if blames(why) {
		return why
	}
	// Read alone first: of two channels that are ready, select takes either.
	select {
	case <-all.Lost():
		return all.Err()
	default:
	}
	if mourn == nil {
		mourn = func() <-chan time.Time { return time.After(mournWithin) }
	}
	select {
	case <-all.Lost():
		return all.Err()
	case <-mourn():
		return why
	}
}

// blames reports whether an error itself says who is at fault.
func blames(err error) bool {
	var store *stores.Error
	var refused *act.RefusedError
	var value *precheck.DefaultError
	var request *servers.RequestError
	return errors.As(err, &store) || errors.As(err, &refused) || errors.As(err, &value) || errors.As(err, &request) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
