package gobuild

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Cache is a directory of built programs. Any number of processes may use it
// at once.
type Cache struct {
	dir string
}

// Built is a program in the cache.
type Built struct {
	Name      string        `json:"name"`
	Version   string        `json:"version"`
	Platform  string        `json:"platform"`  // linux/amd64
	Recipe    string        `json:"recipe"`    // digest of the recipe
	Toolchain string        `json:"toolchain"` // go1.26.8; recorded, not part of the key
	Digest    string        `json:"sha256"`    // of the executable, in hex
	Size      int64         `json:"size"`      // bytes
	At        time.Time     `json:"at"`        // when it was built
	Took      time.Duration `json:"tookNanos"` // to build
	// Path of the executable.
	Path string `json:"-"`
	// Key identifies it among what List gives, and to Remove.
	Key string `json:"-"`
}

// Open uses the directory dir, and creates it with mode 0700 when it is
// missing. The default for "" is $SKEWSIM_CACHE, else the directory skewsim in
// the user's cache directory.
func Open(dir string) (*Cache, error) {
	dir, err := Place(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "builds"), 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w; set SKEWSIM_CACHE to a directory that can be written", err)
	}
	return &Cache{dir: dir}, nil
}

// Place is the directory that Open uses, whether it is there or not.
func Place(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv("SKEWSIM_CACHE")
	}
	if dir == "" {
		parent, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("cache: no directory: %w; set SKEWSIM_CACHE", err)
		}
		dir = filepath.Join(parent, "skewsim")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	return dir, nil
}

// Dir is the cache's directory.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) path(name string) string { return filepath.Join(c.dir, "builds", name) }

// Get hands out the recipe's program, and builds it when it is missing or
// damaged. When another process is building it, Get waits for that, until ctx
// ends. When ctx ends during a build, the build is stopped and nothing of it
// stays.
func (c *Cache) Get(ctx context.Context, r Recipe, p Progress) (Built, error) {
	p = orSilent(p)
	if err := r.check(); err != nil {
		return Built{}, err
	}
	// Entries appear whole, so looking needs no lock.
	if built, err := c.load(r.key()); err == nil {
		return built, nil
	}
	unlock, err := c.lock(ctx, r, p)
	if err != nil {
		return Built{}, err
	}
	defer unlock()
	built, err := c.load(r.key())
	if err == nil {
		return built, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		p.Phase(fmt.Sprintf("building %s again: %s", r, err))
	}
	c.sweep(r.key())
	return c.build(ctx, r, p)
}

// build makes the entry; the caller holds its lock.
func (c *Cache) build(ctx context.Context, r Recipe, p Progress) (Built, error) {
	dir, err := os.MkdirTemp(c.path(""), r.key()+temporary)
	if err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, explainFile(err))
	}
	defer os.RemoveAll(dir)
	w := workshop{recipe: r, dir: dir, progress: p}
	if err := w.build(ctx); err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, err)
	}
	if err := c.publish(w.product(), r.key()); err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, explainFile(err))
	}
	return c.load(r.key())
}

// List gives what the cache holds, by key. Damaged entries are left out; Get
// builds them anew.
func (c *Cache) List() ([]Built, error) {
	entries, err := os.ReadDir(c.path(""))
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	var all []Built
	for _, entry := range entries {
		if !entry.IsDir() || strings.Contains(entry.Name(), temporary) {
			continue
		}
		if built, err := c.read(entry.Name()); err == nil {
			all = append(all, built)
		}
	}
	return all, nil
}

// Remove deletes a program by its key. A server that runs it keeps running.
func (c *Cache) Remove(key string) error {
	all, err := c.List()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(b Built) bool { return b.Key == key })
	if i < 0 {
		return fmt.Errorf("cache: no build %q", key)
	}
	if err := os.RemoveAll(c.path(key)); err != nil {
		return fmt.Errorf("cache: remove %q: %w", key, err)
	}
	return nil
}
