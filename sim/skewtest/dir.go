package skewtest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// runDir returns the run directory of a scenario of a test. It is removed when the test ends,
// unless the test fails or the user wants to keep it.
func (e *Env) runDir(t testing.TB, scenario string) (string, error) {
	if e.config.dir != "" {
		return unused(filepath.Join(e.config.dir, fileName(t.Name()), scenario)), nil
	}
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return unused(filepath.Join(t.ArtifactDir(), scenario)), nil
	}
	dir, err := os.MkdirTemp("", "skewtest-")
	if err != nil {
		return "", err
	}
	t.Cleanup(func() {
		if !t.Failed() {
			if err := os.RemoveAll(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Logf("run directory: %v", err)
			}
		}
	})
	return filepath.Join(dir, scenario), nil
}

// maxFileName is enough to recognise a test.
const maxFileName = 100

// fileName returns the name of a test as that of a directory.
func fileName(test string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, test)
	return name[:min(len(name), maxFileName)]
}

// used are the run directories of this process that the user named.
var used struct {
	sync.Mutex
	times map[string]int
}

// unused returns a directory, with -2 and so on if this process has used it already: a test may
// run a scenario twice, and so does go test -count 2.
func unused(dir string) string {
	used.Lock()
	defer used.Unlock()
	if used.times == nil {
		used.times = map[string]int{}
	}
	used.times[dir]++
	if n := used.times[dir]; n > 1 {
		return fmt.Sprintf("%s-%d", dir, n)
	}
	return dir
}
