package oracle_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// mind is what a release does to objects beside leaving out what its types lack:
// what its defaults, its strategy, its validation and its codec are in a real
// one. Any part may be nil.
type mind struct {
	loads func(object)              // reads the stored form, which saves wrote
	fills func(object)              // fills in, whatever it decodes
	shows func(object)              // computes, whatever it serves
	drops func(now, was object)     // clears, on the way to the store; was is nil for a create
	takes func(object) (why string) // "" for an object that is valid
	saves func(object)
	sends func(object) // what its typed clients leave out
	gone  bool         // it does not serve the kind
}

// servers are the replicas that serve the kind.
func (s *story) servers() []string {
	return slices.DeleteFunc([]string{"a", "b"}, func(replica string) bool { return s.minds[s.serving[replica]].gone })
}

// unserve makes a release one that serves, and publishes, no widget.
func (s *story) unserve(role term.Role) {
	s.thinks(role, mind{gone: true})
	definitions := published(role)
	delete(definitions, "dev.example.v1.Widget")
	s.schemas[role] = schemaOf(s.t, documentOf(s.t, definitions))
	release := s.h.Releases[role]
	release.Resources = slices.DeleteFunc(resources(), func(r history.Resource) bool { return r.Kind == "Widget" })
	s.h.Releases[role] = release
}

// hooks runs those that there are.
func hooks(o object, all ...func(object)) object {
	for _, hook := range all {
		if hook != nil {
			hook(o)
		}
	}
	return o
}

// read is a stored object as a release serves it.
func (s *story) read(role term.Role, stored object) object {
	m := s.minds[role]
	if m.gone {
		return object{"metadata": object{}}
	}
	o := hooks(clone(s.t, stored), m.loads)
	return hooks(s.prune(role, o), m.fills, m.shows)
}

// admit is an object as the server has it after it read the body: what it makes
// of it, and whether it takes it.
func (s *story) admit(a *act, whole object) object {
	m := s.minds[a.step.ViaRole]
	if m.gone {
		return whole
	}
	whole = hooks(s.prune(a.step.ViaRole, whole), m.fills)
	var was object
	if stored := s.stored[a.step.Copy]; stored != nil {
		was = s.read(a.step.ViaRole, stored)
	}
	if m.drops != nil {
		m.drops(whole, was)
	}
	if m.takes != nil && a.code == 200 {
		if why := m.takes(whole); why != "" {
			a.code, a.message = 422, why
		}
	}
	return whole
}

// carried is what the client's types make of a body.
func (s *story) carried(a *act, sent object) object {
	role, typed := a.step.Client.Role()
	if !typed {
		return sent
	}
	if role == term.Older {
		return s.pruneBy(s.olderTypes, sent)
	}
	return hooks(s.prune(role, sent), s.minds[role].sends)
}

func (s *story) inStore(role term.Role, whole object) object {
	return hooks(whole, s.minds[role].saves)
}

// thinks gives a release a mind.
func (s *story) thinks(role term.Role, m mind) {
	if s.minds == nil {
		s.minds = map[term.Role]mind{}
	}
	s.minds[role] = m
}

// publish lets a release publish more of the widget than it does, by path below it.
func (s *story) publish(role term.Role, members object) {
	document := documentOf(s.t, published(role))
	for name, of := range members {
		at := parsePath(s.t, `.components.schemas["dev.example.v1.Widget"].properties.`+name)
		if err := path.Set(document, at, clone(s.t, of.(object))); err != nil {
			s.t.Fatal(err)
		}
	}
	s.schemas[role] = schemaOf(s.t, document)
}

// number and text are a member's value, 0 and "" where it has none.
func number(t testing.TB, o object, at string) int {
	v, _ := path.Get(o, parsePath(t, at))
	switch v := v.(type) {
	case float64:
		return int(v)
	case int:
		return v
	}
	return 0
}

func has(t testing.TB, o object, at string) bool {
	_, ok := path.Get(o, parsePath(t, at))
	return ok
}

// attempted is what a dry run is answered: validation judges writes alone.
func (s *story) attempted(name, replica string, what term.Attempt) history.Exchange {
	role := s.serving[replica]
	if takes := s.minds[role].takes; takes != nil && s.stored[name] != nil && what != term.DeleteAttempt {
		if why := takes(s.read(role, s.stored[name])); why != "" {
			return history.Exchange{Method: "PATCH", Code: 422, Message: why}
		}
	}
	return history.Exchange{Method: "PATCH", Code: 200}
}
