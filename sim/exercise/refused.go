package exercise

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/guard"
)

// Refused sends objects as dry-run creates, with that field validation, and returns the server's
// words for each that it refuses, in their order; "" for those that it accepts. The objects have
// apiVersion and kind.
func Refused(ctx context.Context, c Config, objects []map[string]any, validation term.FieldValidation) ([]string, error) {
	e := newExerciser(c)
	if err := e.makeNamespace(ctx); err != nil {
		return nil, err
	}
	words := make([]string, len(objects))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, object := range objects {
		group.Go(func() error {
			return guard.Call(func() error {
				words[i] = refused(working, e, object, validation)
				return errors.Join(working.Err(), c.Server.Err())
			})
		})
	}
	return words, group.Wait()
}

// refused returns why the server does not create an object; "" if it does.
func refused(ctx context.Context, e *exerciser, object map[string]any, validation term.FieldValidation) string {
	apiVersion, _ := object["apiVersion"].(string)
	name, _ := object["kind"].(string)
	k, reason := e.kindOf(apiVersion, name)
	if reason != "" {
		return reason
	}
	if a := dryCreateWith(ctx, e, k, object, validation); !a.Succeeded() {
		return a.Text()
	}
	return ""
}
