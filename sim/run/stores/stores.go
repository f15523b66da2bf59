package stores

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
	Follow(ctx context.Context, each func(Change)) (Follower, error)
	// Put stores a value under a key.
	Put(ctx context.Context, key string, value []byte) error
	// At returns what a key held at a revision: a store is never compacted.
	At(ctx context.Context, key string, revision int64) ([]byte, error)
	// Done is closed when the store has ended by itself; Err then says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// Change is one change of one key.
type Change struct {
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

// Error reports that a store under servers has ended by itself, or no longer answers, and
// the run with it. The last answers of its servers say nothing about the releases.
type Error struct{ Err error }

// Error returns the store's own error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the store's own error.
func (e *Error) Unwrap() error { return e.Err }

// Stores opens the stores that runs share, and ends the runs when one of the stores ends by
// itself.
type Stores struct {
	openOne func(ctx context.Context, name string) (Store, error)
	end     context.CancelCauseFunc // ends every run
	shared  Store                   // nil: not open
	changes Follower                // of the shared one
	lost    chan struct{}           // closed when a store has ended by itself
	err     error                   // then: an *Error
	once    sync.Once
}

// New returns stores, none of which is open.
func New(open func(ctx context.Context, name string) (Store, error), end context.CancelCauseFunc) *Stores {
	return &Stores{openOne: open, end: end, lost: make(chan struct{})}
}

// Open opens the shared store, or a scratch one.
func (s *Stores) Open(ctx context.Context, name string) (Store, error) {
	store, err := s.openOne(ctx, name)
	if err == nil {
		go s.await(store.Done(), store.Err)
	}
	return store, err
}

// OpenShared opens the shared store, and follows it.
func (s *Stores) OpenShared(ctx context.Context, each func(Change)) error {
	store, err := s.Open(ctx, "store")
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

// CloseShared closes the shared store, if it was opened.
func (s *Stores) CloseShared() error {
	if s.shared == nil {
		return nil
	}
	return s.shared.Close()
}

// Gate opens a way into the shared store for one server alone.
func (s *Stores) Gate() (servers.Gate, error) { return s.shared.Gate() }

// Lost is closed when a store has ended by itself; Err then says why.
func (s *Stores) Lost() <-chan struct{} { return s.lost }

// Err returns an *Error, once a store has ended by itself.
func (s *Stores) Err() error { return s.err }

// At returns what a key of the shared store held at a revision.
func (s *Stores) At(ctx context.Context, key string, revision int64) ([]byte, error) {
	return s.shared.At(ctx, key, revision)
}

// await ends all runs when a store, or its follower, ends by itself.
func (s *Stores) await(done <-chan struct{}, why func() error) {
	<-done
	err := why()
	if err == nil {
		return
	}
	s.once.Do(func() {
		s.err = &Error{err}
		close(s.lost)
	})
	s.end(s.err)
}

// ownEnd returns why a follower of the store ended, and nil if it ended because the run
// did: the death of a server ends both, and is not the store's failure.
func ownEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// Sync waits until the follower has delivered all changes. A store that does not answer
// while the run continues counts as one that has ended.
func (s *Stores) Sync(ctx context.Context) error {
	err := s.changes.Sync(ctx)
	if err != nil && ctx.Err() == nil {
		return &Error{err}
	}
	return err
}
