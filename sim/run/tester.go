package run

import (
	"context"
	"slices"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// leavesBehind tells whether operations of the last stage write, which a
// release that does not run then will not have seen.
func (t *tester) leavesBehind(role term.Role) bool {
	last := t.known.plan.Stages[len(t.known.plan.Stages)-1]
	runs := slices.ContainsFunc(last.Replicas, func(r plan.ReplicaStage) bool { return r.Role == role })
	return !runs && slices.ContainsFunc(last.Steps, func(s plan.Step) bool {
		return s.Action == plan.Operate && s.Verb.Writes()
	})
}

// tester knows which stored values of a run are to be read apart from it.
type tester struct {
	known    *known
	recorder *recorder
	lists    *lists
	at       func(ctx context.Context, key string, revision int64) ([]byte, error) // reads the shared store
	within   time.Duration                                                         // how long what is late is waited for
	order    int                                                                   // of the runs that share a journey
}

// undecided returns the stored values that a release should be able to read and has
// not shown, in the order in which they were stored.
func (t *tester) undecided(role term.Role) []value {
	var names []string
	for _, c := range t.known.plan.Copies {
		if _, serves := t.known.reached(role, t.known.plan.Manifests[c.Manifest]); serves {
			names = append(names, c.Name)
		}
	}
	return t.recorder.memory.unshown(role, names)
}
