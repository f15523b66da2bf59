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
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/planner"
)

// Request says what to run. Prepare turns it into a Run.
type Request struct {
	// Scenario is what is run, as Find returns it. It is required.
	Scenario *scenarios.Scenario
	// Pair names the two builds; zero: the scenario's own. Chain names more than two.
	Pair  PairNames
	Chain ChainOptions
	// AA makes the request an A/A run: the release of this role, old or new, is both releases
	// of the pair, and nothing may be found. Constraints and expectations do not count.
	// "": the pair as it is.
	AA term.Role
	// Skew is how many minor releases the pair may be apart; 0: any number.
	Skew int
	// Adapter is the file that says how servers of Go modules are started, and Server the
	// kube-apiserver that custom resource definitions are installed on; "": what the
	// scenario says.
	Adapter, Server string
	// AllowPrograms lets the scenario's file choose what is executed: path:, source:, image:
	// and module: builds, and adapters. Without it Prepare refuses such a file.
	AllowPrograms bool

	Options Options // of the servers, laid over those of the scenario
	Orders  Orders
	// Seed orders what the scenario leaves open; 0: the scenario's own order.
	Seed int64

	Store Store // the etcd that the servers share; zero: one in this process
	// Dir is the run directory, which the run replaces if an earlier run left it;
	// "": out/ and the scenario's name.
	Dir string
	// Timeout is how long the run may take, without builds. It is required.
	Timeout time.Duration
}

// Check refuses values that no run can have, whatever the scenario is.
func (r Request) Check() error {
	if r.Timeout <= 0 {
		return fmt.Errorf("--timeout %s: must be more than nothing", r.Timeout)
	}
	return errors.Join(r.Orders.Check(), r.Store.Check())
}

// IsChain reports whether the request is for a chain of releases: it names one, or that is
// what the scenario is for and the request names no pair.
func (r Request) IsChain() bool {
	s := r.Scenario
	return r.Chain.Through != "" || len(s.Releases.Through) > 0 && s.Twin == "" && !r.Pair.Given() && r.AA == ""
}

// fits refuses an option that would do nothing: one of chains where a pair is run, or one of
// pairs where a chain is.
func (r Request) fits() error {
	chained := r.IsChain()
	switch {
	case chained && r.Orders.Given():
		return errors.New("--orders and --only are for one pair of releases, and this plays a chain: leave them out, or name a pair with --pair")
	case chained && r.Skew != 0:
		return errors.New("--skew is of one pair of releases, and this plays a chain, hop by hop: leave it out")
	case chained && r.Options.Given():
		return errors.New("--old-feature-gates and the other options of the old and the new release are for one pair, and this plays a chain: say in releases.through what each release is started with, or name a pair with --pair")
	case !chained && (r.Chain.Forward || r.Chain.WithoutRewrite):
		return errors.New("--forward and --without-rewrite are for a chain, and this plays one pair: leave them out, or name the chain's releases with --through")
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
	// Plan is what a pair plays; nil: the run is a chain, whose legs are planned one after
	// the other. Which versions the builds have may change it: see Engine.Build.
	Plan *plan.Plan
	// Legs is the plan of a chain, and empty for a pair.
	Legs chain.Plan
	// Programs are what the scenario's file has executed, in words.
	Programs []string
}

// Prepare decides what a request runs, and returns everything that is wrong with it and
// can be found without a build. Errors are the user's.
func Prepare(ctx context.Context, builds Builds, r Request) (Run, error) {
	if err := r.fits(); err != nil {
		return Run{}, usage(fmt.Errorf("%s: %w", r.Scenario.FullName(), err))
	}
	asked := r
	var err error
	if r.Scenario, err = r.Options.Over(r.Scenario); err != nil {
		return Run{}, usage(err)
	}
	run := Run{Request: r}
	if r.IsChain() {
		err = run.chain()
	} else {
		err = run.pair()
	}
	if err != nil {
		return run, usage(err)
	}
	run.Programs = asked.programs(run.Refs)
	err = errors.Join(
		builds.Known(ctx, run.Refs...), builds.CheckReplaced(ctx, run.Scenario, run.Refs...), builds.CheckAdapters(run.Scenario, run.Refs...),
		asked.checkPrograms(run.Programs),
	)
	if run.Dir == "" {
		run.Dir = filepath.Join("out", run.Scenario.FullName())
	}
	return run, usage(err)
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
	pair := planner.Pair{Old: r.Refs[0].String(), New: r.Refs[1].String(), OldVersion: oldVersion, NewVersion: newVersion}
	return planner.Build(r.Orders.over(r.Scenario), pair, r.Seed)
}

// Steps returns about how long a run takes, in steps of its plan: of a chain more than of
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
