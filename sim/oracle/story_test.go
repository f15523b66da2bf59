package oracle_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// story writes a history by playing it on two make-believe replicas, a and b,
// over one store. They do what real servers do: decode with their release's
// types, so drop what these lack, and store what is left. After each write
// both are looked at, as in a run. Defects are written in by hand: with store,
// and by bending what was recorded.
//
//	s := tell(t)
//	s.stage("upgrading 1/2", term.New, term.Old)
//	s.create("treated-1", `{"shine": {"level": 3}}`, via("a"))
//	s.patch("treated-1", via("b"))
//	s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5`)
type story struct {
	t        testing.TB
	h        *history.History
	schemas  oracle.Schemas
	serving  map[string]term.Role
	stored   map[string]object // by copy
	revision map[string]int64  // of what is stored, by copy
	head     int64             // the store's revision
	steps    int
	blind    bool // replicas are not looked at after writes
	minds    map[term.Role]mind

	olderTypes *schema.Schema // of clients of a release before the pair's
}

const (
	oldVersion = "v1.0.0"
	newVersion = "v2.0.0"
)

// tell begins a story at stage old. Without a journey: upgrade, rollback, upgrade.
func tell(t testing.TB, journey ...term.Rollout) *story {
	if len(journey) == 0 {
		journey = []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}
	}
	s := &story{
		t: t, schemas: schemasOf(t), stored: map[string]object{}, revision: map[string]int64{}, head: 10,
		h: &history.History{
			Releases: map[term.Role]history.Release{
				term.Old: {Role: term.Old, Version: oldVersion, Resources: resources()},
				term.New: {Role: term.New, Version: newVersion, Resources: resources()},
			},
			Blobs: map[string]history.Blob{}, End: &history.End{Outcome: history.Finished},
		},
	}
	s.h.Header.Salt = "salt"
	s.h.Header.Plan = plan.Plan{Scenario: "story", Replicas: []string{"a", "b"}, Journey: journey, Manifests: map[string]plan.Manifest{
		"widget": {APIVersion: "example.dev/v1", Kind: "Widget"}, "gadget": {APIVersion: "example.dev/v1", Kind: "Gadget"},
		"secret": {APIVersion: "v1", Kind: "Secret"},
	}}
	s.stage("old", term.Old, term.Old)
	return s
}

// resources are the kinds that both releases serve.
func resources() []history.Resource {
	return []history.Resource{
		{APIVersion: "example.dev/v1", Kind: "Widget", Subresources: []string{"status"}},
		{APIVersion: "example.dev/v1", Kind: "Gadget"}, {APIVersion: "v1", Kind: "Secret"},
	}
}

// stage begins a stage in which a and b run these releases.
func (s *story) stage(name string, a, b term.Role) {
	s.serving = map[string]term.Role{"a": a, "b": b}
	s.h.Header.Plan.Stages = append(s.h.Header.Plan.Stages, plan.Stage{Name: name, Replicas: []plan.ReplicaStage{{Replica: "a", Role: a}, {Replica: "b", Role: b}}})
	s.step(plan.Step{Action: plan.Replace, Replica: "a", Role: a})
}

func (s *story) step(step plan.Step) int {
	s.steps++
	step.Number = s.steps
	stages := s.h.Header.Plan.Stages
	last := &stages[len(stages)-1]
	last.Steps = append(last.Steps, step)
	return s.steps
}

// act is one operation of a story while it is built.
type act struct {
	step     plan.Step
	sets     map[string]any
	code     int
	message  string
	warnings []string
	kind     string
}

type option func(*act)

func via(replica string) option          { return func(a *act) { a.step.Via = replica } }
func read(replica string) option         { return func(a *act) { a.step.Read = replica } }
func by(client term.Client) option       { return func(a *act) { a.step.Client = client } }
func of(manifest string) option          { return func(a *act) { a.kind = manifest } }
func warned(text string) option          { return func(a *act) { a.warnings = append(a.warnings, text) } }
func respond(r scenarios.Respond) option { return func(a *act) { a.step.Respond = &r } }

// set names a path and the value it gets; nil removes it.
func set(at string, value any) option {
	return func(a *act) {
		if a.sets == nil {
			a.sets = map[string]any{}
		}
		a.sets[at] = value
	}
}

// refused makes the server answer with a code and change nothing. Code 0 is no
// answer at all.
func refused(code int, message string) option {
	return func(a *act) { a.code, a.message = code, message }
}

const touchLabel = `.metadata.labels["` + plan.TouchLabel + `"]`

func (s *story) begin(verb term.Verb, name string, options []option) *act {
	a := &act{step: plan.Step{Action: plan.Operate, Verb: verb, Client: term.Dynamic, Via: "a", Copy: name}, code: 200, kind: "widget"}
	for _, apply := range options {
		apply(a)
	}
	if verb == term.Put && a.step.Read == "" {
		a.step.Read = a.step.Via
	}
	if verb.Modifies() {
		a.step.Change = a.change()
	}
	a.step.Object = a.kind
	a.step.ViaRole, a.step.ReadRole = s.serving[a.step.Via], s.serving[a.step.Read]
	a.step.Number = s.step(a.step)
	return a
}

func (a *act) change() *plan.Change {
	switch {
	case a.sets != nil:
		return &plan.Change{Kind: plan.Fields, Fields: a.sets, Names: slices.Sorted(maps.Keys(a.sets))}
	case a.step.Verb == term.StatusPatch:
		return &plan.Change{Kind: plan.Condition, Names: []string{`.status.conditions[type="` + plan.TouchCondition + `"]`}}
	}
	return &plan.Change{Kind: plan.Label, Names: []string{touchLabel}}
}

// create adds a copy with the given spec (of a Secret: its data) and makes it.
// The copy's role is its name up to the dash: treated-1 is treated.
func (s *story) create(name, spec string, options ...option) int {
	a := s.begin(term.Create, name, options)
	role := term.CopyRole(name[:slices.Index([]byte(name), '-')])
	p := &s.h.Header.Plan
	p.Copies = append(p.Copies, plan.Copy{Name: name, Object: a.kind, Role: role, Manifest: a.kind})
	m := p.Manifests[a.kind]
	part := "spec"
	if a.kind == "secret" {
		part = "data"
	}
	sent := object{"apiVersion": m.APIVersion, "kind": m.Kind, "metadata": object{"name": name}, part: parse(s.t, spec)}
	sent = s.carried(a, sent)
	return s.write(a, sent, sent)
}

// put reads, changes what it says and writes the whole object back. Without
// set it changes a label.
func (s *story) put(name string, options ...option) int {
	a := s.begin(term.Put, name, options)
	was := s.served(name, a.step.ReadRole)
	s.record(a, history.Read, a.step.Read, history.Exchange{Method: "GET", Code: 200, Answer: s.blob(was), Revision: s.revision[name]})
	sent := s.changed(a, was)
	sent = s.carried(a, sent)
	return s.write(a, sent, sent)
}

// patch sends what it changes alone.
func (s *story) patch(name string, options ...option) int {
	return s.patchWith(term.MergePatch, name, options)
}

func (s *story) statusPatch(name string, options ...option) int {
	return s.patchWith(term.StatusPatch, name, options)
}

func (s *story) patchWith(verb term.Verb, name string, options []option) int {
	a := s.begin(verb, name, options)
	sent := s.changed(a, object{})
	for at, value := range a.sets {
		if value == nil && verb == term.MergePatch { // null takes away
			_ = path.Set(sent, parsePath(s.t, at), nil)
		}
	}
	return s.write(a, sent, s.changed(a, s.served(name, a.step.ViaRole)))
}

func (s *story) get(name string, options ...option) int {
	a := s.begin(term.Get, name, options)
	answer := history.Exchange{Method: "GET", Code: a.code, Message: a.message, Warnings: a.warnings}
	if answer.Succeeded() {
		answer.Answer, answer.Revision = s.blob(s.served(name, a.step.ViaRole)), s.revision[name]
	}
	s.record(a, history.Act, a.step.Via, answer)
	return a.step.Number
}

func (s *story) delete(name string, options ...option) int {
	a := s.begin(term.Delete, name, options)
	if a.code == 200 {
		s.gone(name)
	}
	s.record(a, history.Act, a.step.Via, history.Exchange{Method: "DELETE", Code: a.code, Message: a.message})
	s.look(a)
	return a.step.Number
}

// changed is the object with what the operation changes.
func (s *story) changed(a *act, was object) object {
	now := clone(s.t, was)
	all, err := a.step.Assignments()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, assign := range all {
		if assign.Value == nil {
			path.Remove(now, assign.Path)
		} else if err := path.Set(now, assign.Path, assign.Value); err != nil {
			s.t.Fatal(err)
		}
	}
	return now
}

// write lets the server store an object, and looks.
func (s *story) write(a *act, sent, whole object) int {
	name := a.step.Copy
	whole = s.admit(a, whole)
	x := history.Exchange{Code: a.code, Message: a.message, Warnings: a.warnings, Sent: s.blob(sent)}
	if a.code == 0 {
		x.Message, x.Error = "", a.message
	}
	if x.Succeeded() {
		s.keep(name, s.inStore(a.step.ViaRole, whole))
		x.Answer, x.Revision = s.blob(s.served(name, a.step.ViaRole)), s.revision[name]
	}
	s.record(a, history.Act, a.step.Via, x)
	s.look(a)
	return a.step.Number
}

// keep stores an object. A write that changes nothing is not stored, as in a
// real server.
func (s *story) keep(name string, o object) {
	o = clone(s.t, o)
	delete(o["metadata"].(object), "resourceVersion")
	if s.blob(o) == s.blob(s.stored[name]) {
		return
	}
	s.head++
	s.stored[name], s.revision[name] = o, s.head
	s.h.Changes = append(s.h.Changes, history.Change{Revision: s.head, Key: "/example/" + name, Value: s.blob(o)})
}

// store is a write that no step asked for: the servers' own.
func (s *story) store(name, at string, value any) {
	o := clone(s.t, s.stored[name])
	p := parsePath(s.t, at)
	if value == nil {
		path.Remove(o, p)
	} else if err := path.Set(o, p, value); err != nil {
		s.t.Fatal(err)
	}
	s.keep(name, o)
}

func (s *story) gone(name string) {
	s.head++
	delete(s.stored, name)
	s.h.Changes = append(s.h.Changes, history.Change{Revision: s.head, Key: "/example/" + name, Deleted: true})
}

// look GETs the copy through both replicas.
func (s *story) look(a *act) {
	if s.blind {
		return
	}
	for _, replica := range s.servers() {
		x := history.Exchange{Method: "GET", Code: 404, Message: a.step.Copy + " not found"}
		if s.stored[a.step.Copy] != nil {
			x = history.Exchange{Method: "GET", Code: 200, Revision: s.revision[a.step.Copy], Answer: s.blob(s.served(a.step.Copy, s.serving[replica]))}
		}
		s.record(a, history.Look, replica, x)
	}
}

func (s *story) record(a *act, purpose history.Purpose, replica string, x history.Exchange) {
	s.h.Operations = append(s.h.Operations, history.Operation{
		Step: a.step.Number, Copy: a.step.Copy, Purpose: purpose, Replica: replica, Role: s.serving[replica], Client: a.step.Client, Exchange: x,
	})
}

// edge LISTs the widgets through both replicas.
func (s *story) edge() int {
	number := s.step(plan.Step{Action: plan.Observe})
	for _, replica := range s.servers() {
		s.listing(number, replica)
	}
	return number
}

// list is a LIST that a line of the scenario asks for.
func (s *story) list(replica string, options ...option) int {
	a := s.begin(term.ListAll, "", append(options, via(replica)))
	s.listing(a.step.Number, replica)
	x := history.Exchange{Method: "GET", Code: a.code, Message: a.message, Warnings: a.warnings}
	if !x.Succeeded() {
		l := s.listed(a.step.Number, replica)
		l.Exchange, l.Items = x, nil
	}
	s.record(a, history.Act, replica, x)
	return a.step.Number
}

func (s *story) listing(step int, replica string) {
	l := history.Listing{
		Step: step, Replica: replica, Role: s.serving[replica], APIVersion: "example.dev/v1", Kind: "Widget",
		Exchange: history.Exchange{Method: "GET", Code: 200},
	}
	for _, name := range slices.Sorted(maps.Keys(s.stored)) {
		if s.stored[name]["kind"] == "Widget" {
			l.Items = append(l.Items, history.Item{Copy: name, Revision: s.revision[name], Answer: s.blob(s.served(name, l.Role))})
		}
	}
	s.h.Listings = append(s.h.Listings, l)
}

// served is the stored object as a release decodes it.
func (s *story) served(name string, role term.Role) object {
	o := s.read(role, s.stored[name])
	o["metadata"].(object)["resourceVersion"] = strconv.FormatInt(s.revision[name], 10)
	return o
}

func (s *story) prune(role term.Role, o object) object { return s.pruneBy(s.schemas[role], o) }

func (s *story) pruneBy(types *schema.Schema, o object) object {
	kind, ok := types.Kind(o["apiVersion"].(string), o["kind"].(string))
	if !ok {
		s.t.Fatalf("nothing publishes %s", o["kind"])
	}
	kept, _ := kind.Prune(clone(s.t, o))
	return kept
}

// blob records a body and returns its digest.
func (s *story) blob(body any) string {
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	digest := history.Digest(raw)
	s.h.Blobs[digest] = history.Blob{Digest: digest, JSON: raw}
	return digest
}

func clone(t testing.TB, o object) object {
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(raw))
}

// judge judges the story as it stands.
func (s *story) judge() (result.Result, result.Ledger) {
	return oracle.Judge(s.h, s.schemas)
}

// result judges the story without the ledger, which takes a fifth of the time.
func (s *story) result() result.Result { return oracle.Find(s.h, s.schemas)() }

// brief is a finding in a line.
func brief(f result.Finding) string {
	return fmt.Sprintf("%s %s %s %s %s %s %s in step %d (%s)", f.Check, f.Class, f.Rule, f.State, f.Cause, f.Copy, f.Path, f.Step, f.Stage)
}
