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
	shown    sync.Map // by listOf: the newest LIST that a server answered in whole, a *history.Listing
}

// listOf is one form in which one server LISTs one kind.
type listOf struct {
	r                *fleet.Replica // another one for each process, and for each redefinition
	apiVersion, kind string
	form             term.ListForm
}

// standing returns an earlier LIST of a form if another one would tell nothing new: the same server answered it, and nothing of
// the kind was stored since.
func (l Lister) standing(form term.ListForm) *history.Listing {
	before, known := l.all.shown.Load(l.of(form))
	if !known || l.all.known.AnswersVary() {
		return nil
	}
	listing := before.(*history.Listing)
	newest := l.all.recorder.Memory.NewestOf(l.all.known.ShownAs(l.r.Role, l.served))
	if newest == 0 || newest > listing.Exchange.Revision {
		return nil
	}
	return listing
}

// repeated records that an earlier LIST still stands.
func (l Lister) repeated(before *history.Listing) error {
	again := *before
	again.Step, again.As = l.step, before.Step
	x := before.Exchange
	again.Exchange = history.Exchange{Method: x.Method, Path: x.Path, Query: x.Query, Code: x.Code, Revision: x.Revision}
	return l.all.recorder.Record(history.Record{Listing: &again})
}

func (l Lister) of(form term.ListForm) listOf {
	return listOf{l.r, l.served.APIVersion, l.served.Kind, form}
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
