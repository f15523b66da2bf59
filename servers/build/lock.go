package build

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// retryEvery is the pause between attempts to get a lock. The kernel can wait for it, but only
// in a thread that cannot be interrupted.
const retryEvery = 100 * time.Millisecond

// lock takes the recipe's lock: only one process at a time builds it. The kernel frees the lock
// of a process that died.
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

// The suffixes of the files next to the entries.
const (
	lockSuffix = ".lock" // held by who builds the entry
	useSuffix  = ".used" // held by all who use it; its time is when it was last handed out
)

// alone takes a lock exclusively; ok is false if another process holds it. shared takes it
// together with others, and waits for an exclusive holder, which only removes a directory.
func alone(l *flock.Flock) (ok bool, err error) { return take(l, l.TryLock) }
func shared(l *flock.Flock) (ok bool, err error) {
	return take(l, func() (bool, error) { return true, l.RLock() })
}

// take takes a lock. If Prune removed the lock file before it was locked, take tries again.
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

// isThere reports whether a lock's file still exists under its name.
func isThere(l *flock.Flock) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.Path())
	return err == nil && os.SameFile(held, there)
}

// hold prevents all processes from pruning an entry while this cache is in use, and records the
// use. If the cache is not writable it records nothing, and nobody can prune.
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

// Close releases the entries that Get returned, so that others may prune them. The cache stays
// usable.
func (c *Cache) Close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for key, l := range c.held {
		_ = l.Unlock() // fails only on a lock not held
		delete(c.held, key)
	}
}

// release releases an entry that does not exist.
func (c *Cache) release(key string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if l := c.held[key]; l != nil {
		_ = l.Unlock()
		delete(c.held, key)
	}
}

// sweep removes the temporary directories of dead builds: those of the entry whose lock the
// caller holds, and those whose lock is free. It ignores errors; a later sweep tries again.
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
