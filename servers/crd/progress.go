package crd

import (
	"context"
	"sync"
	"time"
)

// progress ends a context when nothing advances for a while. A slow machine needs more time, and not more
// steps: what advances is waited for.
type progress struct {
	within time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

// watchProgress returns a context that ends, with a cause, once nothing has advanced within a time.
func watchProgress(ctx context.Context, within time.Duration, cause error) (context.Context, *progress) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &progress{within: within, cancel: cancel, timer: time.AfterFunc(within, func() { cancel(cause) })}
}

// advance begins the time anew.
func (p *progress) advance() { p.timer.Reset(p.within) }

// suspend stops the time until something advances.
func (p *progress) suspend() { p.timer.Stop() }

// end releases the context.
func (p *progress) end() {
	p.timer.Stop()
	p.cancel(nil)
}

// turns lets the servers of one build write a definition one after the other: those that share a store find
// what the first one wrote.
type turns struct {
	build string // the digest
	all   *queues
}

// queues has a place for one holder in each queue.
type queues struct {
	mu     sync.Mutex
	byName map[string]chan struct{}
}

// take waits for the turn to write a definition, and returns what ends the turn.
func (t turns) take(ctx context.Context, ended <-chan struct{}, name string) (done func(), err error) {
	place := t.all.of(t.build + " " + name)
	select {
	case place <- struct{}{}:
		return func() { <-place }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-ended:
		return nil, errEnded
	}
}

func (q *queues) of(name string) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.byName == nil {
		q.byName = map[string]chan struct{}{}
	}
	if q.byName[name] == nil {
		q.byName[name] = make(chan struct{}, 1)
	}
	return q.byName[name]
}
