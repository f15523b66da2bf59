package play

import (
	"errors"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/fuzz"
)

// Request says which objects to make, and which builds to send them to.
type Request struct {
	// Ends are the releases. Options may not have stages of gates: the laps decide which gates are
	// switched.
	engine.Ends
	// Count, Only, Seed, Kinds and Features are as of fuzz.Config.
	Count           int
	Only            *int
	Seed            int64
	Kinds, Features []string
	// RuntimeConfig switches APIs of both releases; Options are laid over it. Nil: every API,
	// of releases whose servers let APIs be switched.
	RuntimeConfig map[string]string
	Store         engine.Store
	// Dir is the directory of the run, which replaces an earlier run there.
	Dir string
	// Timeout is how long the run may take, without builds.
	Timeout time.Duration
	// Replay is the command that repeats the run, less --kind, --only and --server.
	Replay string
}

// config returns what the request says, but for the options of servers.
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
	return c, r.Store.Check()
}

// options returns the options of each release's servers. Its errors name every option that is
// wrong.
func (r Request) options() (map[term.Role]scenarios.Options, error) {
	all, err := r.Ends.ByRole()
	if r.RuntimeConfig == nil {
		return all, err
	}
	switched, switchErr := engine.ParseSwitches("runtime-config", r.RuntimeConfig)
	for role, o := range all {
		o.RuntimeConfig = scenarios.LaidOver(switched, o.RuntimeConfig)
		all[role] = o
	}
	return all, errors.Join(switchErr, err)
}
