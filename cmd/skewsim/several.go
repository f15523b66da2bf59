package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// runSeveral runs scenarios side by side, each in its own directory. It returns every error
// that can be found before a build starts.
func runSeveral(ctx context.Context, a *App, names []string, f runFlags) error {
	all, err := prepareAll(ctx, a.Builds(), names, f)
	if err != nil {
		return fault.ByUser(err)
	}
	dir := filepath.Dir(all[0].Run.Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.ByUser(fmt.Errorf("--out: %w", err))
	}
	for _, t := range all {
		err = errors.Join(err, rundir.Check(t.Run.Dir))
	}
	if err == nil {
		err = engine.Reachable(ctx, a.Builds(), f.Store)
	}
	if err != nil {
		return err
	}
	groups := campaign.Share(all, f.isolate)
	atOnce := min(cmp.Or(f.jobs, runtime.NumCPU()), len(groups))
	collectLess(atOnce)
	runner, jobs := runnerOf(a, f.quiet), make([]campaign.Job, len(groups))
	for i, g := range groups {
		jobs[i] = runner.Prebuilt(ctx, g, a.Warn, func() { tellUnbuilt(ctx, a) })
	}
	told := screen.NewSeveral(a.Out, dir, len(all))
	told.Begin(groups)
	came := campaign.Queue(ctx, atOnce, jobs, told.Ended)
	return errors.Join(ErrorOfRun(campaign.Worst(came)), told.Table(came, len(groups), atOnce))
}

// prepareAll prepares several scenarios.
func prepareAll(ctx context.Context, builds engine.Builds, names []string, f runFlags) ([]*campaign.Cell, error) {
	if err := f.checkSeveral(); err != nil {
		return nil, err
	}
	return campaign.Prepare(ctx, builds, names, f.Request)
}

// checkSeveral refuses flags that are not valid for several scenarios.
func (f *runFlags) checkSeveral() error {
	if f.jobsGiven && f.jobs < 1 {
		return fmt.Errorf("--jobs %d: must be 1 or more; leave it out for as many as there are cores", f.jobs)
	}
	if err := f.Check(); err != nil {
		return err
	}
	if f.Dir != "" && rundir.Exists(filepath.Join(f.Dir, rundir.Marker)) {
		return fmt.Errorf("--out %q: holds one run, and cannot hold the directories of several: name another", f.Dir)
	}
	return nil
}

// runnerOf returns a runner that shows its runs on the command line, and retries none.
func runnerOf(a *App, quiet bool) *campaign.Runner {
	return &campaign.Runner{
		Engine: a.Runner(), Warn: a.Warn,
		Show: func(_ *campaign.Cell, w io.Writer) engine.Events { return a.Screen(w, w, quiet) },
		Available: func(ctx context.Context, at engine.Store) error {
			return cmp.Or(engine.Reachable(ctx, a.Builds(), at), a.Builder().PingEngine(ctx))
		},
	}
}
