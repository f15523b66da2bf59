package observe

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// Decoding has both releases read, on scratch stores, the stored values of the runs that
// share a journey.
type Decoding struct {
	DecodingConfig
	prewarmed  prewarmedServers
	heldWithin time.Duration

	mu  sync.Mutex
	due map[term.Role][]*trials // the values to read, by run
}

// DecodingConfig is what the decoding needs of the runs.
type DecodingConfig struct {
	Lead    *fleet.Lead
	Runs    fleet.Runs
	Runtime servers.Runtime
	Open    func(ctx context.Context, name string) (stores.Store, error)
	Note    func(string)
}

// NewDecoding returns a decoding without values.
func NewDecoding(c DecodingConfig) *Decoding {
	return &Decoding{
		DecodingConfig: c, heldWithin: heldWithin, due: map[term.Role][]*trials{},
		prewarmed: prewarmedServers{byRole: map[term.Role]*prewarmed{}},
	}
}

// Add adds the values of a run to those of the others, and returns how many they are.
func (d *Decoding) Add(of *Values, step int, role term.Role) int {
	values := of.undecided(role)
	if len(values) == 0 {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.due[role] = append(d.due[role], newTrials(of, step, role, values))
	slices.SortStableFunc(d.due[role], func(a, b *trials) int { return cmp.Compare(a.of.Order, b.of.Order) })
	return len(values)
}

// ReadAll has both releases read the added values. A server starts only for a release that
// has values to read.
func (d *Decoding) ReadAll(ctx context.Context) error {
	problems := make([]error, 2)
	var group sync.WaitGroup // what one release's server cannot read, the other's may
	for i, role := range []term.Role{term.Old, term.New} {
		if len(d.due[role]) > 0 {
			group.Go(func() {
				problems[i] = fault.Guard(func() error { return newBench(d, role, d.due[role]).work(ctx) })
			})
		}
	}
	group.Wait()
	return errors.Join(problems...)
}
