package observe

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// Lists reads the LISTs of one run.
type Lists struct {
	known    *fleet.Known
	recorder *Recorder
	pages    sync.Map // by role, kind and bytes: the page
}

// NewLists returns a reader of a run's LISTs.
func NewLists(k *fleet.Known, rec *Recorder) *Lists {
	return &Lists{known: k, recorder: rec}
}

// Through returns a lister of one kind through one replica.
func (ls *Lists) Through(step int, r *fleet.Replica, served history.Resource) Lister {
	return Lister{all: ls, step: step, r: r, served: served}
}

// List LISTs one kind through one replica as a client does, and records the
// copies it shows.
func (ls *Lists) List(ctx context.Context, step int, r *fleet.Replica, served history.Resource) (client.Answer, error) {
	answer, _, err := ls.Through(step, r, served).list(ctx, term.ConsistentList, 0)
	return answer, err
}
