package run

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/path"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// act is one operation while it goes on.
type act struct {
	w        *walker
	step     plan.Step
	copy     plan.Copy
	manifest plan.Manifest
	via      *replica
	resource client.Resource
	served   history.Resource
	types    client.Types
}

// performer plays one verb. It returns the answer to the write, and a reason
// when the step could not be played.
type performer func(context.Context, *act) (client.Answer, string, error)

// performers is the one table from verb to what performs it.
func performers() map[term.Verb]performer {
	return map[term.Verb]performer{
		term.Create:         create,
		term.Delete:         remove,
		term.Get:            read,
		term.JSONPatch:      patch,
		term.ListAll:        list,
		term.MergePatch:     patch,
		term.Put:            put,
		term.StatusPatch:    patch,
		term.StrategicPatch: patch,
	}
}

// operate plays one operation, then looks at its copy through every live replica.
func (w *walker) operate(ctx context.Context, s plan.Step) (string, error) {
	a, reason, err := w.newAct(s)
	if err != nil {
		return "", err
	}
	var answer client.Answer
	if reason == "" {
		answer, reason, err = performers()[s.Verb](ctx, a)
	}
	if err != nil {
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	if reason != "" {
		return "skipped: " + reason, w.record(history.Record{Skip: &history.Skip{Step: s.Number, Reason: reason}})
	}
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	if err := a.note(answer); err != nil {
		return "", err
	}
	return outcome(said(a.manifest.Kind, answer)), a.look(ctx)
}

func (w *walker) newAct(s plan.Step) (*act, string, error) {
	via, err := w.fleet.get(s.Via)
	if err != nil {
		return nil, "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	a := &act{w: w, step: s, copy: w.subject(s), via: via}
	a.manifest = w.config.Plan.Manifests[a.copy.Manifest]
	return a, a.prepare(), nil
}

// subject is the copy a step is about: for a LIST, any copy of its object,
// since only the kind matters.
func (w *walker) subject(s plan.Step) plan.Copy {
	if s.Copy != "" {
		return w.copies[s.Copy]
	}
	i := slices.IndexFunc(w.config.Plan.Copies, func(c plan.Copy) bool { return c.Object == s.Object })
	if i < 0 {
		return plan.Copy{Object: s.Object}
	}
	return w.config.Plan.Copies[i]
}

// prepare finds out what the act goes through, or why it cannot be played.
func (a *act) prepare() string {
	served, ok := a.w.resource(a.via.role, a.manifest.APIVersion, a.manifest.Kind)
	if !ok {
		return fmt.Sprintf("%s does not serve %s %s", a.w.version(a.via.role), a.manifest.APIVersion, a.manifest.Kind)
	}
	a.served, a.resource = served, a.w.location(served)
	if !a.step.Birth && a.step.Copy != "" {
		if _, exists := a.w.created.Load(a.step.Copy); !exists {
			return "the copy was not created"
		}
	}
	if a.step.Verb == term.StatusPatch {
		if reason := a.statusReason(); reason != "" {
			return reason
		}
	}
	return a.carry()
}

// statusReason says why the kind's status cannot be patched.
func (a *act) statusReason() string {
	if !slices.Contains(a.served.Subresources, "status") {
		return fmt.Sprintf("%s has no /status", a.manifest.Kind)
	}
	if a.step.Mutation.Kind != plan.Condition {
		return ""
	}
	kind, _ := a.w.known[a.via.role].schema.Kind(a.manifest.APIVersion, a.manifest.Kind)
	if at, err := path.Parse(a.step.Mutation.Names[0]); err != nil || !kind.Declares(at) {
		return fmt.Sprintf("%s publishes no .status.conditions; name a status field with set", a.manifest.Kind)
	}
	return ""
}

// carry gives the act the types of its client.
func (a *act) carry() string {
	role, typed := a.step.Client.Role()
	if !typed {
		return ""
	}
	kind, ok := a.w.known[role].schema.Kind(a.manifest.APIVersion, a.manifest.Kind)
	if !ok {
		return fmt.Sprintf("%s has no types for %s %s", a.w.version(role), a.manifest.APIVersion, a.manifest.Kind)
	}
	a.types = client.Types{Kind: kind, Typed: true}
	return ""
}

func (w *walker) version(role term.Role) string { return w.known[role].release.Version }

func (w *walker) location(r history.Resource) client.Resource {
	at := client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}
	if r.Namespaced {
		at.Namespace = w.config.Plan.Namespace
	}
	return at
}

func create(ctx context.Context, a *act) (client.Answer, string, error) {
	body, err := client.New(client.Specimen(a.w.config.Plan, a.copy, a.served.Namespaced), a.types)
	if err != nil {
		return client.Answer{}, "", err
	}
	answer, err := a.send(ctx, a.via, history.Act, client.Request{
		Method: http.MethodPost, Path: a.resource.Collection(), ContentType: client.JSONContent, Body: body,
	})
	return answer, "", err
}

func put(ctx context.Context, a *act) (client.Answer, string, error) {
	from, err := a.w.fleet.get(a.step.Read)
	if err != nil {
		return client.Answer{}, "", err
	}
	was, err := a.send(ctx, from, history.Read, client.Request{Method: http.MethodGet, Path: a.object()})
	if err != nil {
		return client.Answer{}, "", err
	}
	var object map[string]any
	if !was.Succeeded() || utiljson.Unmarshal(was.Body, &object) != nil {
		return client.Answer{}, fmt.Sprintf("the read before it was answered %d", was.Code), nil
	}
	body, err := client.Replace(a.step, object, a.types)
	if err != nil {
		return client.Answer{}, "", err
	}
	answer, err := a.send(ctx, a.via, history.Act, client.Request{
		Method: http.MethodPut, Path: a.object(), ContentType: client.JSONContent, Body: body,
	})
	return answer, "", err
}

func patch(ctx context.Context, a *act) (client.Answer, string, error) {
	content, body, err := client.Patch(a.step, client.Specimen(a.w.config.Plan, a.copy, a.served.Namespaced), a.types)
	if err != nil {
		return client.Answer{}, "", err
	}
	at := a.object()
	if a.step.Verb == term.StatusPatch {
		at += "/status"
	}
	answer, err := a.send(ctx, a.via, history.Act, client.Request{
		Method: http.MethodPatch, Path: at, ContentType: content, Body: body,
	})
	return answer, "", err
}

func read(ctx context.Context, a *act) (client.Answer, string, error) {
	answer, err := a.send(ctx, a.via, history.Act, client.Request{Method: http.MethodGet, Path: a.object()})
	return answer, "", err
}

func remove(ctx context.Context, a *act) (client.Answer, string, error) {
	answer, err := a.send(ctx, a.via, history.Act, client.Request{Method: http.MethodDelete, Path: a.object()})
	return answer, "", err
}

// list records what the LIST held, as every LIST does, and beside it the act of
// its client, so that the answer can be held against what the line declares.
func list(ctx context.Context, a *act) (client.Answer, string, error) {
	answer, err := a.w.list(ctx, a.step.Number, a.via, a.served)
	if err != nil {
		return answer, "", err
	}
	a.copy = plan.Copy{} // it is about no copy
	request := client.Request{Method: http.MethodGet, Path: a.resource.Collection()}
	return answer, "", a.recordAnswer(a.via, history.Act, request, answer)
}

func (a *act) object() string { return a.resource.Object(a.copy.Name) }

// send sends one request and records it with its answer.
func (a *act) send(ctx context.Context, to *replica, purpose history.Purpose, r client.Request) (client.Answer, error) {
	if purpose != history.Look {
		r.UserAgent = "skewsim-" + string(a.step.Client)
	}
	answer := to.conn.Do(ctx, r)
	err := a.recordAnswer(to, purpose, r, answer)
	if err == nil && answer.TimedOut() {
		// All that follows would wait as long: the server is as good as dead.
		err = fmt.Errorf("replica %s (%s) did not answer %s %s within %s; log: %s", to.name, a.w.version(to.role),
			r.Method, r.Path, answer.Took.Round(time.Second), to.process.LogPath())
	}
	return answer, err
}

func (a *act) recordAnswer(to *replica, purpose history.Purpose, r client.Request, answer client.Answer) error {
	exchange, err := a.w.exchange(r, answer)
	if err != nil {
		return err
	}
	return a.w.record(history.Record{Operation: &history.Operation{
		Step: a.step.Number, Copy: a.copy.Name, Purpose: purpose,
		Replica: to.name, Role: to.role, Client: a.step.Client, Exchange: exchange,
	}})
}

// note keeps account of what exists, and ends the run when a server refuses an
// object that the scenario thinks is valid: nothing after that could be judged.
func (a *act) note(answer client.Answer) error {
	if !a.step.Birth {
		return nil
	}
	if answer.Succeeded() {
		a.w.created.Store(a.copy.Name, true)
		return nil
	}
	trouble := answer.Code < 400 || answer.Code >= 500 || answer.Code == http.StatusTooManyRequests
	if a.step.Respond != nil || trouble || a.copy.Role == term.Control {
		return nil // declared, a server in trouble, or no part of the scenario: that is for the oracle
	}
	return &RefusedError{
		File: a.w.config.Plan.File, Step: a.step, Version: a.w.version(a.via.role), Manifest: a.copy.Manifest,
		Code: answer.Code, Message: strings.TrimSpace(statusText(said(a.manifest.Kind, answer))),
	}
}

// look GETs the copy through every live replica that serves its kind.
func (a *act) look(ctx context.Context) error {
	if _, exists := a.w.created.Load(a.copy.Name); !exists || !a.step.Verb.Writes() {
		return nil
	}
	for _, r := range a.w.fleet.live() {
		if _, ok := a.w.resource(r.role, a.manifest.APIVersion, a.manifest.Kind); !ok {
			continue
		}
		_, err := a.send(ctx, r, history.Look, client.Request{Method: http.MethodGet, Path: a.object()})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
