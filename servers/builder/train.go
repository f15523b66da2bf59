package builder

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// train is what the reference server says of its releases.
type train struct {
	finder frobberapiserver.Finder
	asked  sync.Once
	has    atomic.Bool // the executable answered
	known  frobberapiserver.Train
}

// releases asks once.
func (t *train) releases(ctx context.Context) frobberapiserver.Train {
	t.asked.Do(func() {
		if known, err := t.finder.Releases(ctx); err == nil {
			t.known = known
			t.has.Store(true)
		}
	})
	return t.known
}
