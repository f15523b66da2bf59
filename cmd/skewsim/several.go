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
	"slices"
	"time"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// runSeveral plays scenarios side by side, each in a directory of its own. All
// that is wrong with any of them and can be told before a build ends it.
func (a *app) runSeveral(ctx context.Context, names []string, f runFlags) error {
	all, err := a.prepareAll(ctx, names, f)
	if err != nil {
		return usage(err)
	}
	dir := filepath.Dir(all[0].Run.Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	for _, t := range all {
		err = errors.Join(err, rundir.Check(t.Run.Dir))
	}
	if err == nil {
		err = engine.Reachable(ctx, a.builds(), f.Store)
	}
	if err != nil {
		return err
	}
	groups := campaign.Share(all, f.isolate)
	atOnce := min(cmp.Or(f.jobs, runtime.NumCPU()), len(groups))
	collectLess(atOnce)
	runner, jobs := a.campaign(f.quiet), make([]campaign.Job, len(groups))
	for i, g := range groups {
		jobs[i] = a.aside(ctx, runner, g)
	}
	told := progress{w: a.out, dir: dir, all: len(all), from: time.Now()}
	told.begin(groups)
	came := campaign.Queue(ctx, atOnce, jobs, told.tell)
	return errors.Join(errorOfRun(campaign.Worst(came)), told.table(came, len(groups), atOnce))
}

// prepareAll prepares what the names and patterns stand for, each once: those that
// take longest first, so that none of them is left to the end alone.
func (a *app) prepareAll(ctx context.Context, names []string, f runFlags) ([]*campaign.Cell, error) {
	if err := f.checkSeveral(); err != nil {
		return nil, err
	}
	names, err := campaign.Expand(names)
	problems := []error{err}
	var all []*campaign.Cell
	for _, name := range names {
		t, err := a.prepareBelow(ctx, name, f)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if i := slices.IndexFunc(all, func(other *campaign.Cell) bool { return other.Run.Dir == t.Run.Dir }); i >= 0 {
			if all[i].Run.Scenario.File != t.Run.Scenario.File {
				problems = append(problems, fmt.Errorf("%s and %s: have one name, and so one directory: play one after the other", all[i].Run.Scenario.File, t.Run.Scenario.File))
			}
			continue
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b *campaign.Cell) int { return cmp.Compare(b.Run.Steps(), a.Run.Steps()) })
	return all, errors.Join(problems...)
}

// checkSeveral tells what is wrong with the flags of several scenarios.
func (f *runFlags) checkSeveral() error {
	if f.jobsGiven && f.jobs < 1 {
		return fmt.Errorf("--jobs %d: must be 1 or more; leave it out for as many as there are cores", f.jobs)
	}
	if err := f.Check(); err != nil {
		return err
	}
	if f.Dir != "" && isThere(filepath.Join(f.Dir, rundir.Marker)) {
		return fmt.Errorf("--out %q: it holds one run, and several have their directories below it: name another", f.Dir)
	}
	return nil
}

// prepareBelow is prepare for one of several, whose directory is below theirs.
func (a *app) prepareBelow(ctx context.Context, name string, f runFlags) (*campaign.Cell, error) {
	below := f.Dir
	f.Dir = ""
	t, err := a.prepare(ctx, name, f)
	if err == nil && below != "" {
		t.Run.Dir = filepath.Join(below, filepath.Base(t.Run.Dir))
	}
	return t, err
}

// prepare finds the scenario, and tells all that is wrong with it or the flags and
// can be told without a build.
func (a *app) prepare(ctx context.Context, name string, f runFlags) (*campaign.Cell, error) {
	s, err := engine.Find(ctx, a.builds(), name)
	if err != nil {
		return &campaign.Cell{}, err
	}
	f.Scenario = s
	r, err := engine.Prepare(ctx, a.builds(), f.Request)
	return &campaign.Cell{Run: r, Named: name}, err
}

// campaign executes runs as the command line shows them, without a retry that anybody asks
// for.
func (a *app) campaign(quiet bool) *campaign.Runner {
	return &campaign.Runner{
		Engine: a.runner(), Warn: a.warn,
		Show: func(_ *campaign.Cell, w io.Writer) engine.Events { return a.screen(w, w, quiet) },
		Available: func(ctx context.Context, at engine.Store) error {
			return cmp.Or(engine.Reachable(ctx, a.builds(), at), a.builder().PingEngine(ctx))
		},
	}
}

// aside makes the builds of a group, one after the other, since each takes all cores, and
// returns what then executes it, in silence. Cells whose builds cannot be made do not go
// along.
func (a *app) aside(ctx context.Context, runner *campaign.Runner, g campaign.Group) campaign.Job {
	var unmade []campaign.Ended
	var going campaign.Group
	for _, c := range g {
		if err := a.runner().Prebuild(ctx, c.Run, a.warn); err != nil {
			a.tellUnbuilt(ctx)
			unmade = append(unmade, campaign.Ended{Cell: c, Outcome: engine.Outcome{Err: err}})
			continue
		}
		going = append(going, c)
	}
	return campaign.Job{Cells: g, Do: func(ctx context.Context, report func(campaign.Ended)) {
		for _, e := range unmade {
			report(e)
		}
		if len(going) > 0 {
			runner.Play(ctx, going, report)
		}
	}}
}

// warn prints a line beside what the command prints.
func (a *app) warn(text string) { fmt.Fprintln(a.err, text) }
