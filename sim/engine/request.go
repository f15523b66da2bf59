package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
)

// Request says what to run. Prepare turns it into a Run.
type Request struct {
	// Scenario is the scenario to run, as returned by Find. It is required.
	Scenario *scenarios.Scenario
	// Pair names the two builds; zero: the scenario's own. Chain names more than two.
	Pair  PairNames
	Chain ChainOptions
	// AA makes the request an A/A run: the release of this role, old or new, is both
	// releases of the pair, and nothing may be found. Constraints and expectations do not
	// count. "": a run of the pair.
	AA term.Role
	// Skew is how many minor releases the pair may be apart; 0: any number.
	Skew int
	// Adapter is the file that says how servers of Go modules are started, and Server the
	// kube-apiserver that custom resource definitions are installed on; "": as the scenario
	// says.
	Adapter, Server string
	// Webhooks is the file with the programs that convert custom resources, or the word auto; "": as
	// the scenario says.
	Webhooks string
	// Without are the names of custom resource definitions that neither release gets, Stored those of
	// definitions that serve the version alone in which they store objects.
	Without, Stored []string
	// Kinds are the kinds whose custom resource definitions the releases get; nil: all.
	Kinds []string
	// AllowPrograms lets the scenario's file choose which programs run: path:, source:,
	// image: and module: builds, adapters, and programs. Without it Prepare refuses such a file.
	AllowPrograms bool

	Options Options // of the servers; they override the scenario's
	Orders  Orders
	// Seed orders what the scenario leaves open; 0: the scenario's own order.
	Seed int64

	Store Store // the etcd that the servers share; zero: one in this process
	// Dir is the run directory, which replaces that of an earlier run; "": out/ and the
	// scenario's name.
	Dir string
	// Timeout is how long the run may take, without builds. It is required.
	Timeout time.Duration
}

// Check refuses values that are invalid for every scenario.
func (r Request) Check() error {
	if r.Timeout <= 0 {
		return fault.Optionf("{timeout} %s: must be positive", r.Timeout)
	}
	return errors.Join(r.Orders.Check(), r.Store.Check())
}

// IsChain reports whether the request is for a chain of releases: it names a chain, or it
// names no pair and the scenario has a chain.
func (r Request) IsChain() bool {
	s := r.Scenario
	return r.Chain.Through != "" || len(s.Releases.Through) > 0 && s.Mutant == "" && !r.Pair.Given() && r.AA == ""
}

// fits refuses options without an effect: those of chains for a pair, and those of pairs
// for a chain.
func (r Request) fits() error {
	chained := r.IsChain()
	switch {
	case chained && r.Orders.Given():
		return fault.Optionf("{orders} and {only} are for one pair of releases, and this is a chain: leave them out, or name a pair with {pair}")
	case chained && r.Skew != 0:
		return fault.Optionf("{skew} is for one pair of releases, and this is a chain: leave it out")
	case chained && r.Webhooks != "":
		return fault.Optionf("{webhooks} is for one pair of releases, and this is a chain: leave it out")
	case chained && r.Options.Given():
		return fault.Optionf("{old-feature-gates} and the other options of the old and the new release are for one pair, and this is a chain: set the options of each release in releases.through, or name a pair with {pair}")
	case !chained && (r.Chain.Forward || r.Chain.WithoutRewrite):
		return fault.Optionf("{forward} and {without-rewrite} are for a chain, and this is one pair: leave them out, or name the chain's releases with {through}")
	}
	return nil
}

// Run is a request with everything that is decided before anything is built.
type Run struct {
	// Request has the scenario as it is run (with the request's options, or as an A/A run),
	// and its directory.
	Request
	// Refs are the builds: of a pair the old and the new one, of a chain all.
	Refs []servers.Reference
	// Plan is the plan of a pair. It is nil for a chain, whose legs are planned one after
	// the other. The versions of the builds may change it: see Engine.Build.
	Plan *plan.Plan
	// Legs is the plan of a chain, and empty for a pair.
	Legs chain.Plan
	// Programs are the programs that the scenario's file chooses, in words.
	Programs []string
}

// Prepare decides what a request runs, and returns every error that can be found without a
// build. Errors are the user's.
func Prepare(ctx context.Context, builds Checker, r Request) (Run, error) {
	if err := r.fits(); err != nil {
		return Run{}, fault.ByUser(fmt.Errorf("%s: %w", r.Scenario.FullName(), err))
	}
	asked := r
	var err error
	if r.Scenario, err = r.Options.Over(r.Scenario); err != nil {
		return Run{}, fault.ByUser(err)
	}
	run := Run{Request: r}
	if r.IsChain() {
		err = run.chain()
	} else {
		err = run.pair()
	}
	if err != nil {
		return run, fault.ByUser(err)
	}
	run.Programs = asked.programs(ctx, run.Refs)
	if err = asked.checkPrograms(run.Programs); err == nil { // before anything is read that the file chooses
		err = errors.Join(
			builds.Known(ctx, run.Refs...), builds.CheckReplaced(ctx, run.Scenario, run.Refs...), builds.CheckAdapters(run.Scenario, run.Refs...),
			builds.CheckPrograms(ctx, run.Refs...),
		)
	}
	if run.Dir == "" {
		run.Dir = filepath.Join("out", run.Scenario.FullName())
	}
	return run, fault.ByUser(err)
}

// pair decides which pair is run, and plans it.
func (r *Run) pair() error {
	s, old, new, err := r.Releases()
	if err != nil {
		return err
	}
	r.Scenario, r.Refs = s, []servers.Reference{old, new}
	r.Plan, err = r.planned("", "")
	return err
}

// planned plans the pair, as far as its versions are known.
func (r *Run) planned(oldVersion, newVersion string) (*plan.Plan, error) {
	old, new := r.Refs[0], r.Refs[1]
	pair := plan.Pair{
		Old: old.String(), New: new.String(), OldVersion: oldVersion, NewVersion: newVersion, Programs: old.Manifests.Program,
		FileNamesPrograms: old.Manifests.Program != "" && old.Manifests.ProgramWithin != "",
		OldExecutes:       builder.Files{}.Executed(old), NewExecutes: builder.Files{}.Executed(new),
	}
	return plan.Build(r.Orders.over(r.Scenario), pair, r.Seed)
}

// Steps returns about how long a run takes, in steps of its plan. A chain counts more than
// any pair.
func (r Run) Steps() int {
	if r.Plan == nil {
		return 1_000_000 * len(r.Refs)
	}
	steps := 0
	for _, stage := range r.Plan.Stages {
		steps += len(stage.Steps)
	}
	return steps
}
