package etcd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// errStopped is how Stop ends a watch, as opposed to the caller's context.
var errStopped = errors.New("watch stopped")

// Event is one change of one key.
type Event struct {
	Key   []byte
	Value []byte // empty when deleted
	// CreateRevision is the revision that created the key; 0 when deleted.
	CreateRevision int64
	// ModRevision is the revision of this change.
	ModRevision int64
	// Version counts the changes of the key since it was created; 0 when
	// deleted.
	Version int64
	Deleted bool
}

// Watch is a watch of the whole key space.
type Watch struct {
	now    func(context.Context) (int64, error) // see backend.revision
	each   func(Event)
	cancel context.CancelCauseFunc
	store  *failure
	done   chan struct{}

	mu       sync.Mutex
	revision int64         // delivered up to here
	moved    chan struct{} // closed and replaced when revision moves
	err      error
}

// Watch calls each for every change of every key, from the given revision on
// (1 is the first), in the order of revisions and one call at a time, until
// ctx ends, Stop is called, or it breaks. A watch that breaks, because what it
// asked for was compacted, the store cancelled it or the store ended, says so
// by Done, Err and Sync: it never just falls silent.
func (s *Server) Watch(ctx context.Context, from int64, each func(Event)) (*Watch, error) {
	select {
	case <-s.Done():
		return nil, storeEnded(s.Err())
	default:
	}
	if from < 1 {
		return nil, fmt.Errorf("store: watch: from revision %d: the first revision is 1", from)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &Watch{
		now:  func(ctx context.Context) (int64, error) { return s.backend.revision(ctx, s.client) },
		each: each, cancel: cancel, store: s.failure,
		// An empty store is at revision 1, which no change has made.
		done: make(chan struct{}), revision: max(from-1, 1), moved: make(chan struct{}),
	}
	// Fragments: without them one response must hold all that happened at
	// once, and a few large objects are more than a message may be.
	changes := s.client.Watch(ctx, "\x00", clientv3.WithFromKey(), clientv3.WithRev(from), clientv3.WithFragment())
	go w.run(ctx, changes)
	return w, nil
}

func (w *Watch) run(ctx context.Context, changes clientv3.WatchChan) {
	err := w.deliver(ctx, changes)
	if errors.Is(err, errStopped) {
		err = nil
	}
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
	w.cancel(errStopped)
	close(w.done)
}

func (w *Watch) deliver(ctx context.Context, changes clientv3.WatchChan) error {
	for {
		select {
		case r, open := <-changes:
			if err := broken(ctx, r, open); err != nil {
				return w.cause(err)
			}
			w.pass(r.Events)
		case <-w.store.done:
			return storeEnded(w.store.Err())
		}
	}
}

// cause prefers, to what the watch saw, that the store has ended: the rest
// follows from it.
func (w *Watch) cause(seen error) error {
	select {
	case <-w.store.done:
		return storeEnded(w.store.Err())
	default:
		return seen
	}
}

// storeEnded is the error of a watch whose store has ended, for a reason or
// because it was closed.
func storeEnded(why error) error {
	if why == nil {
		return errors.New("store: watch: the store was closed")
	}
	return fmt.Errorf("store: watch: the store has ended: %w", why)
}

func broken(ctx context.Context, r clientv3.WatchResponse, open bool) error {
	if ctx.Err() != nil {
		return fmt.Errorf("store: watch: %w", context.Cause(ctx))
	}
	if !open {
		return failed(errors.New("store: watch: closed by the client"))
	}
	if r.CompactRevision != 0 {
		return fmt.Errorf("store: watch: revisions before %d were compacted, so changes are missing: %w", r.CompactRevision, r.Err())
	}
	if err := r.Err(); err != nil {
		return fmt.Errorf("store: watch: cancelled by the store: %w", failed(err))
	}
	return nil
}

// pass hands over the events of one response. A response holds whole
// revisions, so its last event's revision is the one delivered up to.
func (w *Watch) pass(events []*clientv3.Event) {
	for _, e := range events {
		if string(e.Kv.Key) == beacon {
			continue
		}
		w.each(Event{
			Key: e.Kv.Key, Value: e.Kv.Value,
			CreateRevision: e.Kv.CreateRevision, ModRevision: e.Kv.ModRevision,
			Version: e.Kv.Version, Deleted: e.Type == clientv3.EventTypeDelete,
		})
	}
	if len(events) > 0 {
		w.advance(events[len(events)-1].Kv.ModRevision)
	}
}

func (w *Watch) advance(revision int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.revision = revision
	close(w.moved)
	w.moved = make(chan struct{})
}

// Sync waits until everything stored before the call has been delivered. It
// returns the watch's error when the watch has ended or ends before, else ctx's.
func (w *Watch) Sync(ctx context.Context) error {
	select {
	case <-w.done:
		// Even where nothing was stored since: a store that answers quickly enough
		// would hide that its changes are watched no more.
		return w.ended()
	default:
	}
	target, err := w.current(ctx)
	if err != nil {
		return err
	}
	for {
		revision, moved := w.position()
		if revision >= target {
			return nil
		}
		select {
		case <-moved:
		case <-w.done:
			return w.ended()
		case <-ctx.Done():
			return fmt.Errorf("store: watch: delivered up to revision %d of %d: %w", revision, target, context.Cause(ctx))
		}
	}
}

// current is a revision after all that is stored, which the watch will reach exactly. A
// store that does not answer although it was given the time has failed.
func (w *Watch) current(within context.Context) (int64, error) {
	ctx, cancel := context.WithCancel(within)
	defer cancel()
	// A store that has ended answers nothing; its client would wait for ever.
	go func() {
		select {
		case <-w.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	revision, err := w.now(ctx)
	if err == nil {
		return revision, nil
	}
	select {
	case <-w.done:
		return 0, w.ended()
	default:
	}
	if within.Err() == nil {
		err = failed(err)
	}
	return 0, fmt.Errorf("store: watch: current revision: %w", err)
}

func (w *Watch) position() (revision int64, moved <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.revision, w.moved
}

// ended is why a watch that is done cannot answer for what was stored since.
func (w *Watch) ended() error {
	return cmp.Or(w.Err(), errors.New("store: watch: stopped before everything stored was delivered"))
}

// Done is closed when no further event will be delivered.
func (w *Watch) Done() <-chan struct{} { return w.done }

// Err is nil while the watch runs and after Stop, else why it ended.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Stop ends the watch and waits for the last call to return. Call Sync before
// if nothing may be missed. It must not be called from within a call.
func (w *Watch) Stop() {
	w.cancel(errStopped)
	<-w.done
}
