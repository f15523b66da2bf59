package builder

import (
	"path/filepath"
	"sync"

	"github.com/skewsim/skewsim/servers/build"
)

// openCache is the cache of builds. For as long as it is open, no other process prunes
// what it handed out.
type openCache struct {
	mutex sync.Mutex
	kept  *build.Cache
	// binaries are what the cache takes instead of building it; nil: nothing.
	binaries build.Binaries
}

// open opens the cache once.
func (c *openCache) open() (*build.Cache, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.kept != nil {
		return c.kept, nil
	}
	cache, err := build.OpenCache("")
	if err == nil {
		cache.UseBinaries(c.binaries)
		c.kept = cache
	}
	return cache, err
}

func (c *openCache) close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.kept != nil {
		c.kept.Close()
	}
}

// ProbeDir is the directory, beside the builds, that keeps what builds say of themselves;
// "": without a cache each run asks anew.
func ProbeDir() string { return besideBuilds("probes") }

func besideBuilds(name string) string {
	cache, err := build.Place("")
	if err != nil {
		return ""
	}
	return filepath.Join(cache, name)
}
