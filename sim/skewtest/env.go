package skewtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
// process share their builds. Its methods may be called by parallel tests, also with the same
// scenarios.
type Env struct {
	config config
	short  bool // scenarios are validated and planned, and not run
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
// "source:../kubernetes", "crd:manifests/v1", "frobber@1.0". It is required. Names of files are
// relative to the test's directory. "image:NAME" needs Main.
func Old(reference string) Option { return func(c *config) { c.old = reference } }

// New names the build of the new release, as Old does the old one. It is required.
func New(reference string) Option { return func(c *config) { c.new = reference } }

// AA makes each run an A/A run: the release of this role, "old" or "new", is both releases,
// and no finding is expected.
func AA(role string) Option { return func(c *config) { c.aa = term.Role(role) } }

// Timeout limits each run, without builds. The default is 30 minutes. All runs also end half a
// minute before go test -timeout, which is 10 minutes for all tests of a package unless it is
// given, so that reports are written.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Retries sets how often a run is repeated after an infrastructure failure, such as a port
// that was taken. The default is 1. A run that was judged is never repeated.
func Retries(n int) Option { return func(c *config) { c.retries = n } }

// Dir sets the directory that keeps the run directories, DIR/TEST/SCENARIO, whether a test
// fails or not. By default the run directory of a failed test is kept in a temporary
// directory, and with go test -artifacts those of all tests are.
func Dir(path string) Option { return func(c *config) { c.dir = path } }

// Start returns an environment, and makes the builds that are missing, which takes minutes
// for a release that is not in the cache. With -short it makes none.
func Start(t testing.TB, options ...Option) *Env {
	t.Helper()
	c := config{timeout: 30 * time.Minute, retries: 1}
	for _, option := range options {
		option(&c)
	}
	e := newEnv(c)
	refs, err := e.references()
	if err == nil && !e.short {
		err = e.build(t, refs)
	}
	if err != nil {
		t.Fatalf("skewtest: %v", err)
	}
	return e
}

func newEnv(c config) *Env {
	made := builds.Of(shared.get())
	return &Env{
		config: c, short: testing.Short(), builds: made,
		engine: engine.New(engine.Config{Builds: made, Tool: "skewtest", ProbeDir: builder.ProbeDir()}),
	}
}

// errUnguarded is the error for images in a test binary that cannot remove containers.
var errUnguarded = errors.New("a container image needs skewtest.Main, which removes the container when the tests end: " +
	"add func TestMain(m *testing.M) { skewtest.Main(m) }, or name another build of the release")

// references returns the references of both releases, so that a wrong one fails before any
// scenario.
func (e *Env) references() (all []servers.Reference, err error) {
	for _, release := range []struct{ option, reference string }{{"Old", e.config.old}, {"New", e.config.new}} {
		if release.reference == "" {
			return nil, fmt.Errorf("no %s release: pass skewtest.%s(reference) to Start", release.option, release.option)
		}
		ref, err := servers.ParseReference(release.reference)
		if err != nil {
			return nil, err
		}
		if ref.Scheme == servers.SchemeImage && !shared.guarded {
			return nil, fmt.Errorf("%s: %w", ref, errUnguarded)
		}
		all = append(all, ref)
	}
	return all, nil
}

// build makes both builds.
func (e *Env) build(t testing.TB, refs []servers.Reference) error {
	t.Helper()
	for _, ref := range refs {
		if !e.builds.IsBuilt(t.Context(), ref) {
			t.Logf("building %s, which may take minutes", ref)
		}
		if _, err := e.builds.Build(t.Context(), ref); err != nil {
			return fmt.Errorf("%s: %w", ref, err)
		}
	}
	return nil
}

// Run runs scenarios, and reports each finding that they do not expect as an error of the
// test. Several scenarios run as subtests with their names, and those that can share
// servers do. With -short it validates and plans the scenarios, and then skips the test.
func (e *Env) Run(t *testing.T, all ...*ScenarioSpec) {
	t.Helper()
	sources := make([]source, len(all))
	for i, s := range all {
		sources[i] = e.source(s)
	}
	e.run(t, sources)
}

// source returns a scenario in Go as it is for the component of the environment's releases.
// It does not change s, which other tests may use at the same time.
func (e *Env) source(s *ScenarioSpec) source {
	component := e.component()
	return source{
		name: s.model.Name, at: s.positions(),
		load: func(ctx context.Context) (*scenarios.Scenario, error) {
			loaded, err := s.load(component)
			if err != nil {
				return nil, err
			}
			return loaded, engine.CheckFile(ctx, e.builds, loaded)
		},
		files: func() (files, error) { return s.files(component) },
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
func (e *Env) request(ctx context.Context, s *scenarios.Scenario, dir string) (engine.Run, error) {
	return engine.Prepare(ctx, e.builds, engine.Request{
		Scenario: s, Pair: engine.PairNames{Old: e.config.old, New: e.config.new}, AA: e.config.aa,
		AllowPrograms: true, Dir: dir, Timeout: e.config.timeout,
	})
}
