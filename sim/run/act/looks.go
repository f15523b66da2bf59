package act

import (
	"context"
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// question is what one GET of a stage answers for all copies of a content: whether a GET through a replica tells
// anything that its WATCH has not told. A server reads one stored value for both; what differs is the path through
// it, and that is the same for all copies of one content. So one of them is asked for with GET. As long as the answer
// is what the WATCH of the same replica showed of that revision, it counts for the others, of which the WATCH shows
// each one. Where the two disagree every copy is asked for.
type question struct {
	through  *fleet.Replica
	likeness [16]byte
}

// Enter begins a stage: in another stage every question is asked again.
func (ac *Actor) Enter() {
	ac.looks.forget()
	ac.Recorder.Memory.ForgetWatched()
}

// look finds out what every live replica that serves the copy's resource shows of it after a write.
func (a *act) look(ctx context.Context) error {
	if _, exists := a.actor.created.Load(a.copy.Name); !exists || !a.step.Verb.Writes() {
		return nil
	}
	for _, r := range a.actor.Fleet.Live() {
		served, ok := a.actor.Known.Reached(r.Role, a.manifest)
		if !ok {
			continue
		}
		if err := a.lookThrough(ctx, r, served); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// lookThrough looks through one replica: with a GET, or at what its WATCH has shown.
func (a *act) lookThrough(ctx context.Context, r *fleet.Replica, served history.Resource) error {
	get := call{to: r, purpose: history.Look, method: http.MethodGet, path: a.actor.Known.Object(served, a.copy.Name), follows: fleet.OtherThan(a.manifest, served)}
	shown, watched := a.watched(ctx, r, served)
	if !watched {
		_, _, err := a.sendRecorded(ctx, get)
		return err
	}
	state, mine := a.actor.looks.take(question{r, shown.Likeness})
	if mine {
		defer close(state.done)
		x, _, err := a.sendRecorded(ctx, get)
		state.agrees = x.Answer == shown.Digest && x.Revision == shown.Revision
		return err
	}
	agrees, err := state.wait(ctx)
	if err != nil {
		return err
	}
	if !agrees {
		_, _, err := a.sendRecorded(ctx, get)
		return err
	}
	return a.actor.Recorder.Record(history.Record{Operation: &history.Operation{
		Step: a.step.Number, Copy: a.copy.Name, Purpose: history.Look, Replica: r.Name, Role: r.Role, Client: a.step.Client, Follows: get.follows, Watched: true,
		Exchange: history.Exchange{Method: get.method, Path: get.path, Code: http.StatusOK, Answer: shown.Digest, Revision: shown.Revision},
	}})
}

// watched returns what the replica's WATCH has shown of the revision that the write stored, once it has. It
// returns false for a write without such a revision, and for a WATCH that does not run or is late.
func (a *act) watched(ctx context.Context, r *fleet.Replica, served history.Resource) (observe.Shown, bool) {
	if a.stored == 0 || !a.actor.Shows(ctx, r, served, a.stored) {
		return observe.Shown{}, false
	}
	shown, known := a.actor.Recorder.Memory.Watched(r.Name, served.APIVersion, a.copy.Name)
	return shown, known && shown.Revision == a.stored
}
