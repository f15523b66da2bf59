package act

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

func create(ctx context.Context, a *act) (client.Answer, error) {
	body, err := a.client.New(ctx, a.specimen(a.copy), a.step.Encoding)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPost, a.resource.Collection(), body)
}

func put(ctx context.Context, a *act) (client.Answer, error) {
	was, err := a.readFirst(ctx)
	if err != nil {
		return client.Answer{}, err
	}
	body, err := a.client.Replace(ctx, a.step, was)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPut, a.part(), body)
}

func patch(ctx context.Context, a *act) (client.Answer, error) {
	base := a.specimen(a.copy)
	if a.step.Verb.Subresource() == term.ScalePart {
		base = map[string]any{} // the manifest is of another kind
	}
	body, err := a.client.Patch(ctx, a.filled(), base)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPatch, a.part(), body)
}

// post sends the line's body, of whatever kind it is, to a subresource.
func post(ctx context.Context, a *act) (client.Answer, error) {
	return a.posts(ctx, a.filled().Change.Body)
}

// evict deletes the copy as a drain does, unless a budget forbids it.
func evict(ctx context.Context, a *act) (client.Answer, error) {
	return a.posts(ctx, map[string]any{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": map[string]any{
		"name": a.actor.Known.Called(a.copy.Name, a.served.Namespaced), "namespace": a.resource.Namespace,
	}})
}

func (a *act) posts(ctx context.Context, body any) (client.Answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPost, a.part(), client.Body{ContentType: client.JSONContent, Bytes: raw, JSON: raw})
}

func difference(ctx context.Context, a *act) (client.Answer, error) {
	was, err := a.readFirst(ctx)
	if err != nil {
		return client.Answer{}, err
	}
	body, err := a.client.Difference(ctx, a.step, was)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPatch, a.part(), body)
}

func apply(ctx context.Context, a *act) (client.Answer, error) {
	body, err := a.client.Apply(ctx, a.step, a.specimen(a.copy))
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPatch, a.part(), body)
}

func extractApply(ctx context.Context, a *act) (client.Answer, error) {
	was, err := a.readFirst(ctx)
	if err != nil {
		return client.Answer{}, err
	}
	body, err := a.client.ExtractApply(ctx, a.step, was)
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPatch, a.object(), body)
}

func clientSideApply(ctx context.Context, a *act) (client.Answer, error) {
	if a.step.Birth {
		body, err := client.FirstApplied(a.specimen(a.copy))
		if err != nil {
			return client.Answer{}, err
		}
		return a.write(ctx, http.MethodPost, a.resource.Collection(), body)
	}
	was, err := a.readFirst(ctx)
	if err != nil {
		return client.Answer{}, err
	}
	body, err := client.Reapplied(a.step, a.specimen(a.copy), was, a.actor.Known.Merging(a.knows, a.apiVersion(), a.manifest.Kind))
	if err != nil {
		return client.Answer{}, err
	}
	return a.write(ctx, http.MethodPatch, a.object(), body)
}

func read(ctx context.Context, a *act) (client.Answer, error) {
	return a.write(ctx, http.MethodGet, a.object(), client.Body{})
}

func remove(ctx context.Context, a *act) (client.Answer, error) {
	return a.write(ctx, http.MethodDelete, a.object(), client.Body{})
}

// removeCollection selects the copy by its name, which every kind can be selected by.
func removeCollection(ctx context.Context, a *act) (client.Answer, error) {
	query := a.query()
	query["fieldSelector"] = "metadata.name=" + a.actor.Known.Called(a.copy.Name, a.served.Namespaced)
	return a.send(ctx, call{to: a.via, purpose: history.Act, method: http.MethodDelete, path: a.resource.Collection(), query: query})
}

// list records what the LIST showed, as every LIST does, and also the act of its client, so
// that the oracle can compare the answer with the line's declaration.
func list(ctx context.Context, a *act) (client.Answer, error) {
	how := func() (client.Answer, error) { return a.actor.Lists.List(ctx, a.step.Number, a.via, a.served) }
	query := map[string]string{}
	if a.step.FieldSelector != "" {
		how = func() (client.Answer, error) { return a.actor.Lists.ListSelected(ctx, a.step, a.via, a.served) }
		query["fieldSelector"] = a.step.FieldSelector
	}
	answer, err := how()
	if err != nil {
		return answer, err
	}
	a.copy = plan.Copy{} // it is about no single copy
	unread, err := a.carryItems(ctx, answer)
	if err != nil {
		return answer, err
	}
	_, err = a.record(call{to: a.via, purpose: history.Act, method: http.MethodGet, path: a.resource.Collection(), query: query}, a.abridged(answer), answer, unread)
	return answer, err
}

func (a *act) object() string { return a.actor.Known.Object(a.served, a.copy.Name) }

// part returns the part of the object that the verb writes.
func (a *act) part() string {
	if part := a.step.Part(); part != "" {
		return a.object() + "/" + part
	}
	return a.object()
}

// filled returns the step with its body's placeholders replaced by the copy's values.
func (a *act) filled() plan.Step {
	if a.step.Change == nil || a.step.Change.Kind != plan.Body {
		return a.step
	}
	filled, change := a.step, *a.step.Change
	change.Body = a.actor.Known.Plan.Fill(change.Body, a.copy, a.served.Namespaced)
	filled.Change = &change
	return filled
}

// readFirst reads, through the read replica, what the verb then writes back: the whole
// object, also for a status; for a scale, the scale.
func (a *act) readFirst(ctx context.Context) ([]byte, error) {
	from, err := a.actor.Fleet.Get(a.step.Read)
	if err != nil {
		return nil, err
	}
	at := a.object()
	if a.step.Verb.Subresource() == term.ScalePart {
		at = a.part()
	}
	was, err := a.send(ctx, call{to: from, purpose: history.Read, method: http.MethodGet, path: at})
	if err != nil {
		return nil, err
	}
	if !was.Succeeded() {
		return nil, skip("the read before it was answered %d", was.Code)
	}
	return was.Body, nil
}

// write sends the operation itself.
func (a *act) write(ctx context.Context, method, path string, body client.Body) (client.Answer, error) {
	a.sent = call{to: a.via, purpose: history.Act, method: method, path: path, body: body, query: a.query()}
	return a.send(ctx, a.sent)
}

// query returns the parameters of the step's request.
func (a *act) query() map[string]string {
	q := map[string]string{}
	if a.step.FieldValidation != "" {
		q["fieldValidation"] = string(a.step.FieldValidation)
	}
	if a.step.Propagation != "" {
		q["propagationPolicy"] = string(a.step.Propagation)
	}
	switch {
	case a.step.Verb.Applies():
		q["fieldManager"] = a.step.Manager
		if a.step.Force {
			q["force"] = "true"
		}
	case a.step.Verb.AppliesClientSide():
		q["fieldManager"] = client.ClientSideManager
	}
	return q
}
