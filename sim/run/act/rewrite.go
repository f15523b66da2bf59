package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// Rewrite writes the objects of earlier legs again, unchanged, except the run's copies. An
// object whose rewrite a server refuses stays as it is stored: later reads show whether it
// is still readable.
func (ac *Actor) Rewrite(ctx context.Context, s plan.Step) (string, error) {
	r, err := ac.Fleet.Get(s.Replica)
	if err != nil {
		return "", fmt.Errorf("step %d: %w", s.Number, err)
	}
	done, all := 0, 0
	for _, served := range ac.Known.ByRole[r.Role].Said.Resources {
		objects, err := ac.leftOf(ctx, r, served)
		if err != nil {
			return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
		}
		for _, object := range objects {
			all++
			written, err := ac.putBack(ctx, s, r, served, object)
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

// leftOf LISTs the objects of a kind that are not copies of this run. If the LIST fails it
// returns none: the stage's own LISTs record the failure.
func (ac *Actor) leftOf(ctx context.Context, r *fleet.Replica, served history.Resource) ([]map[string]any, error) {
	answer := r.Conn.Do(ctx, client.Request{Method: http.MethodGet, Path: ac.Known.Location(served).Collection()})
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
		object, err := observe.DecodeObject(raw)
		if err != nil {
			return nil, fmt.Errorf("LIST of %s %s: an item: %w", served.APIVersion, served.Kind, err)
		}
		object["apiVersion"], object["kind"] = served.APIVersion, served.Kind
		if _, ours := ac.Known.Copies[ac.Recorder.Identify(object).Name]; !ours {
			all = append(all, object)
		}
	}
	return all, nil
}

func (ac *Actor) putBack(ctx context.Context, s plan.Step, r *fleet.Replica, served history.Resource, object map[string]any) (bool, error) {
	body, err := json.Marshal(object)
	if err != nil {
		return false, err
	}
	request := client.Request{
		Method: http.MethodPut, Path: ac.Known.Location(served).Object(observe.Describe(object).Name), ContentType: client.JSONContent, Body: body,
	}
	op := history.Operation{Step: s.Number, Purpose: history.Rewrite, Replica: r.Name, Role: r.Role}
	if err := ac.Recorder.Intend(op); err != nil {
		return false, err
	}
	answer := r.Conn.Do(ctx, request)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	op.Exchange, err = ac.Recorder.Exchange(request, answer)
	return answer.Succeeded(), errors.Join(err, ac.Recorder.Record(history.Record{Operation: &op}))
}
