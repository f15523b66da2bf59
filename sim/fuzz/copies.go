package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/skewsim/skewsim/sim/client"
)

// create sends a copy of the object to its origin, and reads the answer's values.
func (t *traveller) create(ctx context.Context, object map[string]any) (*copyMade, client.Answer, error) {
	t.copies++
	sent, name := t.naming.Name(object, fmt.Sprintf("%s-%d", t.name, t.copies))
	body, err := json.Marshal(sent)
	if err != nil {
		return nil, client.Answer{}, err
	}
	a, err := t.send(ctx, t.origin, http.MethodPost, "", body)
	if err != nil || !a.Succeeded() {
		return nil, a, err
	}
	t.kept = append(t.kept, name)
	leaves, err := t.leaves(t.origin, a.Body)
	return &copyMade{name, leaves}, a, err
}

// clear deletes the copies, so that none of them is why another is refused, as where one
// object of a kind may be the default. One that cannot be deleted stays: what comes of that
// the next request shows.
func (t *traveller) clear(ctx context.Context) {
	for _, name := range t.kept {
		r := client.Request{Method: http.MethodDelete, Path: t.resource(t.origin).Object(name)}
		_ = t.releases[t.origin.role].conn.Do(ctx, r) // out of turn: nothing is learnt of the release
	}
	t.kept = nil
}

// again creates one more copy of what the origin took before. A server may know of the
// deletion of the others a moment later only.
func (t *traveller) again(ctx context.Context, object map[string]any) (*copyMade, client.Answer, error) {
	const tries, pause = 5, 100 * time.Millisecond
	t.clear(ctx)
	for try := 1; ; try++ {
		c, a, err := t.create(ctx, object)
		if err != nil || c != nil || a.Panic != nil || ending(a.Code) || t.hasty || try == tries {
			return c, a, err
		}
		select {
		case <-ctx.Done():
			return nil, a, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// notAgain tells that the origin does not take any more what it had taken.
func (t *traveller) notAgain(a client.Answer) error {
	origin, err := t.releases[t.origin.role].version, fmt.Errorf("answered %d to a create of what it had taken before", a.Code)
	if ending(a.Code) {
		return &noAnswerError{origin, err}
	}
	return &notAgainError{fmt.Errorf("%s: %w", origin, err)}
}

// notAgainError tells that a release refuses what it had taken: that hangs on what else is
// stored, and ends the one journey.
type notAgainError struct{ error }
