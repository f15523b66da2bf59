package run

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// lists reads the LISTs of one run.
type lists struct {
	known    *known
	recorder *recorder
	pages    sync.Map // by role, kind and bytes: the page
}

func newLists(k *known, rec *recorder) *lists { return &lists{known: k, recorder: rec} }

// through returns what LISTs one kind through one replica.
func (ls *lists) through(step int, r *replica, served history.Resource) lister {
	return lister{all: ls, step: step, r: r, served: served}
}

// list LISTs one kind through one replica as a client does, and records the
// copies it shows.
func (ls *lists) list(ctx context.Context, step int, r *replica, served history.Resource) (client.Answer, error) {
	answer, _, err := ls.through(step, r, served).list(ctx, term.ConsistentList, 0)
	return answer, err
}
