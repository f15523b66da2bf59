package builder

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// train is what the reference server says of its releases.
type train struct {
	finder frobberapiserver.Finder
	asked  sync.Once
	known  frobberapiserver.Train
}

func newTrain(makes bool) *train {
	if !makes {
		return &train{}
	}
	return &train{finder: frobberapiserver.Finder{Make: makeReferenceServer}}
}

// releases asks once.
func (t *train) releases(ctx context.Context) frobberapiserver.Train {
	t.asked.Do(func() {
		if known, err := t.finder.Releases(ctx); err == nil {
			t.known = known
		}
	})
	return t.known
}
