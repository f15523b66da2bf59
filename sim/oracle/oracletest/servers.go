package oracletest

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/schema"
)

// Servers are the replicas a and b, and the releases that they run. Its methods say what a release
// publishes, and what its servers do.
type Servers struct {
	Recording
	Schemas    oracle.Schemas
	Serving    map[string]term.Role // the releases of the replicas
	Behaviours map[term.Role]Behaviour
	OlderTypes *schema.Schema // of clients of a release before both
}

// Prefer sets the API version that a release prefers, and the versions that it serves.
func (s *Servers) Prefer(role term.Role, preferred string, served ...string) {
	r := s.History.Releases[role]
	r.Preferred = map[string]string{"example.dev": preferred}
	r.Schemas = map[string]string{}
	for _, version := range served {
		r.Schemas[version] = "x.json"
	}
	s.History.Releases[role] = r
}

// PublishV2 lets a release publish v2 of the widget, with the schema of v1.
func (s *Servers) PublishV2(role term.Role) {
	definitions := Definitions(role)
	v2 := Clone(s.T, definitions["dev.example.v1.Widget"].(Object))
	v2["x-kubernetes-group-version-kind"] = []any{Object{"group": "example.dev", "version": "v2", "kind": "Widget"}}
	definitions["dev.example.v2.Widget"] = v2
	s.Schemas[role] = Schema(s.T, Document(s.T, definitions))
}

// NamePlurals gives the resources of both releases their plural names.
func (s *Servers) NamePlurals() {
	for role, release := range s.History.Releases {
		for i := range release.Resources {
			release.Resources[i].Plural = strings.ToLower(release.Resources[i].Kind) + "s"
		}
		s.History.Releases[role] = release
	}
}

// Install records how the server of the last step answered the definition that it was given.
func (s *Servers) Install(role term.Role, one history.Installed) {
	one.Kind, one.Name = "Definition", "widgets.example.dev"
	s.History.Servers = append(s.History.Servers, history.Server{
		Step: s.Steps, Replica: "a", Role: role, Event: history.Ready, Seconds: 1, Installed: []history.Installed{one},
	})
}

// Behaviour is what a release does to objects, apart from dropping what its types lack: the work of
// defaults, strategies, validation and codecs in a real one. Each part may be nil.
type Behaviour struct {
	Decode   func(Object)              // turns the stored form, which Encode wrote, into the served one
	Default  func(Object)              // fills in values of all that it decodes
	Compute  func(Object)              // computes values of all that it serves
	Clear    func(now, was Object)     // clears values before the write; was is nil for a create
	Validate func(Object) (why string) // returns "" for a valid object
	Encode   func(Object)              // turns an object into its stored form
	Send     func(Object)              // removes what the release's typed clients do not send
	Unserved bool                      // the release does not serve the kind
}

// Replicas returns the replicas that serve the kind.
func (s *Servers) Replicas() []string {
	return slices.DeleteFunc([]string{"a", "b"}, func(replica string) bool { return s.Behaviours[s.Serving[replica]].Unserved })
}

// Unserve makes a release one that neither serves nor publishes the widget.
func (s *Servers) Unserve(role term.Role) {
	s.Behave(role, Behaviour{Unserved: true})
	definitions := Definitions(role)
	delete(definitions, "dev.example.v1.Widget")
	s.Schemas[role] = Schema(s.T, Document(s.T, definitions))
	release := s.History.Releases[role]
	release.Resources = slices.DeleteFunc(Resources(), func(r history.Resource) bool { return r.Kind == "Widget" })
	s.History.Releases[role] = release
}

// hooks calls the functions that are not nil.
func hooks(o Object, all ...func(Object)) Object {
	for _, hook := range all {
		if hook != nil {
			hook(o)
		}
	}
	return o
}

// read returns a stored object as a release serves it.
func (s *Servers) read(role term.Role, stored Object) Object {
	m := s.Behaviours[role]
	if m.Unserved {
		return Object{"metadata": Object{}}
	}
	o := hooks(Clone(s.T, stored), m.Decode)
	return hooks(s.Prune(role, o), m.Default, m.Compute)
}

// carried returns what the client's types keep of a body.
func (s *Servers) carried(a *Call, sent Object) Object {
	role, typed := a.Step.Client.Role()
	if !typed {
		return sent
	}
	if role == term.Older {
		return s.pruneBy(s.OlderTypes, sent)
	}
	return hooks(s.Prune(role, sent), s.Behaviours[role].Send)
}

// inStore returns the stored form of an object.
func (s *Servers) inStore(role term.Role, whole Object) Object {
	return hooks(whole, s.Behaviours[role].Encode)
}

// Behave sets what a release does to objects.
func (s *Servers) Behave(role term.Role, m Behaviour) {
	if s.Behaviours == nil {
		s.Behaviours = map[term.Role]Behaviour{}
	}
	s.Behaviours[role] = m
}

// Publish lets a release publish more members of the widget, by path below its properties.
func (s *Servers) Publish(role term.Role, members Object) {
	document := Document(s.T, Definitions(role))
	for name, of := range members {
		at := Path(s.T, `.components.schemas["dev.example.v1.Widget"].properties.`+name)
		if err := path.Set(document, at, Clone(s.T, of.(Object))); err != nil {
			s.T.Fatal(err)
		}
	}
	s.Schemas[role] = Schema(s.T, document)
}

// Exit ends a server in the step that was added last.
func (s *Servers) Exit(replica string) {
	s.History.Servers = append(s.History.Servers, history.Server{
		Step: s.Steps, Replica: replica, Role: s.Serving[replica], Version: s.History.Releases[s.Serving[replica]].Version,
		Event: history.Died, Message: "exit status 2",
	})
}

// Prune returns what the types of a release keep of an object.
func (s *Servers) Prune(role term.Role, o Object) Object { return s.pruneBy(s.Schemas[role], o) }

func (s *Servers) pruneBy(types *schema.Schema, o Object) Object {
	kind, ok := types.Kind(o["apiVersion"].(string), o["kind"].(string))
	if !ok {
		s.T.Fatalf("nothing publishes %s", o["kind"])
	}
	kept, _ := kind.Prune(Clone(s.T, o))
	return kept
}

// SetGate sets a feature gate of a release.
func (s *Servers) SetGate(role term.Role, name string, on bool) {
	release := s.History.Releases[role]
	release.Gates = maps.Clone(release.Gates)
	if release.Gates == nil {
		release.Gates = map[string]bool{}
	}
	release.Gates[name] = on
	s.History.Releases[role] = release
}

// Record adds an operation to the history.
func (s *Servers) Record(a *Call, purpose history.Purpose, replica string, x history.Exchange) {
	s.History.Operations = append(s.History.Operations, history.Operation{
		Step: a.Step.Number, Copy: a.Step.Copy, Purpose: purpose, Replica: replica, Role: s.Serving[replica], Client: a.Step.Client, Exchange: x,
	})
}

// DecodeAs turns an answer into what a client's types made of its bytes.
func (s *Servers) DecodeAs(x *history.Exchange, role term.Role, bytes string) {
	x.Answer, x.AnswerBytes = s.Blob(s.Prune(role, s.History.Object(x.Answer))), bytes
}

// Probe records a dry run with an unknown field, after a step.
func (s *Servers) Probe(step int, replica string, code int) {
	s.History.Operations = append(s.History.Operations, history.Operation{
		Step: step, Purpose: history.Probe, Replica: replica, Role: s.Serving[replica],
		Exchange: history.Exchange{Method: "PATCH", Code: code, Message: "field not declared"},
	})
}
