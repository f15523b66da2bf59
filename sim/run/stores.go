package run

import (
	"context"
	"errors"
	"sync"

	"github.com/skewsim/skewsim/servers"
)

// Store is an etcd that servers share.
type Store interface {
	Store() servers.Store
	// Gate opens a way into the store for one server alone.
	Gate() (servers.Gate, error)
	// Follow calls each for every change since the store was opened, in order.
	Follow(ctx context.Context, each func(StoreChange)) (Follower, error)
	// Put stores a value under a key.
	Put(ctx context.Context, key string, value []byte) error
	// At reads what a key held at a revision: a store is never compacted.
	At(ctx context.Context, key string, revision int64) ([]byte, error)
	// Done is closed when the store has ended by itself; Err then says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// StoreChange is one change of one key.
type StoreChange struct {
	Key               string
	Value             []byte
	Revision, Created int64
	Version           int64
	Deleted           bool
}

// Follower follows a store.
type Follower interface {
	// Sync returns when every change up to now has been delivered.
	Sync(ctx context.Context) error
	Done() <-chan struct{}
	Err() error
}

// StoreError reports that a store under servers has ended by itself, or no longer
// answers, and the run with it. What its servers answered last says nothing of the releases.
type StoreError struct{ Err error }

// Error returns the store's own error.
func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns the store's own error.
func (e *StoreError) Unwrap() error { return e.Err }

// stores opens the stores that runs share, and ends the runs when one of the stores
// ends by itself.
type stores struct {
	openOne func(ctx context.Context, name string) (Store, error)
	end     context.CancelCauseFunc // ends every run
	shared  Store                   // nil: not open
	changes Follower                // of the shared one
	lost    chan struct{}           // closed when a store has ended by itself
	err     error                   // then: a *StoreError
	once    sync.Once
}

func newStores(open func(ctx context.Context, name string) (Store, error), end context.CancelCauseFunc) *stores {
	return &stores{openOne: open, end: end, lost: make(chan struct{})}
}

// open opens the shared store, or a scratch one.
func (s *stores) open(ctx context.Context, name string) (Store, error) {
	store, err := s.openOne(ctx, name)
	if err == nil {
		go s.await(store.Done(), store.Err)
	}
	return store, err
}

// openShared opens the shared store, and follows it.
func (s *stores) openShared(ctx context.Context, each func(StoreChange)) error {
	store, err := s.open(ctx, "store")
	if err != nil {
		return err
	}
	s.shared = store
	follower, err := store.Follow(ctx, each)
	if err != nil {
		return err
	}
	s.changes = follower
	go s.await(follower.Done(), func() error { return ownEnd(ctx, follower.Err()) })
	return nil
}

// closeShared closes the shared store, if it was opened.
func (s *stores) closeShared() error {
	if s.shared == nil {
		return nil
	}
	return s.shared.Close()
}

// gate opens a way into the shared store for one server alone.
func (s *stores) gate() (servers.Gate, error) { return s.shared.Gate() }

// at reads what a key of the shared store held at a revision.
func (s *stores) at(ctx context.Context, key string, revision int64) ([]byte, error) {
	return s.shared.At(ctx, key, revision)
}

// await ends all runs when a store, or what follows one, ends by itself.
func (s *stores) await(done <-chan struct{}, why func() error) {
	<-done
	err := why()
	if err == nil {
		return
	}
	s.once.Do(func() {
		s.err = &StoreError{err}
		close(s.lost)
	})
	s.end(s.err)
}

// ownEnd returns why a follower of the store ended, and nil where it ended because the run
// did: the death of a server ends both, and is not the store's failure.
func ownEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// sync waits until the follower has delivered all that is stored. A store that does not
// answer although the run goes on counts as one that has ended.
func (s *stores) sync(ctx context.Context) error {
	err := s.changes.Sync(ctx)
	if err != nil && ctx.Err() == nil {
		return &StoreError{err}
	}
	return err
}
