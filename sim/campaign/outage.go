package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
)

const (
	// outageAtMost is how long an outage is waited out. A restart takes seconds; a service
	// that is away for longer may never return.
	outageAtMost = 5 * time.Minute
	// askedEvery is the time between two checks for the end of an outage.
	askedEvery = time.Second
)

// outage is a time during which an external etcd or the Docker engine does not answer.
type outage struct {
	mutex sync.Mutex
	since time.Time // zero: no outage
	told  bool
}

// suspect records an outage if an error looks like one. wait checks it before the next
// attempt.
func (o *outage) suspect(err error) {
	gone := fault.Has(err, fault.StoreFailed, fault.EngineFailed, fault.ServerLost)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if gone && o.since.IsZero() {
		o.since = time.Now()
	}
}

// wait waits for the end of an outage. It returns false if ctx ends or the outage lasts too
// long. Without an outage it returns at once.
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

// bear warns once about the outage; it returns false if the outage lasts too long.
func (o *outage) bear(err error, say func(string)) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if !o.told {
		o.told = true
		say(fmt.Sprintf("waiting up to %s for a service that does not answer: %s", outageAtMost, FirstLine(err)))
	}
	return time.Since(o.since) < outageAtMost
}

func (o *outage) end(say func(string)) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.told {
		say(fmt.Sprintf("the service answers again, after %s", time.Since(o.since).Round(time.Second)))
	}
	o.since, o.told = time.Time{}, false
}

// pause waits for a duration; it returns false if ctx ended first.
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
