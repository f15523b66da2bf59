package skewtest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

func TestMain(m *testing.M) { Main(m) }

// TestSharedScenario: environments of different components may run one scenario at the same
// time, and leave it as it is.
func TestSharedScenario(t *testing.T) {
	s := myField()
	var wg sync.WaitGroup
	for old, component := range map[string]string{"frobber@1.0": "frobber", "kube-apiserver@v1.36.3": "kube-apiserver"} {
		wg.Go(func() {
			of := newEnv(config{old: old, new: old}).source(s)
			_, err := of.load(t.Context())
			assert.NoError(t, err)
			all, err := of.files()
			assert.NoError(t, err)
			loaded, err := load.FS(all, "my-field.yaml")
			assert.NoError(t, err)
			assert.Equal(t, component, loaded.Releases.Of)
		})
	}
	wg.Wait()
	assert.Empty(t, s.model.Releases.Of)
}

// named is a test that only has a name.
type named struct {
	testing.TB
	name string
}

func (n named) Name() string { return n.name }

// TestRunDirs: no two runs of a process have one directory.
func TestRunDirs(t *testing.T) {
	e := &Env{config: config{dir: t.TempDir()}}
	long := "Test" + strings.Repeat("Long", 100)
	seen := map[string]bool{}
	for _, test := range []string{"TestA", "TestB", "TestB", "TestB/../x y", "TestB_____x_y", long + "1", long + "2"} {
		dir, err := e.runDir(named{t, test}, "same")
		require.NoError(t, err)
		assert.False(t, seen[dir], dir)
		seen[dir] = true
		name := filepath.Base(filepath.Dir(dir))
		assert.Equal(t, e.config.dir, filepath.Dir(filepath.Dir(dir)))
		assert.Regexp(t, `^Test\w{1,96}$`, name)
	}
}

// TestImages: a container image is refused where nothing would remove its containers, and Main
// is what removes them.
func TestImages(t *testing.T) {
	c := config{old: "image:example.dev/a:1", new: "image:example.dev/a:2"}
	_, err := c.references()
	require.NoError(t, err)
	command := shared.guard()
	require.Len(t, command, 2)
	t.Cleanup(func() { shared.isMain = true })
	shared.isMain = false
	_, err = c.references()
	assert.ErrorIs(t, err, errUnguarded)
	assert.Empty(t, shared.guard())

	var requests bytes.Buffer
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.WriteString(r.URL.String() + "\n")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("[]"))
	}))
	guard := exec.Command(command[0], append(command[1:], "run-7")...)
	guard.Env = append(os.Environ(), "DOCKER_HOST=tcp://"+strings.TrimPrefix(engine.URL, "http://"))
	out, err := guard.CombinedOutput()
	engine.Close()
	require.NoError(t, err, string(out))
	assert.Contains(t, requests.String(), "run-7")
}
