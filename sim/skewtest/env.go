package skewtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/engine/builds"
)

// Env runs scenarios on the API servers of one pair of releases. All environments of a
// process share their builds. Its methods may be called by parallel tests.
type Env struct {
	config config
	builds engine.Builds
	engine *engine.Engine
}

// config is the options of Start.
type config struct {
	old, new string
	aa       term.Role
	timeout  time.Duration
	retries  int
	dir      string
}

// Option is an option of Start.
type Option func(*config)

// Old names the build of the old release: "kube-apiserver@v1.36.3", "path:./kube-apiserver",
// "source:../kubernetes", "crd:manifests/v1", "frobber@1.0". It is required.
func Old(reference string) Option { return func(c *config) { c.old = reference } }

// New names the build of the new release, as Old does the old one. It is required.
func New(reference string) Option { return func(c *config) { c.new = reference } }

// AA makes each run an A/A run: the release of this role, "old" or "new", is both releases,
// and no finding is expected.
func AA(role string) Option { return func(c *config) { c.aa = term.Role(role) } }

// Timeout limits each run, without builds. The default is 30 minutes. A run also ends half
// a minute before the deadline of its test, so that its reports are written.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Retries sets how often a run is repeated after an infrastructure failure, such as a port
// that was taken. The default is 1. A run that was judged is never repeated.
func Retries(n int) Option { return func(c *config) { c.retries = n } }

// Dir sets the directory that keeps the run directories, one for each scenario, whether a
// test fails or not. By default the run directory of a failed test is kept in a temporary
// directory, and with go test -artifacts those of all tests are.
func Dir(path string) Option { return func(c *config) { c.dir = path } }

// graceful is how long before a test's deadline a run ends, at most: a fifth of the time
// that is left is enough for reports.
const graceful = 30 * time.Second

// Start returns an environment, and makes the builds that are missing, which takes minutes
// for a release that is not in the cache. With -short it skips the test.
func Start(t testing.TB, options ...Option) *Env {
	t.Helper()
	if testing.Short() {
		t.Skip("skewtest starts API servers, which -short leaves out")
	}
	c := config{timeout: 30 * time.Minute, retries: 1}
	for _, option := range options {
		option(&c)
	}
	b := sharedBuilder()
	e := &Env{config: c, builds: builds.Of(b)}
	e.engine = engine.New(engine.Config{Builds: e.builds, Tool: "skewtest", ProbeDir: builder.ProbeDir()})
	if err := e.build(t); err != nil {
		t.Fatalf("skewtest: %v", err)
	}
	return e
}

// sharedBuilder returns the builder of the process: several tests never make a build twice.
var sharedBuilder = sync.OnceValue(func() *builder.Builder {
	return builder.New(builder.Config{Catalogue: scenarios.CatalogueFS()})
})

// build makes both builds, so that a wrong reference fails before any scenario.
func (e *Env) build(t testing.TB) error {
	for _, end := range []struct{ option, reference string }{{"Old", e.config.old}, {"New", e.config.new}} {
		if end.reference == "" {
			return fmt.Errorf("no %s release: pass skewtest.%s(reference) to Start", end.option, end.option)
		}
		ref, err := servers.ParseReference(end.reference)
		if err != nil {
			return err
		}
		if !e.builds.IsBuilt(t.Context(), ref) {
			t.Logf("building %s, which may take minutes", ref)
		}
		if _, err := e.builds.Build(t.Context(), ref); err != nil {
			return fmt.Errorf("%s: %w", end.reference, err)
		}
	}
	return nil
}

// Run runs scenarios, and reports each finding that they do not expect as an error of the
// test. Several scenarios run as subtests with their names, and those that can share
// servers do.
func (e *Env) Run(t *testing.T, all ...*ScenarioSpec) {
	t.Helper()
	sources := make([]source, len(all))
	for i, s := range all {
		sources[i] = source{name: s.model.Name, load: e.loader(s), files: s.files}
	}
	e.run(t, sources)
}

// loader validates a scenario for the component of the environment's releases.
func (e *Env) loader(s *ScenarioSpec) func(context.Context) (*scenarios.Scenario, error) {
	return func(ctx context.Context) (*scenarios.Scenario, error) {
		if s.model.Releases.Of == "" {
			s.model.Releases.Of = e.component()
		}
		loaded, err := s.load()
		if err != nil {
			return nil, err
		}
		return loaded, engine.CheckFile(ctx, e.builds, loaded)
	}
}

// component returns the component of the releases; "" if only their builds report it.
func (e *Env) component() string {
	ref, err := servers.ParseReference(e.config.old)
	if err != nil {
		return ""
	}
	return engine.ReleaseOf(ref).Component
}

// RunFile runs scenarios that are named as skewsim run names them: files, or names of the
// catalogue. Otherwise it does the same as Run.
func (e *Env) RunFile(t *testing.T, names ...string) {
	t.Helper()
	sources := make([]source, len(names))
	for i, name := range names {
		sources[i] = source{name: filepath.Base(name), load: func(ctx context.Context) (*scenarios.Scenario, error) {
			return engine.Find(ctx, e.builds, name)
		}}
	}
	e.run(t, sources)
}

// request returns the run of a scenario in a directory.
func (e *Env) request(ctx context.Context, t testing.TB, s *scenarios.Scenario, dir string) (engine.Run, error) {
	timeout := e.config.timeout
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			left := time.Until(at)
			timeout = min(timeout, max(left-min(graceful, left/5), time.Second))
		}
	}
	return engine.Prepare(ctx, e.builds, engine.Request{
		Scenario: s, Pair: engine.PairNames{Old: e.config.old, New: e.config.new}, AA: e.config.aa,
		AllowPrograms: true, Dir: dir, Timeout: timeout,
	})
}

// runDir returns the run directory of a test. It is removed when the test ends, unless the
// test fails or the user wants to keep it.
func (e *Env) runDir(t testing.TB, name string) (string, error) {
	if e.config.dir != "" {
		return filepath.Join(e.config.dir, name), nil
	}
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return filepath.Join(t.ArtifactDir(), name), nil
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
	return filepath.Join(dir, name), nil
}
