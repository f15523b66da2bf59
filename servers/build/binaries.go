package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Binaries gets executables that somebody else built, so that they need not be built here.
type Binaries interface {
	// Get puts a program of a release into a file, and returns where it is from: an address or
	// a path. It returns "" if it has none, for a reason that it reports itself. The only error
	// is that of ctx, or of the file.
	Get(ctx context.Context, r Recipe, file string, p Progress) (from string, err error)
}

// UseBinaries has Get of a cache take programs that have a Recipe.Verify from binaries, instead
// of building them. nil, the default: all programs are built, and those of binaries in the cache
// are not used.
func (c *Cache) UseBinaries(b Binaries) { c.binaries = b }

// keyPublished returns the name of the entry of a program that was built elsewhere. It never
// replaces the recipe's own entry.
func (r Recipe) keyPublished() string {
	sum := sha256.Sum256([]byte("published " + r.digest()))
	return r.keyOf(hex.EncodeToString(sum[:]))
}

// takes reports whether a program of binaries serves for a recipe.
func (c *Cache) takes(r Recipe) bool { return c.binaries != nil && r.Verify != nil }

// fetch creates the entry of a program that was built elsewhere; the caller holds the recipe's
// lock. ok is false if there is none, and the program has to be built.
func (c *Cache) fetch(ctx context.Context, r Recipe, p Progress) (b Built, ok bool, err error) {
	began := time.Now()
	dir, err := os.MkdirTemp(c.path(""), r.key()+temporary)
	if err != nil {
		return Built{}, false, fmt.Errorf("get %s: %w", r, explainFile(err))
	}
	defer os.RemoveAll(dir)
	from, err := c.binaries.Get(ctx, r, filepath.Join(dir, r.Name), p)
	if err != nil {
		return Built{}, false, fmt.Errorf("get %s: %w", r, explainFile(err))
	}
	if from == "" {
		return Built{}, false, nil
	}
	err = record(dir, Built{
		Name: r.Name, Version: r.Version, Reference: r.Reference, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Recipe: r.digest(), From: from, At: began.UTC(), Took: time.Since(began),
	})
	if err == nil {
		err = c.publish(dir, r.keyPublished())
	}
	if err != nil {
		return Built{}, false, fmt.Errorf("get %s: %w", r, explainFile(err))
	}
	b, err = c.handOut(r.keyPublished())
	return b, err == nil, err
}
