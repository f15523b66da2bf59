package observe

import (
	"context"
	"slices"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// leavesBehind reports whether operations of the last stage write, which a release that no
// longer runs cannot show.
func (v *Values) leavesBehind(role term.Role) bool {
	last := v.Known.Plan.Stages[len(v.Known.Plan.Stages)-1]
	runs := slices.ContainsFunc(last.Replicas, func(r plan.ReplicaStage) bool { return r.Role == role })
	return !runs && slices.ContainsFunc(last.Steps, func(s plan.Step) bool {
		return s.Action == plan.Operate && s.Verb.Writes()
	})
}

// isCertain reports whether there will be values for the release to read. A replica that serves may still show
// what a key holds now: in a LIST at the end of the stage, or in a WATCH that is a moment late.
func (v *Values) isCertain(role term.Role, serves bool) bool {
	return v.leavesBehind(role) || slices.ContainsFunc(v.undecided(role), func(u Value) bool { return !serves || !u.Newest })
}

// Values selects the stored values of a run that are to be read on scratch stores.
type Values struct {
	Known    *fleet.Known
	Recorder *Recorder
	Lists    *Lists
	At       func(ctx context.Context, key string, revision int64) ([]byte, error) // reads the shared store
	Within   time.Duration                                                         // how long late values are waited for
	Order    int                                                                   // index among the runs that share a journey
}

// undecided returns the stored values that a release should be able to read and has not
// shown, in the order in which they were stored.
func (v *Values) undecided(role term.Role) []Value {
	var names []string
	for _, c := range v.Known.Plan.Copies {
		if _, serves := v.Known.Reached(role, v.Known.Plan.Manifests[c.Manifest]); serves {
			names = append(names, c.Name)
		}
	}
	return v.Recorder.Memory.Unshown(role, names)
}
