package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// Create sends a copy of the object to its origin, and returns the answer's values.
func (t *Traveller) Create(ctx context.Context, object map[string]any) (*Copy, client.Answer, error) {
	t.copies++
	sent, name := t.Naming.Name(object, fmt.Sprintf("%s-%d", t.Name, t.copies))
	body, err := json.Marshal(sent)
	if err != nil {
		return nil, client.Answer{}, err
	}
	a, err := t.send(ctx, t.Origin, http.MethodPost, "", body)
	if err != nil || !a.Succeeded() {
		return nil, a, err
	}
	t.kept = append(t.kept, name)
	leaves, err := t.leaves(t.Origin, a.Body)
	return &Copy{name, leaves}, a, err
}

// Clear deletes the copies, so that none of them is the reason why another is refused, as
// for a kind of which only one object may be the default. A copy that cannot be deleted
// stays; the next request shows the effect.
func (t *Traveller) Clear(ctx context.Context) {
	for _, name := range t.kept {
		r := client.Request{Method: http.MethodDelete, Path: t.resource(t.Origin).Object(name)}
		_ = t.Releases[t.Origin.Role].Conn.Do(ctx, r) // out of turn: its answer does not count
	}
	t.kept = nil
}

// again creates one more copy of an object that the origin accepted before. A server may
// learn of the deletion of the others a moment later.
func (t *Traveller) again(ctx context.Context, object map[string]any) (*Copy, client.Answer, error) {
	const tries, pause = 5, 100 * time.Millisecond
	t.Clear(ctx)
	for try := 1; ; try++ {
		c, a, err := t.Create(ctx, object)
		if err != nil || c != nil || a.Panic != nil || statuscode.MayBeLast(a.Code) || t.Hasty || try == tries {
			return c, a, err
		}
		select {
		case <-ctx.Done():
			return nil, a, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// notAgain returns the error that the origin refuses an object that it accepted before.
func (t *Trip) notAgain(a client.Answer) error {
	origin, err := t.Releases[t.Origin.Role].Version, fmt.Errorf("answered %d to a create of an object that it accepted before", a.Code)
	if statuscode.MayBeLast(a.Code) {
		return &NoAnswerError{origin, err}
	}
	return &NotAgainError{fmt.Errorf("%s: %w", origin, err)}
}

// NotAgainError reports that a release refuses an object that it accepted before: the
// refusal depends on other stored objects, and ends this journey only.
type NotAgainError struct{ error }
