package run

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// mournWithin is how long the end of a store may take to be known after what followed
// from it.
const mournWithin = 500 * time.Millisecond

// because is why a run ended: what ended its context, for the rest only follows from it;
// and before that, that a store has ended: servers without one may end too. It is asked
// before anything is closed, since closing ends the store's follower too.
func (s *stores) because(ctx context.Context, err error, mourn func() <-chan time.Time) error {
	if err == nil {
		return nil
	}
	if mourn == nil {
		mourn = func() <-chan time.Time { return time.After(mournWithin) }
	}
	why := cmp.Or(context.Cause(ctx), err)
	if blames(why) {
		return why
	}
	// Asked for alone first: of two that are ready, select takes either.
	select {
	case <-s.lost:
		return s.err
	default:
	}
	select {
	case <-s.lost:
		return s.err
	case <-mourn():
		return why
	}
}

// blames tells whether an error says itself who is at fault.
func blames(err error) bool {
	var store *StoreError
	var refused *RefusedError
	var value *DefaultError
	var request *servers.RequestError
	return errors.As(err, &store) || errors.As(err, &refused) || errors.As(err, &value) || errors.As(err, &request) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
