package play

import (
	"context"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Host is what a sweep works with.
type Host struct {
	Tool   string         // the version of skewsim
	Engine *engine.Engine // makes the builds, and executes the runs
	Builds engine.Builds
	// Examples returns the objects in the source of a build, best first.
	Examples func(ctx context.Context, b servers.Build, namespace string) (examples.All, error)
	// Serialized returns the objects in the source of a build as it stores them; none: it has none.
	Serialized func(ctx context.Context, b servers.Build) (map[string]examples.Serialized, error)
	Facts      probe.Facts // required
	// Manifests returns the definitions of a folder, without a server; nil: no pair is of definitions.
	Manifests func(ctx context.Context, ref servers.Reference) (crd.Set, error)
	// Lines are the lines of expect that fit findings.
	Lines sweep.Lines
	// Runtime returns what starts servers.
	Runtime func(secrets, logs string) (servers.Runtime, error)
	// Temporary receives each directory that must not outlive the process.
	Temporary func(dir string)
	// Events receives the progress of a lap's run. Its Report writes the run's reports.
	Events func(lap term.Lap) engine.Events
	// Report writes the sweep's files into its directory. It is called after each lap, and at
	// the end.
	Report func(dir string, r sweep.Result) error
	// Opened is called when the sweep has its directory.
	Opened func()
	// Out receives the progress, Warn what the user should know beside.
	Out  io.Writer
	Warn func(text string)
}

// listener passes the events of a run on, tells each stage of it, and keeps the judged run.
type listener struct {
	engine.Events
	began  func(stage string)
	judged func(rundir.Judged, result.Result)
}

// Stage implements run.Progress.
func (l listener) Stage(s plan.Stage) {
	l.began(s.Name)
	l.Events.Stage(s)
}

// Report implements engine.Events.
func (l listener) Report(j rundir.Judged) (result.Result, error) {
	r, err := l.Events.Report(j)
	l.judged(j, r)
	return r, err
}
