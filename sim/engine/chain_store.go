package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
)

// legStore is the chain's store as one leg sees it: it begins with the copies that the leg
// adopts, and closing it leaves the store open for the next leg.
type legStore struct {
	store
	carried []map[string]string // copies by the names of their objects, namespaced and cluster-scoped
	left    chan struct{}       // closed when the leg, or the store, has ended
	once    sync.Once
}

func newLegStore(server *etcd.Server, p *plan.Plan) *legStore {
	s := &legStore{store: store{Server: server}, left: make(chan struct{})}
	earlier := *p
	earlier.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c plan.Copy) bool { return c.Leg == 0 })
	s.carried = []map[string]string{earlier.Names(true), earlier.Names(false)}
	go func() {
		select {
		case <-server.Done():
			s.leave()
		case <-s.left:
		}
	}()
	return s
}

func (s *legStore) carries(object string) bool {
	return slices.ContainsFunc(s.carried, func(names map[string]string) bool {
		_, is := plan.Named(names, object)
		return is
	})
}

func (s *legStore) leave() { s.once.Do(func() { close(s.left) }) }

func (s *legStore) Close() error {
	s.leave()
	return nil
}

func (s *legStore) Done() <-chan struct{} { return s.left }

// Follow first reports the stored values of adopted copies, as their last changes, then
// every change after that.
func (s *legStore) Follow(ctx context.Context, each func(run.StoreChange)) (run.Follower, error) {
	now, revision, err := s.Now(ctx, func(key string) bool { return s.carries(lastPart(key)) })
	if err != nil {
		return nil, err
	}
	for _, e := range now {
		each(changeOf(e))
	}
	return s.Watch(ctx, revision+1, func(e etcd.Event) { each(changeOf(e)) })
}
