package gobuild

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

// keptProbes is how long what builds say of themselves is kept where Pruning does not
// say how long builds are: it is asked for again, once, in seconds.
const keptProbes = 30 * 24 * time.Hour

// Pruning says what is to be removed. The zero Pruning removes leftovers alone: of
// builds that died, of entries that are gone, damaged ones that nobody uses, and what builds said of
// themselves a month ago.
type Pruning struct {
	// OlderThan removes what was not handed out for longer. Default: nothing.
	OlderThan time.Duration
	// Keep spares so many of those that were handed out last. Where neither OlderThan
	// nor MaxSize says what goes, all others go. Default: it spares none.
	Keep int
	// MaxSize removes those that were handed out longest ago, until the rest has no
	// more bytes; what is in use counts as well. Default: no limit.
	MaxSize int64
	// DryRun removes nothing.
	DryRun bool
}

// Pruned is something that Prune removed, or would.
type Pruned struct {
	Built // empty of a leftover
	// Leftover is the name of a file or directory that is no build; "": it is one.
	Leftover string
	Size     int64 // bytes
	// Spared says why it is still there although it was to go; "": it is gone.
	Spared string
}

// Prune removes programs that nobody uses, those that were handed out longest ago
// first, then leftovers. What another process uses, or builds, it spares.
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

// pruneBuilt removes what is damaged, then what was handed out longest ago. What turns
// out to be spared still has its size, and another goes for it.
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

// longestUnused has damaged builds first, which nobody is handed out.
func longestUnused(a, b Built) int {
	switch {
	case a.Damaged == b.Damaged:
		return a.Used.Compare(b.Used)
	case a.Damaged:
		return -1
	}
	return 1
}

// chooses tells whether a whole build is to go, of a cache that has so many bytes.
func (p Pruning) chooses(b Built, size int64, now time.Time) bool {
	old := p.OlderThan > 0 && now.Sub(b.Used) > p.OlderThan
	large := p.MaxSize > 0 && size > p.MaxSize
	rest := p.Keep > 0 && p.OlderThan == 0 && p.MaxSize == 0
	return old || large || rest
}

// prune removes an entry that nobody uses or builds; else it tells who does.
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

// builder is the key whose lock those have who build the program: that of its recipe,
// also where other modules stand in for some.
func (b Built) builder() string {
	goos, goarch, _ := strings.Cut(b.Platform, "/")
	return entryName(b.Name, b.Version, goos, goarch, b.Recipe)
}

// aloneIfThere takes a lock and makes no file for it: without one nobody has it.
func aloneIfThere(l *flock.Flock) (free bool, err error) {
	if _, err := os.Lstat(l.Path()); err != nil {
		return true, nil //nolint:nilerr // whatever keeps it from being seen
	}
	return alone(l)
}

// pruneLeft removes what is of no use in the directory of the builds: what dead builds
// left, entries that cannot be read, and locks of entries that are gone.
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

// leave removes one leftover; gone says that it was one, and nobody's.
func (c *Cache) leave(e os.DirEntry, dry bool) (gone bool, err error) {
	key, unfinished := keyOf(e.Name())
	if !unfinished {
		key = strings.TrimSuffix(strings.TrimSuffix(e.Name(), lockSuffix), useSuffix)
	}
	ours := e.IsDir() || key != e.Name()
	if _, err := c.read(key); !ours || err == nil && !unfinished {
		return false, nil // an entry, or a lock of one, or nothing of this package
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

// pruneProbes removes from the directory what builds said of themselves before then. Which
// build a file is of, it does not say.
func pruneProbes(dir string, then time.Time, dry bool) (all []Pruned, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // nothing was kept, or it is out of reach
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

// sizeOf is that of the files in a directory, or of a file.
func sizeOf(path string) (size int64) {
	_ = filepath.WalkDir(path, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil // what cannot be seen does not count
	})
	return size
}
