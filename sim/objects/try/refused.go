package try

import (
	"context"
	"errors"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// Offer is an object to create, with the second objects that it needs. It has apiVersion and kind.
type Offer struct {
	Object map[string]any
	Needs  []map[string]any
}

// Reply is what a server says of an offer.
type Reply struct {
	// Refusal is the server's words if it refuses the object; "": it does not.
	Refusal string
	// Undecided reports that no answer is about the object: the server was busy, failed, or lacks a
	// second object.
	Undecided bool
	// Shown is the object in the answer of a server that accepts it; nil: it does not.
	Shown map[string]any
}

// Offered sends objects as dry-run creates, with that field validation, and returns the server's reply
// to each, in their order.
func Offered(ctx context.Context, c Config, offers []Offer, validation term.FieldValidation) ([]Reply, error) {
	e := newExerciser(c)
	if err := e.makeNamespace(ctx); err != nil {
		return nil, err
	}
	replies := make([]Reply, len(offers))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, o := range offers {
		group.Go(func() error {
			return fault.Guard(func() error {
				replies[i] = offered(working, e, o, validation)
				return errors.Join(working.Err(), c.Server.Err())
			})
		})
	}
	return replies, group.Wait()
}

// offered sends one object. Without its second objects a server may refuse it for their sake.
func offered(ctx context.Context, e *exerciser, o Offer, validation term.FieldValidation) Reply {
	apiVersion, _ := o.Object["apiVersion"].(string)
	name, _ := o.Object["kind"].(string)
	k, reason := e.kindOf(apiVersion, name)
	if reason != "" {
		return Reply{Refusal: reason}
	}
	missing := e.makeNeeded(ctx, o.Needs)
	a := dryCreateWith(ctx, e, k, o.Object, validation)
	switch {
	case a.Succeeded():
		shown, _ := decoded(a)
		return Reply{Shown: shown}
	case missing != nil || !isDecision(a):
		return Reply{Undecided: true}
	}
	return Reply{Refusal: a.Text()}
}

// isDecision reports whether an answer without success is about the object. An object that a server
// panics over is refused, as is one over which a server breaks off twice: see Server.Do.
func isDecision(a client.Answer) bool {
	if a.Err != nil {
		return a.Panic != nil || !a.TimedOut()
	}
	return a.Panic != nil || a.Code >= http.StatusBadRequest && a.Code < http.StatusInternalServerError && !statuscode.Busy(a.Code)
}
