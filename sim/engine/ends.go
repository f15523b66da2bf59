package engine

import (
	"cmp"
	"errors"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/plan"
)

// Ends are the two releases of a command that plays no scenario of the user's, with the options
// for their servers.
type Ends struct {
	Pair string // kube-apiserver@v1.36.3..v1.37.0
	// Adapter and Server are as of Request, without those of a scenario.
	Adapter, Server string
	// Webhooks is the file with the programs that convert custom resources, or the word auto.
	// Default: rules of the folders convert them.
	Webhooks string
	Options  Options
}

// References returns the references of the pair. It refuses a pair in the wrong order, as far as
// the references say.
func (e Ends) References() (map[term.Role]servers.Reference, error) {
	old, new, err := servers.ParsePair(e.Pair)
	if err = cmp.Or(err, Adapt(e.Adapter, &old, &new), OnServer(e.Server, &old, &new), WithPrograms(e.Webhooks, &old, &new)); err != nil {
		return nil, err
	}
	return map[term.Role]servers.Reference{term.Old: old, term.New: new}, pairing.Pair{Old: ReleaseOf(old), New: ReleaseOf(new)}.Check()
}

// CheckBuilds refuses builds in the wrong order.
func CheckBuilds(builds map[term.Role]servers.Build) error {
	return pairing.Pair{Old: BuiltRelease(builds[term.Old]), New: BuiltRelease(builds[term.New])}.Check()
}

// WithServer returns a command line with the server that definitions were installed on: a later run may
// find that another one is the newest. Commands of other builds stay as they are.
func WithServer(command string, b servers.Build) string {
	if b.Installs == nil || command == "" {
		return command
	}
	return command + " --server " + shell.Quote(b.Installs.Server.Reference)
}

// errLapsDecide is the error for a stage of gates.
var errLapsDecide = errors.New("one lap has all gates on and one has none of them: switch single gates instead")

// ByRole returns the options of both releases' servers. Stages of gates are refused: laps decide
// which gates are switched. Its errors name every option that is wrong.
func (e Ends) ByRole() (map[term.Role]scenarios.Options, error) {
	all := map[term.Role]scenarios.Options{}
	var problems []error
	for role, given := range e.Options.ByRole() {
		o, err := given.Parse(role)
		if given.GateStage != "" {
			err = errors.Join(err, fault.Optionf("{"+string(role)+"-gate-stage}: %w", errLapsDecide))
		}
		problems, all[role] = append(problems, err), o
	}
	return all, errors.Join(problems...)
}

// StartWith returns options as a server is started with them, where the word old in versions is
// the release of the old build.
func StartWith(o scenarios.Options, old servers.Build) servers.Options {
	o = o.WithOld(plan.MinorOf(old.Version))
	return servers.Options{
		FeatureGates: o.FeatureGates, RuntimeConfig: o.RuntimeConfig, Flags: o.Flags,
		EmulatedVersion: strings.TrimPrefix(o.EmulatedVersion, "v"), MinCompatibilityVersion: strings.TrimPrefix(o.MinCompatibilityVersion, "v"),
	}
}
