package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/plan"
)

// task is a scenario that is to be played, with all that is decided before
// anything is built.
type task struct {
	scenario *scenarios.Scenario
	flags    runFlags // with the directory of this run
	// refs are the releases: of a pair old and new, of a chain all.
	refs []servers.Reference
	plan *plan.Plan // nil: a chain, whose legs are planned one after the other
	// chain is what a chain comes to, and empty for a pair.
	chain chain.Plan
	// named is the scenario as the user named it, and label tells the task from others
	// of the same scenario; "": it is the only one.
	named, label string
	// programs are what the scenario's file has executed.
	programs []string
	// tried are the attempts at it before this app plays it, also those of an earlier matrix.
	tried []matrix.Attempt
}

// name is what a task is called among several.
func (t task) name() string { return cmp.Or(t.label, t.scenario.FullName()) }

// run is the main job, from the scenario's name to the exit code.
func (a *app) run(ctx context.Context, name string, f runFlags) error {
	if f.jobsGiven {
		return usage(fmt.Errorf("--jobs: is of several scenarios, and this plays one, %s: leave it out", name))
	}
	if f.isolate {
		return usage(fmt.Errorf("--isolate: is of several scenarios, and this plays one, %s: leave it out", name))
	}
	if err := f.check(); err != nil {
		return usage(err)
	}
	t, err := a.prepare(ctx, name, f)
	if err != nil {
		return usage(err)
	}
	if err := checkOut(t.flags.out); err != nil {
		return err
	}
	if err := a.reachable(ctx, f.store); err != nil {
		return err
	}
	return a.insist(ctx, company{t}, func(ctx context.Context, c company, notes []string) []error {
		fmt.Fprint(a.out, notes[0])
		return []error{a.perform(ctx, c[0])}
	})[0].err
}

// prepare finds the scenario, and tells all that is wrong with it or the flags and
// can be told without a build.
func (a *app) prepare(ctx context.Context, name string, f runFlags) (task, error) {
	s, err := a.find(ctx, name)
	if err != nil {
		return task{}, err
	}
	chained := f.chain.wanted(s, f.pair)
	if err := f.fits(chained); err != nil {
		return task{}, fmt.Errorf("%s: %w", s.FullName(), err)
	}
	if s, err = f.options.of(s); err != nil {
		return task{}, err
	}
	t := task{scenario: s, flags: f, named: name}
	if chained {
		t.chain, t.refs, err = planChain(s, f)
	} else {
		err = t.pair()
	}
	if err == nil {
		err = errors.Join(a.known(ctx, t.refs...), a.checkReplaced(ctx, t.scenario, t.refs...), checkAdapters(t.scenario, t.refs...), t.checkPrograms())
	}
	t.flags.out = cmp.Or(f.out, filepath.Join("out", t.scenario.FullName()))
	return t, err
}

// pair decides which pair is played, and plans it.
func (t *task) pair() error {
	s, old, new, err := t.flags.pair.pairOf(t.scenario)
	if err != nil {
		return err
	}
	t.scenario, t.refs = s, []servers.Reference{old, new}
	t.plan, err = t.planned("", "")
	return err
}

// planned plans the pair, as far as is known which releases it is of.
func (t *task) planned(oldVersion, newVersion string) (*plan.Plan, error) {
	pair := plan.Pair{Old: t.refs[0].String(), New: t.refs[1].String(), OldVersion: oldVersion, NewVersion: newVersion}
	return plan.Build(t.flags.orders.of(t.scenario), pair, t.flags.seed)
}

// check tells what is wrong with the flags, whatever is played.
func (f runFlags) check() error {
	if f.timeout <= 0 {
		return fmt.Errorf("--timeout %s: must be more than nothing", f.timeout)
	}
	return errors.Join(f.orders.check(), f.store.check())
}

// fits tells of a flag that would do nothing: one of chains where a pair is
// played, or one of pairs where a chain is.
func (f runFlags) fits(chained bool) error {
	switch {
	case chained && f.orders.given():
		return errors.New("--orders and --only are for one pair of releases, and this plays a chain: leave them out, or name a pair with --pair")
	case chained && f.pair.skew != 0:
		return errors.New("--skew is of one pair of releases, and this plays a chain, hop by hop: leave it out")
	case chained && f.options.given():
		return errors.New("--old-feature-gates and the other options of the old and the new release are for one pair, and this plays a chain: say in releases.through what each release is started with, or name a pair with --pair")
	case !chained && (f.chain.forward || f.chain.asIs):
		return errors.New("--forward and --without-rewrite are for a chain, and this plays one pair: leave them out, or name the chain's releases with --through")
	}
	return nil
}

// perform plays a task, judges it and writes its reports.
func (a *app) perform(ctx context.Context, t task) error {
	if t.plan == nil {
		return a.playChain(ctx, t)
	}
	b, err := a.make(ctx, &t)
	if err != nil {
		return err
	}
	return a.play(ctx, t.plan, b, t.flags)
}

// make makes what a pair is played with, and plans it anew for what that is.
func (a *app) make(ctx context.Context, t *task) (b made, err error) {
	b.where, b.place = t.scenario.Where, t.scenario.Place
	refs := map[term.Role]servers.Reference{term.Old: t.refs[0], term.New: t.refs[1]}
	if b.servers, err = a.builds(ctx, refs); err != nil {
		return b, err
	}
	// A path: tells what it is only now, and versions decide which release makes
	// which object.
	old, new := b.servers[term.Old], b.servers[term.New]
	if err := errors.Join(applies(t.scenario, ofBuild(old), ofBuild(new)), t.flags.pair.near(ofBuild(old), ofBuild(new))); err != nil {
		return b, usage(err)
	}
	t.refs = []servers.Reference{asBuilt(t.refs[0], old), asBuilt(t.refs[1], new)}
	if t.plan, err = t.planned(old.Version, new.Version); err == nil {
		err = t.plan.Undecided()
	}
	if err != nil {
		return b, usage(err)
	}
	b.clients, err = a.typedBuilds(ctx, t.plan, b.servers)
	return b, err
}

// asBuilt is the reference of what was built for one: of another patch, where that serves.
func asBuilt(ref servers.Reference, b servers.Build) servers.Reference {
	if ref.Scheme == servers.SchemeRelease {
		ref.Version = b.Version
	}
	return ref
}

// prebuild makes the builds of a task beforehand, so that they are there when it is
// performed. Those of the reference server are there already.
func (a *app) prebuild(ctx context.Context, t task) error {
	if t.refs[0].Scheme == servers.SchemeTrain {
		return nil
	}
	if t.plan != nil {
		_, err := a.make(ctx, &t)
		return err
	}
	for _, ref := range t.refs {
		if _, err := a.build(ctx, ref); err != nil {
			return err
		}
	}
	return nil
}
