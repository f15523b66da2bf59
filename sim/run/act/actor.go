package act

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// Actor executes the steps of one run that send requests: operations, dry runs, and the
// steps that prepare a store or rewrite the objects of an earlier leg.
type Actor struct {
	Config
	births  *births
	looks   questions[question]
	tries   tries
	created sync.Map // names of copies that exist
}

// Config is what an actor needs of its run.
type Config struct {
	Known    *fleet.Known
	Recorder *observe.Recorder
	Lists    *observe.Lists
	Fleet    *fleet.Fleet
	Clients  map[term.Role]client.Program
	Declined map[string]string           // by manifest: why none of its copies is created
	Others   func(object string) bool    // reports whether an object belongs to another run
	CatchUp  func(context.Context) error // returns when the watches have shown the last write
	// Shows returns whether the WATCH of a kind through a replica has shown everything up to a revision. It
	// waits for a WATCH that is about to; nil: none ever has.
	Shows  func(ctx context.Context, r *fleet.Replica, served history.Resource, revision int64) bool
	Trying func(objects int) // notes how many objects an attempt tries
	Tried  func() error      // notes that one was tried
}

// New returns an actor. The copies of earlier legs exist from the start.
func New(c Config) *Actor {
	ac := &Actor{Config: c, births: newBirths()}
	for _, one := range c.Known.Plan.Copies {
		if one.Leg > 0 { // it is stored, whether or not a server shows it at once
			ac.created.Store(one.Name, true)
		}
	}
	return ac
}

// Accept notes that some server has accepted the manifests: a later refusal is evidence.
func (ac *Actor) Accept(manifests []string) {
	for _, manifest := range manifests {
		ac.births.take(manifest)
	}
}

// Refused returns a *RefusedError for the first manifest of the plan that some server
// refused and none accepted. Call it after all creates of a group were answered.
func (ac *Actor) Refused() error { return ac.births.verdict() }
