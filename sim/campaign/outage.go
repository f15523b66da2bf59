package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
)

const (
	// outageAtMost is how long an outage is waited out: a restart takes seconds, and what
	// is away for longer may never come back.
	outageAtMost = 5 * time.Minute
	// askedEvery is the time between two questions whether it is over.
	askedEvery = time.Second
)

// outage is a time in which an etcd of others, or the Docker engine, does not answer.
type outage struct {
	mutex sync.Mutex
	since time.Time // zero: there is none
	told  bool
}

// suspect begins an outage where an error looks like one. Whether it is, is asked before
// anything else is executed.
func (o *outage) suspect(err error) {
	gone := fault.Has(err, fault.StoreFailed, fault.EngineFailed, fault.ServerLost)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if gone && o.since.IsZero() {
		o.since = time.Now()
	}
}

// wait asks until an outage is over, and returns false where it is given up: when ctx ends,
// or the outage has lasted too long. Without one it asks nothing.
func (o *outage) wait(ctx context.Context, ask func(context.Context) error, say func(string)) bool {
	for o.goesOn() {
		err := ask(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case err == nil:
			o.end(say)
		case !o.bear(err, say) || !pause(ctx, askedEvery):
			return false
		}
	}
	return true
}

func (o *outage) goesOn() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return !o.since.IsZero()
}

// bear says once what is waited for; false: it is too long.
func (o *outage) bear(err error, say func(string)) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if !o.told {
		o.told = true
		say(fmt.Sprintf("what is left waits, up to %s, for what does not answer: %s", outageAtMost, FirstLine(err)))
	}
	return time.Since(o.since) < outageAtMost
}

func (o *outage) end(say func(string)) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.told {
		say(fmt.Sprintf("it answers again, after %s", time.Since(o.since).Round(time.Second)))
	}
	o.since, o.told = time.Time{}, false
}

// pause waits for so long; false: ctx ended first.
func pause(ctx context.Context, long time.Duration) bool {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
