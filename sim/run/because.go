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

// heed ends all runs when a store, or what follows one, ends by itself.
func (c *convoy) heed(done <-chan struct{}, why func() error) {
	<-done
	err := why()
	if err == nil {
		return
	}
	c.lose.Do(func() {
		c.storeEnd = &StoreError{err}
		close(c.storeless)
	})
	c.end(c.storeEnd)
}

// ownEnd is why a follower of the store ended, and nil where it ended because the run did:
// the death of a server ends both, and is not the store's failure.
func ownEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// sync waits until the follower was told of all that is stored. A store that does not
// answer for that, though the run goes on, is as good as one that has ended.
func (c *convoy) sync(ctx context.Context) error {
	err := c.follower.Sync(ctx)
	if err != nil && ctx.Err() == nil {
		return &StoreError{err}
	}
	return err
}

// because is why a run ended: what ended its context, for the rest only follows from it;
// and before that, that a store has ended: servers without one may end too. It is asked
// before anything is closed, since closing ends the store's follower too.
func (c *convoy) because(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	why := cmp.Or(context.Cause(ctx), err)
	if blames(why) {
		return why
	}
	// Asked for alone first: of two that are ready, select takes either.
	select {
	case <-c.storeless:
		return c.storeEnd
	default:
	}
	select {
	case <-c.storeless:
		return c.storeEnd
	case <-c.mourn():
		return why
	}
}

// mourn starts the time in which the end of a store may still become known.
func (c *convoy) mourn() <-chan time.Time {
	if mourn := c.host().mourn; mourn != nil {
		return mourn()
	}
	return time.After(mournWithin)
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
