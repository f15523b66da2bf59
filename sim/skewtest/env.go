package skewtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
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

// Start returns an environment, and makes the builds that are missing, which takes minutes
// for a release that is not in the cache. With -short it makes none.
func Start(t testing.TB, options ...Option) *Env {
	t.Helper()
	failIfInterrupted(t)
	c, err := configOf(options)
	if err == nil {
		err = c.serve(t)
	}
	refs, wrong := c.references()
	if err = errors.Join(err, wrong); err != nil {
		t.Fatalf("skewtest: %v", err)
	}
	e := newEnv(c)
	if e.short {
		return e
	}
	if err = c.makeDir(); err == nil {
		err = e.build(t, refs)
	}
	if err != nil {
		failIfInterrupted(t)
		t.Fatalf("skewtest: %v", err)
	}
	return e
}

func newEnv(c config) *Env {
	made := engine.BuildsOf(shared.get())
	return &Env{
		config: c, short: testing.Short(), builds: made,
		engine: engine.New(engine.Config{Builds: made, Tool: "skewtest", ProbeDir: builder.ProbeDir()}),
	}
}

// build makes both builds.
func (e *Env) build(t testing.TB, refs []servers.Reference) error {
	t.Helper()
	ctx, stop := untilInterrupt(t.Context())
	defer stop()
	for _, ref := range refs {
		if !e.builds.IsBuilt(ctx, ref) {
			t.Logf("building %s, which may take minutes", ref)
		}
		if _, err := e.builds.Build(ctx, ref); err != nil {
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
	e.check(t)
	sources := make([]source, len(all))
	at := map[string]int{}
	for i, s := range all {
		if s == nil {
			t.Fatalf("skewtest: argument %d of Run is nil: pass what Scenario returns", i+1)
		}
		if first, twice := at[s.model.Name]; twice {
			t.Fatalf("skewtest: arguments %d and %d of Run are both named %q: a scenario runs once, and its name is that of its subtest", first, i+1, s.model.Name)
		}
		at[s.model.Name] = i + 1
		sources[i] = e.source(s)
	}
	e.run(t, sources)
}

// check fails the test if the environment is not one of Start, or after an interrupt.
func (e *Env) check(t testing.TB) {
	t.Helper()
	if e == nil || e.engine == nil {
		t.Fatal("skewtest: the environment is empty: use what Start returns")
	}
	failIfInterrupted(t)
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
			return loaded, engine.CheckFile(ctx, e.builds, loaded, e.config.programs)
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
	e.check(t)
	sources := make([]source, len(names))
	at, bases := map[string]int{}, map[string]int{}
	for i, name := range names {
		if first, twice := at[name]; twice {
			t.Fatalf("skewtest: arguments %d and %d of RunFile are both %q", first, i+1, name)
		}
		at[name] = i + 1
		bases[filepath.Base(name)]++
	}
	for i, name := range names {
		subtest := filepath.Base(name)
		if bases[subtest] > 1 {
			subtest = name
		}
		sources[i] = source{name: subtest, load: func(ctx context.Context) (*scenarios.Scenario, error) {
			return engine.FindScenario(ctx, e.builds, name, e.config.programs)
		}}
	}
	e.run(t, sources)
}

// request returns the run of a scenario in a directory.
func (e *Env) request(ctx context.Context, s *scenarios.Scenario, dir string) (engine.Run, error) {
	return engine.Prepare(ctx, e.builds, engine.Request{
		Scenario: s, Pair: engine.PairNames{Old: e.config.old, New: e.config.new}, Server: e.config.server, Webhooks: e.config.programs, AA: e.config.aa,
		AllowPrograms: true, Dir: dir, Timeout: e.config.timeout,
	})
}
