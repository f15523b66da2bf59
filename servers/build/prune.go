package build

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// keptProbes is how long probe results of builds are kept if Pruning has no age for builds: the
// next run gets them again, in seconds.
const keptProbes = 30 * 24 * time.Hour

// Pruning selects what to remove. The zero Pruning removes only leftovers: files of builds that
// died, entries that are unreadable, damaged entries that nobody uses, and probe results that
// are a month old.
type Pruning struct {
	// OlderThan removes builds that were last used longer ago. Default: none.
	OlderThan time.Duration
	// Keep spares this number of the most recently used builds. If neither OlderThan nor
	// MaxSize is set, all others are removed. Default: none is spared.
	Keep int
	// MaxSize removes the least recently used builds until the others have at most this many
	// bytes, including builds in use. Default: no limit.
	MaxSize int64
	// DryRun removes nothing.
	DryRun bool
}

// Pruned is something that Prune removed, or would remove.
type Pruned struct {
	Built // empty for a leftover
	// Leftover is the name of a file or directory that is not a build; "" for a build.
	Leftover string
	Size     int64 // bytes
	// Spared is why it was not removed although it was selected; "" if it was removed.
	Spared string
}

// Prune removes programs that nobody uses, the least recently used first, then leftovers. It
// spares what another process uses or builds.
func (c *Cache) Prune(p Pruning, now time.Time) (all []Pruned, err error) {
	all, err = c.pruneBuilt(p, now)
	if err != nil {
		return all, err
	}
	left, err := c.pruneLeft(p.DryRun)
	all = append(all, left...)
	if err != nil {
		return all, err
	}
	old, err := pruneProbes(filepath.Join(c.dir, "probes"), now.Add(-cmp.Or(p.OlderThan, keptProbes)), p.DryRun)
	return append(all, old...), err
}

// pruneBuilt removes damaged builds, then the least recently used ones. If a build is spared,
// its size still counts, and another one is removed instead.
func (c *Cache) pruneBuilt(p Pruning, now time.Time) (all []Pruned, err error) {
	built, err := c.List()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(built, longestUnused)
	var size int64
	for i, b := range built {
		if b.Damaged {
			built[i].Size = sizeOf(b.Path)
		}
		size += built[i].Size
	}
	for i, b := range built {
		if !b.Damaged && (len(built)-i <= p.Keep || !p.chooses(b, size, now)) {
			continue
		}
		one := Pruned{Built: b, Size: b.Size}
		if one.Spared, err = c.prune(b, p.DryRun); err != nil {
			return all, err
		}
		if one.Spared == "" {
			size -= b.Size
		}
		all = append(all, one)
	}
	return all, nil
}

// longestUnused orders damaged builds first, because nobody gets them.
func longestUnused(a, b Built) int {
	switch {
	case a.Damaged == b.Damaged:
		return a.Used.Compare(b.Used)
	case a.Damaged:
		return -1
	}
	return 1
}

// chooses reports whether to remove an undamaged build from a cache of the given size.
func (p Pruning) chooses(b Built, size int64, now time.Time) bool {
	old := p.OlderThan > 0 && now.Sub(b.Used) > p.OlderThan
	large := p.MaxSize > 0 && size > p.MaxSize
	rest := p.Keep > 0 && p.OlderThan == 0 && p.MaxSize == 0
	return old || large || rest
}

// prune removes an entry that nobody uses or builds; otherwise it returns the reason.
func (c *Cache) prune(b Built, dry bool) (spared string, err error) {
	take := alone
	if dry {
		take = aloneIfThere
	}
	builder, user := c.newLock(b.builder()), c.newUse(b.Key)
	if free, err := take(builder); err != nil || !free {
		return "another process builds it", err
	}
	defer builder.Unlock()
	if free, err := take(user); err != nil || !free {
		return "it is in use", err
	}
	defer user.Unlock()
	if dry {
		return "", nil
	}
	if err := os.RemoveAll(c.path(b.Key)); err != nil {
		return "", fmt.Errorf("cache: remove %q: %w", b.Key, err)
	}
	return "", nil
}

// builder returns the key whose lock is held while the program is built: the recipe's key, even
// with substituted modules.
func (b Built) builder() string {
	goos, goarch, _ := strings.Cut(b.Platform, "/")
	return entryName(b.Name, b.Version, goos, goarch, b.Recipe)
}

// aloneIfThere takes a lock without creating its file: if the file does not exist, nobody holds
// the lock.
func aloneIfThere(l *flock.Flock) (free bool, err error) {
	if _, err := os.Lstat(l.Path()); err != nil {
		return true, nil //nolint:nilerr // the file cannot be seen
	}
	return alone(l)
}

// pruneLeft removes leftovers in the directory of the builds: files of dead builds, unreadable
// entries, and locks of entries that no longer exist.
func (c *Cache) pruneLeft(dry bool) (all []Pruned, err error) {
	entries, err := os.ReadDir(c.path(""))
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	for _, e := range entries {
		path := c.path(e.Name())
		size := sizeOf(path)
		gone, err := c.leave(e, dry)
		if err != nil {
			return all, fmt.Errorf("cache: remove %q: %w", e.Name(), err)
		}
		if gone {
			all = append(all, Pruned{Leftover: e.Name(), Size: size})
		}
	}
	return all, nil
}

// leave removes one leftover; gone reports whether it was one that nobody uses.
func (c *Cache) leave(e os.DirEntry, dry bool) (gone bool, err error) {
	key, unfinished := keyOf(e.Name())
	if !unfinished {
		key = strings.TrimSuffix(strings.TrimSuffix(e.Name(), lockSuffix), useSuffix)
	}
	ours := e.IsDir() || key != e.Name()
	if _, err := c.read(key); !ours || err == nil && !unfinished {
		return false, nil // an entry, or its lock, or not a file of this package
	}
	for _, l := range []*flock.Flock{c.newLock(key), c.newUse(key)} {
		free, err := aloneIfThere(l)
		if err != nil || !free {
			return false, err
		}
		defer l.Unlock()
	}
	if dry {
		return true, nil
	}
	return true, os.RemoveAll(c.path(e.Name()))
}

// pruneProbes removes probe results that are older than then. Their files do not contain the
// name of the build.
func pruneProbes(dir string, then time.Time, dry bool) (all []Pruned, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // nothing to remove, or not readable
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.ModTime().After(then) {
			continue
		}
		if !dry {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return all, fmt.Errorf("cache: %w", err)
			}
		}
		all = append(all, Pruned{Leftover: "probes/" + e.Name(), Size: info.Size()})
	}
	return all, nil
}

// sizeOf returns the size of a file, or of the files in a directory.
func sizeOf(path string) (size int64) {
	_ = filepath.WalkDir(path, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil // unreadable files do not count
	})
	return size
}
