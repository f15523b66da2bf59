package gobuild

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// retryEvery is how often a waiter looks whether the lock is free. The kernel
// can tell at once, but only to a thread that cannot be interrupted.
const retryEvery = 100 * time.Millisecond

// lock takes the recipe's lock: one build of it at a time, among all processes.
// The kernel frees the lock of a process that died.
func (c *Cache) lock(ctx context.Context, r Recipe, p Progress) (unlock func(), err error) {
	l := c.newLock(r.key())
	free, err := alone(l)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", r, explainFile(err))
	}
	if !free {
		p.Phase(fmt.Sprintf("waiting for %s, which another process is building", r))
	}
	for !free {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s, which another process is building: %w", r, context.Cause(ctx))
		case <-time.After(retryEvery):
		}
		if free, err = alone(l); err != nil {
			return nil, fmt.Errorf("wait for %s, which another process is building: %w", r, explainFile(err))
		}
	}
	return func() { _ = l.Unlock() }, nil // fails only on a lock not held
}

func (c *Cache) newLock(key string) *flock.Flock {
	return flock.New(c.path(key+lockSuffix), flock.SetPermissions(0o600))
}

func (c *Cache) newUse(key string) *flock.Flock {
	return flock.New(c.path(key+useSuffix), flock.SetPermissions(0o600))
}

// What the names of the files beside the entries end with.
const (
	lockSuffix = ".lock" // held by who builds the entry
	useSuffix  = ".used" // held by all who use it; its time is when it was last handed out
)

// alone takes a lock for one process; not ok: another has it. shared takes it for one of
// many, and waits for who has it alone, which is for as long as it takes to remove a
// directory.
func alone(l *flock.Flock) (ok bool, err error) { return take(l, l.TryLock) }
func shared(l *flock.Flock) (ok bool, err error) {
	return take(l, func() (bool, error) { return true, l.RLock() })
}

// take takes a lock. A lock file that Prune removed before it was locked locks nothing,
// so then it is taken again.
func take(l *flock.Flock, try func() (bool, error)) (ok bool, err error) {
	for {
		ok, err := try()
		if err != nil || !ok || isThere(l) {
			return ok, err
		}
		if err := l.Unlock(); err != nil {
			return false, err
		}
	}
}

// isThere tells whether a lock's file is still the one of that name.
func isThere(l *flock.Flock) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.Path())
	return err == nil && os.SameFile(held, there)
}

// hold keeps Prune from removing an entry, in this process and any other, for as long
// as this cache is in use, and notes that it was used. In a cache that cannot be
// written nothing is noted, and nobody prunes.
func (c *Cache) hold(key string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.held[key] == nil {
		l := c.newUse(key)
		if _, err := shared(l); err != nil {
			return
		}
		c.held[key] = l
	}
	now := time.Now()
	_ = os.Chtimes(c.path(key+useSuffix), now, now)
}

// Close lets go what was handed out: others may prune it then. The cache can be used on.
func (c *Cache) Close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for key, l := range c.held {
		_ = l.Unlock() // fails only on a lock not held
		delete(c.held, key)
	}
}

// release lets an entry go that turned out not to be there.
func (c *Cache) release(key string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if l := c.held[key]; l != nil {
		_ = l.Unlock()
		delete(c.held, key)
	}
}

// sweep removes the temporary directories that dead builds left: those of the
// entry whose lock the caller holds, and those whose lock nobody holds. What
// cannot be removed now will be next time.
func (c *Cache) sweep(held string) {
	entries, err := os.ReadDir(c.path(""))
	if err != nil {
		return
	}
	for _, entry := range entries {
		key, ok := keyOf(entry.Name())
		if !ok {
			continue
		}
		if key == held {
			_ = os.RemoveAll(c.path(entry.Name()))
			continue
		}
		l := c.newLock(key)
		if free, err := alone(l); err == nil && free {
			_ = os.RemoveAll(c.path(entry.Name()))
			_ = l.Unlock()
		}
	}
}
