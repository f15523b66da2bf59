package oracletest

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Code is a declared answer of which only the code counts.
func Code(n int) scenarios.Respond { return scenarios.Respond{Code: n} }

// RefusedAsInvalid makes the server answer 422.
func RefusedAsInvalid() Option { return Refused(http.StatusUnprocessableEntity, "invalid") }

// DeleteHeldUp is a DELETE that a finalizer holds up: the object stays, and is served.
func (run *Run) DeleteHeldUp(name string) int {
	d := run.Begin(term.Delete, name, nil)
	run.Change(name, ".metadata.finalizers", []any{"example.dev/held"})
	run.Record(d, history.Act, d.Step.Via, history.Exchange{Method: "DELETE", Code: 200})
	run.Look(d)
	return d.Step.Number
}

// SendBody is a patch that does what its options set, and whose line gives the body.
func (run *Run) SendBody(verb term.Verb, name string, body any, sets ...Option) int {
	step := run.PatchWith(verb, name, sets)
	run.SetBody(step, body)
	run.Exchange(step, history.Act, "a").Sent = run.Blob(body)
	return step
}

// Call is a call of a client, while it is built.
type Call struct {
	Step     plan.Step
	Manifest string         // "widget", "gadget" or "secret"
	Sets     map[string]any // values by path
	code     int
	message  string
	warnings []string
}

// Option sets a property of a call.
type Option func(*Call)

// Via sends the call through a replica.
func Via(replica string) Option { return func(a *Call) { a.Step.Via = replica } }

// ReadVia sets the replica through which a call reads before it writes; without it, that is the one of Via.
func ReadVia(replica string) Option { return func(a *Call) { a.Step.Read = replica } }

// By sets the client.
func By(client term.Client) Option { return func(a *Call) { a.Step.Client = client } }

// Of sets the manifest of the copy: "gadget" or "secret".
func Of(manifest string) Option { return func(a *Call) { a.Manifest = manifest } }

// Warned adds a warning to the answer.
func Warned(text string) Option { return func(a *Call) { a.warnings = append(a.warnings, text) } }

// Respond declares the answer.
func Respond(r scenarios.Respond) Option { return func(a *Call) { a.Step.Respond = &r } }

// Set sets a path to a value; nil removes it.
func Set(at string, value any) Option {
	return func(a *Call) {
		if a.Sets == nil {
			a.Sets = map[string]any{}
		}
		a.Sets[at] = value
	}
}

// Refused makes the server answer with a code and change nothing. Code 0 is no answer at all.
func Refused(code int, message string) Option {
	return func(a *Call) { a.code, a.message = code, message }
}

// TouchLabel is the path of the label that a call changes if it sets nothing.
const TouchLabel = `.metadata.labels["` + plan.TouchLabel + `"]`

// Begin adds the step of a call, and returns the call.
func (run *Run) Begin(verb term.Verb, name string, options []Option) *Call {
	a := &Call{Step: plan.Step{Action: plan.Operate, Verb: verb, Client: term.Dynamic, Via: "a", Copy: name}, code: 200, Manifest: "widget"}
	for _, apply := range options {
		apply(a)
	}
	if verb.Reads() && a.Step.Read == "" {
		a.Step.Read = a.Step.Via
	}
	if verb.Modifies() {
		a.Step.Change = a.Change()
	}
	a.Step.Object = a.Manifest
	a.Step.ViaRole, a.Step.ReadRole = run.Serving[a.Step.Via], run.Serving[a.Step.Read]
	a.Step.Number = run.Step(a.Step)
	return a
}

// Change returns the change of the call, for its step.
func (a *Call) Change() *plan.Change {
	switch {
	case a.Sets != nil:
		return &plan.Change{Kind: plan.Fields, Fields: a.Sets, Names: slices.Sorted(maps.Keys(a.Sets))}
	case a.Step.Verb.Subresource() == term.StatusPart:
		return &plan.Change{Kind: plan.Condition, Names: []string{`.status.conditions[type="` + plan.TouchCondition + `"]`}}
	}
	return &plan.Change{Kind: plan.Label, Names: []string{TouchLabel}}
}

// Create creates a copy with a spec; of a Secret it is the data. The copy's role is its name up to
// the dash: treated-1 is treated.
func (run *Run) Create(name, spec string, options ...Option) int {
	a := run.Begin(term.Create, name, options)
	role := term.CopyRole(name[:slices.Index([]byte(name), '-')])
	p := &run.History.Header.Plan
	p.Copies = append(p.Copies, plan.Copy{Name: name, Object: a.Manifest, Role: role, Manifest: a.Manifest})
	m := p.Manifests[a.Manifest]
	part := "spec"
	if a.Manifest == "secret" {
		part = "data"
	}
	sent := Object{"apiVersion": m.APIVersion, "kind": m.Kind, "metadata": Object{"name": name}, part: Parse(run.T, spec)}
	sent = run.carried(a, sent)
	return run.Write(a, sent, sent)
}

// Put reads the object, changes what the options set, and writes the whole object back.
func (run *Run) Put(name string, options ...Option) int {
	a := run.Begin(term.Put, name, options)
	was := run.Served(name, a.Step.ReadRole)
	run.Record(a, history.Read, a.Step.Read, history.Exchange{Method: "GET", Code: 200, Answer: run.Blob(was), Revision: run.Revisions[name]})
	sent := a.changed(run.T, was)
	sent = run.carried(a, sent)
	return run.Write(a, sent, sent)
}

// Patch sends only what it changes, as a merge patch.
func (run *Run) Patch(name string, options ...Option) int {
	return run.PatchWith(term.MergePatch, name, options)
}

// StatusPatch patches the status.
func (run *Run) StatusPatch(name string, options ...Option) int {
	return run.PatchWith(term.StatusPatch, name, options)
}

// PatchWith sends only what it changes, with a verb.
func (run *Run) PatchWith(verb term.Verb, name string, options []Option) int {
	a := run.Begin(verb, name, options)
	sent := a.changed(run.T, Object{})
	for at, value := range a.Sets {
		if value == nil && verb.PatchForm() == term.MergeForm { // null removes
			_ = path.Set(sent, Path(run.T, at), nil)
		}
	}
	return run.Write(a, sent, a.changed(run.T, run.Served(name, a.Step.ViaRole)))
}

// Get reads the object.
func (run *Run) Get(name string, options ...Option) int {
	a := run.Begin(term.Get, name, options)
	answer := history.Exchange{Method: "GET", Code: a.code, Message: a.message, Warnings: a.warnings}
	if answer.Succeeded() {
		answer.Answer, answer.Revision = run.Blob(run.Served(name, a.Step.ViaRole)), run.Revisions[name]
	}
	run.Record(a, history.Act, a.Step.Via, answer)
	return a.Step.Number
}

// Delete deletes the object.
func (run *Run) Delete(name string, options ...Option) int {
	a := run.Begin(term.Delete, name, options)
	if a.code == 200 {
		run.Remove(name)
	}
	run.Record(a, history.Act, a.Step.Via, history.Exchange{Method: "DELETE", Code: a.code, Message: a.message})
	run.Look(a)
	return a.Step.Number
}

// Write lets the server admit and store an object, and reads it through both replicas.
func (run *Run) Write(a *Call, sent, whole Object) int {
	name := a.Step.Copy
	whole = run.admit(a, whole)
	x := history.Exchange{Code: a.code, Message: a.message, Warnings: a.warnings, Sent: run.Blob(sent)}
	if a.code == 0 {
		x.Message, x.Error = "", a.message
	}
	if x.Succeeded() {
		run.Keep(name, run.inStore(a.Step.ViaRole, whole))
		x.Answer, x.Revision = run.Blob(run.Served(name, a.Step.ViaRole)), run.Revisions[name]
	}
	run.Record(a, history.Act, a.Step.Via, x)
	run.Look(a)
	return a.Step.Number
}

// Edit changes an object.
type Edit func(t testing.TB, o Object)

// With sets a path, or removes it where the value is nil.
func With(at string, value any) Edit {
	return func(t testing.TB, o Object) {
		p := Path(t, at)
		if value == nil {
			path.Remove(o, p)
		} else if err := path.Set(o, p, value); err != nil {
			t.Fatal(err)
		}
	}
}

// Do makes a call with any verb: it sends the body, and the server applies the edits to what is
// stored. Verbs that read do so first.
func (run *Run) Do(verb term.Verb, name string, body any, edits []Edit, options ...Option) int {
	run.T.Helper()
	a := run.Begin(verb, name, options)
	if verb.Reads() {
		run.Record(a, history.Read, a.Step.Read, history.Exchange{
			Method: "GET", Code: 200, Answer: run.Blob(run.Served(name, a.Step.ReadRole)), Revision: run.Revisions[name],
		})
	}
	whole := a.changed(run.T, run.Served(name, a.Step.ViaRole))
	for _, e := range edits {
		e(run.T, whole)
	}
	run.Write(a, Object{}, whole)
	run.Exchange(a.Step.Number, history.Act, a.Step.Via).Sent = run.Blob(body)
	return a.Step.Number
}

// ManagedBy sets the field manager.
func ManagedBy(name string) Option { return func(a *Call) { a.Step.Manager = name } }

// changed returns an object with the changes of the call.
func (a *Call) changed(t testing.TB, was Object) Object {
	now := Clone(t, was)
	all, err := a.Step.Assignments()
	if err != nil {
		t.Fatal(err)
	}
	for _, assign := range all {
		if assign.Value == nil {
			path.Remove(now, assign.Path)
		} else if err := path.Set(now, assign.Path, assign.Value); err != nil {
			t.Fatal(err)
		}
	}
	return now
}
