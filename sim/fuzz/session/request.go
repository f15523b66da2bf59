package session

import (
	"errors"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine/request"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/plan"
)

// Request says which objects to make, and which builds to send them to.
type Request struct {
	Pair string // frobber@1.2..1.3
	// Count, Only, Seed, Kinds and Features are as of fuzz.Config.
	Count           int
	Only            *int
	Seed            int64
	Kinds, Features []string
	// Options are those of each release's servers. Gate stages are refused: the laps decide
	// which gates are switched.
	Options request.Options
	// RuntimeConfig switches APIs of both releases; Options are laid over it. Nil: every API,
	// of releases whose servers let APIs be switched.
	RuntimeConfig map[string]string
	// Adapter and Server are as of request.Request, without those of a scenario.
	Adapter, Server string
	Store           request.Store
	// Dir is the directory of the run, which replaces an earlier run there.
	Dir string
	// Timeout is how long the run may take, without builds.
	Timeout time.Duration
	// Replay is the command that repeats the run, less --kind, --only and --server.
	Replay string
}

// errLapsDecide is the error for a stage of gates.
var errLapsDecide = fault.Optionf("which gates are switched the laps decide: name them with {features}")

// config returns what the request says before anything is built. Errors name every flag that
// is wrong.
func (r Request) config() (fuzz.Config, error) {
	c := fuzz.Config{Seed: r.Seed, Count: r.Count, Only: r.Only, Kinds: r.Kinds, Features: r.Features, Replay: r.Replay}
	switch {
	case r.Timeout <= 0:
		return c, fault.Optionf("{timeout} %s: must be more than nothing", r.Timeout)
	case r.Count < 1:
		return c, fault.Optionf("{count} %d: must be 1 or more", r.Count)
	case r.Only != nil && *r.Only < 0:
		return c, fault.Optionf("{only} %d: objects are numbered from 0", *r.Only)
	}
	var switched map[string]bool
	var problems []error
	if r.RuntimeConfig != nil {
		given, err := request.ParseSwitches("runtime-config", r.RuntimeConfig)
		switched, problems = given, append(problems, err)
	}
	c.Options = map[term.Role]servers.Options{}
	for role, given := range r.Options.ByRole() {
		o, err := given.Parse(role)
		if given.GateStage != "" {
			err = errors.Join(err, fault.Optionf("{"+string(role)+"-gate-stage}: %w", errLapsDecide))
		}
		problems = append(problems, err)
		c.Options[role] = servers.Options{
			FeatureGates: o.FeatureGates, RuntimeConfig: scenarios.LaidOver(switched, o.RuntimeConfig), Flags: o.Flags,
			EmulatedVersion: o.EmulatedVersion, MinCompatibilityVersion: o.MinCompatibilityVersion,
		}
	}
	return c, errors.Join(append(problems, r.Store.Check())...)
}

// resolveVersions replaces the version old in options by the version of the old build.
func resolveVersions(all map[term.Role]servers.Options, old servers.Build) {
	for role, o := range all {
		for _, version := range []*string{&o.EmulatedVersion, &o.MinCompatibilityVersion} {
			if *version == string(term.Old) {
				*version = plan.MinorOf(old.Version)
			}
			*version = strings.TrimPrefix(*version, "v")
		}
		all[role] = o
	}
}
