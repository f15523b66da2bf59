package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// transcript is the file that holds what run would have printed.
const transcript = "run.txt"

// isPattern tells whether the name stands for all of the catalogue that match it.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") && !isThere(name) }

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
	dir := filepath.Dir(all[0].Dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	for _, t := range all {
		err = errors.Join(err, rundir.Check(t.Dir))
	}
	if err == nil {
		err = engine.Reachable(ctx, builds{a}, f.Store)
	}
	if err != nil {
		return err
	}
	journeys := companies(all, f.isolate)
	atOnce := min(cmp.Or(f.jobs, runtime.NumCPU()), len(journeys))
	collectLess(atOnce)
	jobs := make([]job, len(journeys))
	for i, c := range journeys {
		jobs[i] = a.aside(ctx, c)
	}
	told := progress{w: a.out, dir: dir, all: len(all), from: time.Now()}
	told.begin(journeys)
	came := doAll(ctx, atOnce, jobs, told.tell)
	return errors.Join(worst(came), told.table(came, len(journeys), atOnce))
}

// prepareAll prepares what the names and patterns stand for, each once: those that
// take longest first, so that none of them is left to the end alone.
func (a *app) prepareAll(ctx context.Context, names []string, f runFlags) ([]task, error) {
	if err := f.checkSeveral(); err != nil {
		return nil, err
	}
	names, err := expand(names)
	problems := []error{err}
	var all []task
	for _, name := range names {
		t, err := a.prepareBelow(ctx, name, f)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if i := slices.IndexFunc(all, func(other task) bool { return other.Dir == t.Dir }); i >= 0 {
			if all[i].Scenario.File != t.Scenario.File {
				problems = append(problems, fmt.Errorf("%s and %s: have one name, and so one directory: play one after the other", all[i].Scenario.File, t.Scenario.File))
			}
			continue
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b task) int { return cmp.Compare(b.Steps(), a.Steps()) })
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
func (a *app) prepareBelow(ctx context.Context, name string, f runFlags) (task, error) {
	below := f.Dir
	f.Dir = ""
	t, err := a.prepare(ctx, name, f)
	if err == nil && below != "" {
		t.Dir = filepath.Join(below, filepath.Base(t.Dir))
	}
	return t, err
}

// expand puts the catalogue's names in the place of patterns.
func expand(names []string) (all []string, err error) {
	for _, name := range names {
		if !isPattern(name) {
			all = append(all, name)
			continue
		}
		matching, problem := load.Match(name)
		all = append(all, matching...)
		err = errors.Join(err, problem)
	}
	return all, err
}

// aside makes the builds of a company, one after the other, since each takes all
// cores, and gives what then plays it, in silence. Whose builds cannot be made does
// not go along.
func (a *app) aside(ctx context.Context, c company) job {
	j := job{names: c.names()}
	unmade := map[int]error{}
	var going company
	var places []int // of those that go, in c
	for i, t := range c {
		if err := a.runner().Prebuild(ctx, t.Run, a.warn); err != nil {
			a.tellUnbuilt(ctx)
			unmade[i] = err
			continue
		}
		going, places = append(going, t), append(places, i)
	}
	j.do = func(ctx context.Context, tell func(int, ended)) {
		for i, err := range unmade {
			tell(i, ended{err: err})
		}
		if len(going) > 0 {
			a.playCompany(ctx, going, func(i int, e ended) { tell(places[i], e) })
		}
	}
	return j
}

// alone plays a task by itself, in silence; before is what its transcript begins with.
func (a *app) alone(ctx context.Context, t task, before string) error {
	said := bytes.NewBufferString(before)
	return keep(a.runner().Play(ctx, t.Run, a.screen(said, said, t.quiet)), said)
}

// warn prints a line beside what the command prints.
func (a *app) warn(text string) { fmt.Fprintln(a.err, text) }

// keep leaves what was said in the run's directory, if the run has one: what lies in any
// other is an earlier run's, or another's.
func keep(o engine.Outcome, said *bytes.Buffer) error {
	err := errorOfRun(o)
	if text := lastWords(err); text != "" {
		fmt.Fprintln(said, text)
	}
	if o.Dir == "" {
		return err
	}
	return errors.Join(err, rundir.WriteFile(o.Dir, transcript, func(w io.Writer) error {
		_, err := w.Write(said.Bytes())
		return err
	}))
}

// worst is what several runs come to: the exit code of a finding that nobody
// expected, else of what could not be judged, else of what was refused, else of impacts
// alone.
func worst(all []ended) error {
	kinds, impacts := map[fault.Kind]bool{}, false
	for _, e := range all {
		if foundImpacts(e.err) {
			impacts = true
			continue
		}
		if e.err != nil {
			kinds[decisive(e.err)] = true
		}
	}
	switch {
	case kinds[fault.Verdict]:
		return verdictError{verdict: term.Fail}
	case kinds[fault.Unclassified]:
		return verdictError{verdict: term.Unknown}
	case kinds[fault.User]:
		return usage(errors.New("")) // the lines have said it
	case impacts:
		return verdictError{verdict: term.Impacts}
	}
	return nil
}

// decisive is the kind of an error as far as several runs are concerned: whose doing it was
// that one could not be judged does not matter.
func decisive(err error) fault.Kind {
	if k := fault.Of(err).Kind; k == fault.Verdict || k == fault.User {
		return k
	}
	return fault.Unclassified
}
