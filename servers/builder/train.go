package builder

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// train is what the reference server says of its releases.
type train struct {
	asked sync.Once
	known frobberapiserver.Train
}

// releases asks once.
func (t *train) releases(ctx context.Context) frobberapiserver.Train {
	t.asked.Do(func() {
		if known, err := frobberapiserver.Releases(ctx); err == nil {
			t.known = known
		}
	})
	return t.known
}
