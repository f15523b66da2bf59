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

// mournWithin is how long the run waits to learn of a store's end after an error that may
// follow from it.
const mournWithin = 500 * time.Millisecond

// because returns why a run ended: the cause of its context, because other errors only
// follow from it; and before that the end of a store, after which servers may end too. Call
// it before anything is closed, because closing also ends the store's follower.
func because(ctx context.Context, err error, all *stores.Stores, mourn func() <-chan time.Time) error {
	if err == nil {
		return nil
	}
	why := cmp.Or(context.Cause(ctx), err)
	if blames(why) {
		return why
	}
	// Receive alone first: of two channels that are ready, select takes either.
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
