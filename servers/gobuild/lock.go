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
	free, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", r, explainFile(err))
	}
	if !free {
		p.Phase(fmt.Sprintf("waiting for %s, which another process is building", r))
		if _, err := l.TryLockContext(ctx, retryEvery); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, fmt.Errorf("wait for %s, which another process is building: %w", r, err)
		}
	}
	return func() { _ = l.Unlock() }, nil // fails only on a lock not held
}

func (c *Cache) newLock(key string) *flock.Flock {
	return flock.New(c.path(key+".lock"), flock.SetPermissions(0o600))
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
		if free, err := l.TryLock(); err == nil && free {
			_ = os.RemoveAll(c.path(entry.Name()))
			_ = l.Unlock()
		}
	}
}
