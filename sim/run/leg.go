package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// carriesOn tells whether the run is a later leg of a chain: its store holds what
// earlier ones left there.
func (w *walker) carriesOn() bool {
	leg := w.config.Plan.Leg
	return leg != nil && leg.Number > 1
}

// left is how many objects of earlier legs lie in the store that are none of the
// run's copies. LISTs show them all the same.
func (w *walker) left() int {
	if leg := w.config.Plan.Leg; leg != nil {
		return leg.Left
	}
	return 0
}

// largestLeft is how much those may add to a LIST, given how long an object of
// each manifest may be.
func (w *walker) largestLeft(sizes map[string]int64) int64 {
	var each int64
	for _, size := range sizes {
		each = max(each, size)
	}
	return each * int64(w.left())
}

// rewrite writes again, as they are, the objects of earlier legs that are none of
// the run's copies. What a server refuses stays as it is stored: whoever cannot
// read it later will say so.
func (w *walker) rewrite(ctx context.Context, s plan.Step) (string, error) {
	r, err := w.convoy.fleet.get(s.Replica)
	if err != nil {
		return "", fmt.Errorf("step %d: %w", s.Number, err)
	}
	done, all := 0, 0
	for _, served := range w.known[r.role].release.Resources {
		objects, err := w.leftOf(ctx, r, served)
		if err != nil {
			return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
		}
		for _, object := range objects {
			all++
			written, err := w.putBack(ctx, s, r, served, object)
			if err != nil {
				return "", err
			}
			if written {
				done++
			}
		}
	}
	return fmt.Sprintf("%d of %d written again", done, all), nil
}

// leftOf LISTs the objects of a kind that are none of the run's copies. A LIST
// that fails has none: the stage's own LISTs tell of it.
func (w *walker) leftOf(ctx context.Context, r *replica, served history.Resource) ([]map[string]any, error) {
	answer := r.conn.Do(ctx, client.Request{Method: http.MethodGet, Path: w.location(served).Collection()})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !answer.Succeeded() {
		return nil, nil
	}
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, fmt.Errorf("LIST of %s %s: %w", served.APIVersion, served.Kind, err)
	}
	var all []map[string]any
	for _, raw := range list.Items {
		object, err := decodeObject(raw)
		if err != nil {
			return nil, fmt.Errorf("LIST of %s %s: an item: %w", served.APIVersion, served.Kind, err)
		}
		object["apiVersion"], object["kind"] = served.APIVersion, served.Kind
		if _, ours := w.copies[w.sighted(object).name]; !ours {
			all = append(all, object)
		}
	}
	return all, nil
}

func (w *walker) putBack(ctx context.Context, s plan.Step, r *replica, served history.Resource, object map[string]any) (bool, error) {
	body, err := json.Marshal(object)
	if err != nil {
		return false, err
	}
	request := client.Request{
		Method: http.MethodPut, Path: w.location(served).Object(sighted(object).name), ContentType: client.JSONContent, Body: body,
	}
	op := history.Operation{Step: s.Number, Purpose: history.Rewrite, Replica: r.name, Role: r.role}
	if err := w.intend(op); err != nil {
		return false, err
	}
	answer := r.conn.Do(ctx, request)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	op.Exchange, err = w.exchange(request, answer)
	return answer.Succeeded(), errors.Join(err, w.record(history.Record{Operation: &op}))
}
