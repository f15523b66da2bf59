package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// discovered makes a step one of a client that discovers.
func (s *story) discovered(step int, word term.Discovery, from term.Role) int {
	s.stepOf(step, func(p *plan.Step) { p.APIVersion, p.Discovers = string(word), from })
	return step
}

// prefers says what the releases prefer, and serve.
func (s *story) prefers(role term.Role, preferred string, served ...string) {
	r := s.h.Releases[role]
	r.Preferred = map[string]string{"example.dev": preferred}
	r.Schemas = map[string]string{}
	for _, version := range served {
		r.Schemas[version] = "x.json"
	}
	s.h.Releases[role] = r
}

// A version that is preferred by the release that introduces it: who discovers
// it there is answered 404 elsewhere; who keeps it, after the rollback too. Once
// the old release serves it, the same calls are answered.
func TestPreferredAtOnce(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	play := func(preferred string, oldServes ...string) *story {
		s := tell(t, term.Upgrade, term.Rollback)
		s.prefers(term.Old, v1, oldServes...)
		s.prefers(term.New, preferred, v1, v2)
		code := func(*act) {}
		if preferred == v2 && len(oldServes) == 1 {
			code = refused(404, "the server could not find the requested resource")
		}
		s.create("control-1", plainSpec)
		s.create("control-2", plainSpec)
		s.create("bystander-1", plainSpec)
		s.create("bystander-2", plainSpec)
		s.create("bystander-3", plainSpec)
		s.discovered(s.put("control-1"), term.Preferred, term.Old)
		s.discovered(s.put("control-2"), term.OncePreferred, term.Old)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		s.discovered(s.put("bystander-1", read("a"), via("b"), code), term.Preferred, term.New) // step 11
		s.stage("rolled-back", term.Old, term.Old)
		kept := s.discovered(s.put("bystander-2", read("a"), via("b"), code), term.OncePreferred, term.New) // step 13
		if preferred == v2 && len(oldServes) == 1 {                                                         // nothing is written where nothing can be read
			fails(s.recorded(kept, history.Read, "a"), 404, "the server could not find the requested resource")
			s.unmade(kept)
		}
		s.discovered(s.put("bystander-3"), term.Preferred, term.Old)
		s.edge()
		return s
	}
	play(v1, v1).finds()
	play(v2, v1, v2).finds()
	play(v2, v1).finds(
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 11 (upgrading 1/2)`,
		`rule-1 violation rule-1 refused version-not-served bystander-2  in step 13 (rolled-back)`)
}

// A version of the group that does not serve the kind answers 404, which says nothing of
// what is stored. Near miss: it serves the kind, so the object is gone.
func TestVersionServedWithoutTheKind(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	for serves, want := range map[bool][]string{
		false: {`answers violation rule-1 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`},
		true:  {`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`},
	} {
		s := tell(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			s.prefers(role, v1, v1, v2)
			if role == term.New || serves {
				s.publishV2(role)
			}
		}
		s.create("bystander-1", plainSpec)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		put := s.discovered(s.put("bystander-1", read("b"), via("b")), term.OncePreferred, term.New) // step 5
		fails(s.recorded(put, history.Read, "b"), 404, "the server could not find the requested resource")
		s.unmade(put)
		release := s.h.Releases[term.New]
		release.Preferred = map[string]string{"example.dev": v2}
		s.h.Releases[term.New] = release
		s.edge()
		s.finds(want...)
	}
}

// unmade takes out the act of a step that came no further than its read.
func (s *story) unmade(step int) {
	s.h.Operations = slices.DeleteFunc(s.h.Operations, func(o history.Operation) bool {
		return o.Step == step && o.Purpose != history.Read
	})
}

// publishV2 lets a release publish v2 of the widget, as v1 is.
func (s *story) publishV2(role term.Role) {
	definitions := published(role)
	v2 := clone(s.t, definitions["dev.example.v1.Widget"].(object))
	v2["x-kubernetes-group-version-kind"] = []any{object{"group": "example.dev", "version": "v2", "kind": "Widget"}}
	definitions["dev.example.v2.Widget"] = v2
	s.schemas[role] = schemaOf(s.t, documentOf(s.t, definitions))
}

// A client that takes the version which the new release prefers is answered 404 by an old
// server. Where the old release serves the kind in another version, discovery has led the
// client astray, whatever the object uses: that breaks rule-1. Where the old release serves
// the kind in no version, the client uses what came with the new release.
func TestDiscoveredVersionThatIsNotServed(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	play := func(name, spec string, oldServes bool, options ...option) *story {
		s := tell(t, term.Upgrade, term.Rollback)
		s.prefers(term.Old, v1, v1)
		s.prefers(term.New, v2, v1, v2)
		s.publishV2(term.New)
		if !oldServes {
			old := s.h.Releases[term.Old]
			old.Resources = slices.DeleteFunc(resources(), func(r history.Resource) bool { return r.Kind == "Widget" })
			s.h.Releases[term.Old] = old
		}
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create(name, spec)
		s.stage("rolled-back", term.Old, term.Old)
		gone := []option{refused(404, "the server could not find the requested resource"), via("b")}
		s.discovered(s.get(name, append(gone, options...)...), term.OncePreferred, term.New) // step 5
		return s
	}
	const (
		led   = `answers violation rule-1 refused version-not-served %s  in step 5 (rolled-back)`
		ahead = `answers impact rule-3 refused version-not-served %s  in step 5 (rolled-back)`
	)
	for _, name := range []string{"bystander-1", "treated-1"} {
		spec := map[string]string{"bystander-1": plainSpec, "treated-1": onlyShine}[name]
		for _, client := range []term.Client{term.Dynamic, term.OldTyped} {
			play(name, spec, true, by(client)).finds(fmt.Sprintf(led, name))
			play(name, spec, false, by(client)).finds(fmt.Sprintf(ahead, name))
			play(name, spec, true, by(client), respond(scenarios.Respond{Code: 404})).finds()
		}
	}
}

// named makes a step one whose line names an API version.
func (s *story) named(step int, version string) int {
	s.stepOf(step, func(p *plan.Step) { p.APIVersion = version })
	return step
}

// A line that names a version which came with the new release is answered 404 by an old
// server, which is an impact of who asks for it; an expectation meets it, or a respond.
// Near misses: a version that the old release serves too; one that the new release no
// longer serves, which breaks who asked for it; and any other answer.
func TestNamedVersionThatIsNotServed(t *testing.T) {
	const v1, v2 = "example.dev/v1", "example.dev/v2"
	gone := refused(404, "the server could not find the requested resource")
	play := func(old, new []string, via string, options ...option) *story {
		s := tell(t, term.Upgrade)
		s.prefers(term.Old, v1, old...)
		s.prefers(term.New, v1, new...)
		for role, served := range map[term.Role][]string{term.Old: old, term.New: new} {
			if slices.Contains(served, v2) {
				s.publishV2(role)
			}
		}
		s.create("bystander-1", plainSpec)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		s.named(s.get("bystander-1", append(options, func(a *act) { a.step.Via = via })...), v2) // step 5
		s.edge()
		return s
	}
	both, one := []string{v1, v2}, []string{v1}
	const ahead = `answers impact rule-3 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`
	play(one, both, "b", gone).finds(ahead)
	play(nil, both, "b", gone).finds(ahead) // it serves none of the versions that the plan asks for
	play(one, both, "b", gone, respond(scenarios.Respond{Code: 404})).finds()
	play(one, both, "a").finds()
	play(both, both, "b", gone).finds(`answers violation rule-1 refused unattributed bystander-1  in step 5 (upgrading 1/2)`)
	play(both, one, "a", gone).finds(`answers violation rule-1 refused version-not-served bystander-1  in step 5 (upgrading 1/2)`)
	play(one, both, "b", refused(500, "oops")).finds(`answers violation rule-1 failed unattributed bystander-1  in step 5 (upgrading 1/2)`)
}
