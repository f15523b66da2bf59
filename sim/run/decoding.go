package run

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/guard"
)

// decoding has both releases read, on scratch stores, what the runs that share a journey
// have stored.
type decoding struct {
	decodingConfig
	prewarmed  prewarmedServers
	heldWithin time.Duration

	mu  sync.Mutex
	due map[term.Role][]*trials // what is to be read, by run
}

// decodingConfig is what the decoding needs of the runs.
type decodingConfig struct {
	lead    *lead
	runs    runs
	runtime servers.Runtime
	open    func(ctx context.Context, name string) (Store, error)
	note    func(string)
}

func newDecoding(c decodingConfig) *decoding {
	return &decoding{
		decodingConfig: c, heldWithin: heldWithin, due: map[term.Role][]*trials{},
		prewarmed: prewarmedServers{byRole: map[term.Role]*prewarmed{}},
	}
}

// add has the values of a run read beside those of the others, and returns how many
// they are.
func (d *decoding) add(of *tester, step int, role term.Role) int {
	values := of.undecided(role)
	if len(values) == 0 {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.due[role] = append(d.due[role], newTrials(of, step, role, values))
	slices.SortStableFunc(d.due[role], func(a, b *trials) int { return cmp.Compare(a.of.order, b.of.order) })
	return len(values)
}

// readAll has both releases read what the runs have added. A server starts only for a
// release that has something to read.
func (d *decoding) readAll(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, role := range []term.Role{term.Old, term.New} {
		if len(d.due[role]) > 0 {
			group.Go(func() error {
				return guard.Call(func() error { return newBench(d, role, d.due[role]).work(ctx) })
			})
		}
	}
	return group.Wait()
}
