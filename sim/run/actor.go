package run

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// actor executes the steps of one run that send requests: operations, dry runs, and the
// steps that prepare a store or rewrite what an earlier leg left there.
type actor struct {
	actorConfig
	births  *births
	created sync.Map // names of copies that exist
}

// actorConfig is what an actor needs of its run.
type actorConfig struct {
	known    *known
	recorder *recorder
	lists    *lists
	fleet    *fleet
	clients  map[term.Role]client.Program
	declined map[string]string           // by manifest: why none of its copies is created
	others   func(object string) bool    // reports whether an object is another run's
	catchUp  func(context.Context) error // returns when the watches have shown the last write
}

func newActor(c actorConfig) *actor {
	ac := &actor{actorConfig: c, births: newBirths()}
	for _, one := range c.known.plan.Copies {
		if one.Leg > 0 { // it is stored, whether or not a server shows it at once
			ac.created.Store(one.Name, true)
		}
	}
	return ac
}

// accept notes that some server has accepted the manifests: whoever refuses one of them
// later is evidence.
func (ac *actor) accept(manifests []string) {
	for _, manifest := range manifests {
		ac.births.take(manifest)
	}
}
