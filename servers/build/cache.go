package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Cache is a directory of built programs. Any number of processes may use it at the same time.
type Cache struct {
	dir      string
	exact    bool     // no module may be substituted
	binaries Binaries // programs that were built elsewhere; nil: none is used

	mutex sync.Mutex              // of held
	held  map[string]*flock.Flock // by key: what was handed out
}

// Built is a program in the cache.
type Built struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Reference string `json:"reference,omitempty"` // as users name it; "": Name@Version
	Platform  string `json:"platform"`            // linux/amd64
	Recipe    string `json:"recipe"`              // digest of the recipe
	Toolchain string `json:"toolchain"`           // go1.26.8; recorded, not part of the key
	Digest    string `json:"sha256"`              // of the executable, in hex
	Size      int64  `json:"size"`                // bytes
	// Substituted lists the modules whose version differs from the release's, because the
	// module proxy withheld it, or because another substituted module requires a later one:
	// each as "PATH VERSION -> VERSION".
	Substituted []string `json:"substituted,omitempty"`
	// From is the address or the file that the executable was taken from; "": it was built here.
	From string `json:"from,omitempty"`

	At   time.Time     `json:"at"`        // when it was built
	Took time.Duration `json:"tookNanos"` // to build
	// Used is when it was last used, as List returns it; at least the build time.
	Used time.Time `json:"-"`
	// Damaged reports, in the result of List, that the executable is missing or has another
	// size than recorded. Get rebuilds it.
	Damaged bool `json:"-"`
	// Path is the path of the executable.
	Path string `json:"-"`
	// Key identifies it in the result of List and for Remove.
	Key string `json:"-"`
}

// BuildsVariable is the environment variable that forbids builds and downloads if it is Off: a
// program that the cache does not contain is an error then. A Tree is built, because it is its
// owner who changes it. Tests set the variable where no tier allows builds.
const BuildsVariable = "SKEWSIM_BUILDS"

// Off is the value of an environment variable that switches off what it names.
const Off = "off"

// OpenCache opens the directory dir, and creates it with mode 0700 if it is missing. The default for
// "" is $SKEWSIM_CACHE, or else the directory skewsim in the user's cache directory. If
// $SKEWSIM_EXACT is not empty, a build with unavailable modules is an error, and no later
// version substitutes for them.
func OpenCache(dir string) (*Cache, error) {
	dir, err := Place(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "builds"), 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", explainFile(err))
	}
	return &Cache{dir: dir, exact: exactOnly(), held: map[string]*flock.Flock{}}, nil
}

// Place returns the directory that Open uses, whether it exists or not.
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

// Dir returns the cache's directory.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) path(name string) string { return filepath.Join(c.dir, "builds", name) }

// Get returns the recipe's program, and gets it from the cache's Binaries, or builds it, if it is
// missing or damaged. If another
// process is building it, Get waits for that until ctx ends. When ctx ends during a build, Get
// stops the build and leaves nothing of it.
//
// If the module proxy withholds a module, the nearest available later version substitutes for
// it; the program then lists it in Substituted, has a separate entry, and is used until the
// exact program is built. A program that cannot be built in this way either is an
// *UnavailableError.
func (c *Cache) Get(ctx context.Context, r Recipe, p Progress) (Built, error) {
	p = orSilent(p)
	if err := r.check(); err != nil {
		return Built{}, err
	}
	// Entries appear atomically, so reading needs no lock.
	if built, err := c.find(r); err == nil {
		return built, nil
	}
	if os.Getenv(BuildsVariable) == Off && r.Tree == nil {
		return Built{}, fmt.Errorf("%s is not in the cache %s, and $%s=%s forbids to get it: %w", r, c.dir, BuildsVariable, Off, ErrForbidden)
	}
	unlock, err := c.lock(ctx, r, p)
	if err != nil {
		return Built{}, err
	}
	defer unlock()
	built, err := c.find(r)
	if err == nil {
		return built, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		p.Phase(fmt.Sprintf("building %s again: %s", r, err))
	}
	c.sweep(r.key())
	if c.takes(r) {
		if b, ok, err := c.fetch(ctx, r, p); ok || err != nil {
			return b, err
		}
	}
	return c.build(ctx, r, p)
}

// Has reports whether the cache contains the recipe's program, undamaged.
func (c *Cache) Has(r Recipe) bool {
	all, err := c.List()
	return err == nil && r.IsAmong(slices.DeleteFunc(all, func(b Built) bool { return b.From != "" && !c.takes(r) }))
}

// find returns the recipe's program, or else one that was built elsewhere, or else one with
// substituted modules. The error is fs.ErrNotExist if there is none.
func (c *Cache) find(r Recipe) (Built, error) {
	built, err := c.handOut(r.key())
	if err != nil && c.takes(r) {
		if published, failed := c.handOut(r.keyPublished()); failed == nil {
			return published, nil
		}
	}
	if c.exact || !errors.Is(err, fs.ErrNotExist) {
		return built, err
	}
	all, listErr := c.List()
	if listErr != nil {
		return Built{}, listErr
	}
	for _, b := range all {
		if b.Recipe == r.digest() && len(b.Substituted) > 0 {
			return c.handOut(b.Key)
		}
	}
	return Built{}, err
}

// build creates the entry; the caller holds its lock.
func (c *Cache) build(ctx context.Context, r Recipe, p Progress) (Built, error) {
	dir, err := os.MkdirTemp(c.path(""), r.key()+temporary)
	if err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, explainFile(err))
	}
	defer os.RemoveAll(dir)
	w := workshop{recipe: r, dir: dir, progress: p, exact: c.exact}
	substituted, err := w.build(ctx)
	if err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, err)
	}
	key := r.keyWith(substituted)
	if err := c.publish(w.product(), key); err != nil {
		return Built{}, fmt.Errorf("build %s: %w", r, explainFile(err))
	}
	return c.handOut(key)
}

// List returns the programs in the cache, by key. It omits entries whose record cannot be read;
// Get rebuilds those.
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
			built.Used, built.Damaged = c.used(built), damaged(built)
			all = append(all, built)
		}
	}
	return all, nil
}

// damaged reports whether the executable has another size than recorded, without reading it.
func damaged(b Built) bool {
	info, err := os.Stat(b.Path)
	return err != nil || info.Size() != b.Size
}

// used returns when a program was last used.
func (c *Cache) used(b Built) time.Time {
	info, err := os.Stat(c.path(b.Key + useSuffix))
	if err != nil || info.ModTime().Before(b.At) {
		return b.At
	}
	return info.ModTime().UTC()
}

// Remove deletes a program by its key, even if it is in use. A server that runs it keeps
// running.
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
