package typedclient_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// The releases that the tests play; emptyDir.mode is new in the second.
const (
	older = "v1.36.3"
	newer = "v1.37.0"
)

// ticker tells that a build lives: on standard error, for a test's own log
// appears only when the test has ended.
type ticker struct {
	mu   sync.Mutex
	told time.Time
}

func (k *ticker) Phase(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.told = time.Now()
	fmt.Fprintln(os.Stderr, "    "+text)
}

func (k *ticker) Packages(done, total int) {
	k.mu.Lock()
	due := time.Since(k.told) > 10*time.Second
	k.mu.Unlock()
	if due {
		k.Phase(fmt.Sprintf("compiled %d of %d packages", done, total))
	}
}

// buildOf takes the program of a release from the user's cache, and builds it
// there the first time.
func buildOf(t testing.TB, release string) typedclient.Build {
	t.Helper()
	tiers.NeedAny(t)
	cache, err := build.OpenCache("")
	require.NoError(t, err)
	b, err := typedclient.Get(t.Context(), cache, release, &ticker{})
	neighbours.NotPlayed(t, err)
	return b
}

// run starts the program of a release for as long as the test lasts.
func run(t testing.TB, release string) *typedclient.Program {
	t.Helper()
	p, err := typedclient.Start(buildOf(t, release), filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// both are the programs of both releases, the older first.
func both(t testing.TB) []*typedclient.Program {
	t.Helper()
	return []*typedclient.Program{run(t, older), run(t, newer)}
}

// kind reads "apps/v1 Deployment".
func kind(t testing.TB, text string) schema.GroupVersionKind {
	t.Helper()
	version, name, ok := strings.Cut(text, " ")
	require.True(t, ok, text)
	gv, err := schema.ParseGroupVersion(version)
	require.NoError(t, err)
	return gv.WithKind(name)
}
