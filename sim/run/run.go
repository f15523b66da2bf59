package run

import (
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// Config is what a run needs besides the plan.
type Config struct {
	Plan *plan.Plan
	// Builds are the builds of both releases.
	Builds map[term.Role]servers.Build
	// Clients are the typed clients of both releases. For a kind or a release without
	// clients, the run approximates types by its schema.
	Clients map[term.Role]client.Program
	// GateTags are the feature gates that the source of each release names for its fields,
	// as package schema reads them. A release without an entry uses the gates that it
	// publishes.
	GateTags map[term.Role][]byte
	// Runtime starts the builds.
	Runtime servers.Runtime
	// OpenStore starts an empty store below the given name: "store" is the
	// shared one, others are scratch.
	OpenStore func(ctx context.Context, name string) (stores.Store, error)
	// Lend returns a server of a build that runs already with these options, over a store that no run has: it is
	// asked before the roll-out in place of one that is started for that. Others may have used its store, so that
	// only what it serves, and the objects that it would create, count. It may be nil, and return nil; it may
	// be called until the first stage begins.
	Lend func(servers.Build, servers.Options) *client.Connection
	// WillRetry reports whether the caller changes what the errors of runs that cannot begin report, and executes
	// all runs again: then no run that shares their servers begins, and ErrOtherRefused ends the others. nil, and
	// false: the others are executed. It is that of the first configuration.
	WillRetry func(error) bool
	// Dir is the run directory: it takes schemas/ and its history.
	Dir string
	// Probes is a directory that keeps what builds report about themselves between runs; ""
	// keeps nothing.
	Probes string
	// KeptOnly makes Check start no server: it uses what Probes keeps.
	KeptOnly bool
	// Where returns the place of a field in an object file, for messages:
	// objects/pod.yaml:7. If it is nil, messages name only the file.
	Where func(file, field string) string
	// Place returns the place of a part of the scenario's file in the same way: x.yaml:4,
	// of new.featureGates.
	Place func(part string) string
	// History takes the record.
	History *history.Writer
	// Progress receives the outcome of each step; it may be nil.
	Progress Progress

	mourn func() <-chan time.Time // nil: mournWithin; tests replace it
}

// Progress receives what a run does, in the order of the plan.
type Progress interface {
	// Stage reports that a stage begins.
	Stage(s plan.Stage)
	// Step reports the outcome of a step: "201, revision 214".
	Step(s plan.Step, outcome string)
	// Note reports an event that belongs to no step.
	Note(text string)
}

// Run executes the plan. The history ends with how the run ended; the error says the same.
// A refused object is a *RefusedError, a dead server a *servers.ExitError.
func Run(ctx context.Context, c Config) error { return Together(ctx, []Config{c})[0] }

// ErrOtherRefused ends a run before it begins; see Config.WillRetry.
var ErrOtherRefused = errors.New("another run that shares its servers was refused, and all of them are to be executed again")

// ending returns how a run ended.
func ending(err error) *history.End {
	var store *stores.Error
	switch {
	case err == nil:
		return &history.End{Outcome: history.Finished}
	case errors.Is(err, context.Canceled):
		return &history.End{Outcome: history.Interrupted, Message: "interrupted"}
	case errors.Is(err, context.DeadlineExceeded):
		return &history.End{Outcome: history.Interrupted, Message: "out of time"}
	case errors.As(err, &store):
		return &history.End{Outcome: history.StoreFailed, Message: err.Error()}
	}
	return &history.End{Outcome: history.Failed, Message: err.Error()}
}

// execute executes the stages, one after the other.
func (m *member) execute(ctx context.Context) error {
	for i, stage := range m.known.Plan.Stages {
		if err := m.stage(ctx, i, stage); err != nil {
			return err
		}
	}
	return m.shared.stores.Sync(ctx)
}

type silent struct{}

func (silent) Stage(plan.Stage) {}

func (silent) Step(plan.Step, string) {}

func (silent) Note(string) {}
