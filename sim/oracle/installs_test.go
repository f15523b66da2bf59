package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
)

// ofManifests makes both releases such that bring the definition of the widget.
func ofManifests(t *testing.T) *story {
	s := tell(t)
	s.plurals()
	for role, release := range s.h.Releases {
		release.Defines = []string{"widgets.example.dev"}
		s.h.Releases[role] = release
	}
	s.installs(term.Old, history.Installed{Code: 200, Stored: []string{"v1"}})
	return s
}

// installs records how the definition was answered that the server of the last step was given.
func (s *story) installs(role term.Role, one history.Installed) {
	one.Kind, one.Name = "Definition", "widgets.example.dev"
	s.h.Servers = append(s.h.Servers, history.Server{
		Step: s.steps, Replica: "a", Role: role, Event: history.Ready, Seconds: 1, Installed: []history.Installed{one},
	})
}

// A manifest that the server does not take is reported, and why; one that it takes is not.
func TestRefusedManifests(t *testing.T) {
	for name, c := range map[string]struct {
		one  history.Installed
		want []string
	}{
		"taken": {history.Installed{Code: 200, Stored: []string{"v1", "v2"}, Versions: []string{"v1", "v2"}}, nil},
		"stored in a version that it lacks": {
			history.Installed{Code: 422, Message: "v2 must remain", Stored: []string{"v1", "v2"}, Versions: []string{"v1"}},
			[]string{"installs violation installs refused storage-version   in step 3 (rolled-back)"}},
		"for another reason": {
			history.Installed{Code: 422, Message: "immutable", Stored: []string{"v1"}, Versions: []string{"v1"}},
			[]string{"installs violation installs refused unattributed   in step 3 (rolled-back)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := ofManifests(t)
			s.stage("new", term.New, term.New)
			s.installs(term.New, history.Installed{Code: 200, Stored: []string{"v1", "v2"}})
			s.stage("rolled-back", term.Old, term.Old)
			s.installs(term.Old, c.one)
			s.create("bystander-1", twoParts)
			s.finds(c.want...)
		})
	}
}

// Where a rollback is refused, the servers go on with the new definition: what an old
// client drops there, no server prunes, and the new field is hidden from nobody.
func TestRefusedRollback(t *testing.T) {
	for _, refused := range []bool{false, true} {
		s := ofManifests(t)
		s.stage("new", term.New, term.New)
		s.installs(term.New, history.Installed{Code: 200})
		s.create("treated-1", onlyShine)
		serves, one, cause := term.Old, history.Installed{Code: 200}, "pruned"
		if refused {
			serves, one, cause = term.New, history.Installed{Code: 422, Message: "no"}, "client-omitted"
		}
		s.stage("rolled-back", serves, serves)
		at := s.steps
		s.installs(term.Old, one)
		s.put("treated-1", by(term.OldTyped))
		s.calledOld(at)
		s.stage("re-upgraded", term.New, term.New)
		s.installs(term.New, history.Installed{Code: 200})
		s.edge()
		want := []string{"nothing-lost impact rule-6 lost " + cause + " treated-1 .spec.shine in step 5 (rolled-back)"}
		if refused {
			want = append([]string{"installs violation installs refused unattributed   in step 4 (rolled-back)"}, want...)
		}
		s.finds(want...)
	}
}

// calledOld calls all servers from a step on by the name of the old release.
func (s *story) calledOld(from int) {
	stages := s.h.Header.Plan.Stages
	for i := range stages[len(stages)-1].Steps {
		step := &stages[len(stages)-1].Steps[i]
		if step.ViaRole != "" {
			step.ViaRole = term.Old
		}
		if step.ReadRole != "" {
			step.ReadRole = term.Old
		}
	}
	for i := range s.h.Operations {
		if s.h.Operations[i].Step >= from {
			s.h.Operations[i].Role = term.Old
		}
	}
}

// A definition that loses a field prunes as it is read. Of a kind that is no custom
// resource nothing says why a value is not served.
func TestPrunedOnRead(t *testing.T) {
	for _, custom := range []bool{true, false} {
		s := ofManifests(t)
		cause := "pruned"
		if !custom {
			cause = "unattributed"
			for role, release := range s.h.Releases {
				release.Defines = nil
				s.h.Releases[role] = release
			}
		}
		document := documentOf(t, published(term.New))
		path.Remove(document, parsePath(t, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.colour`))
		s.schemas[term.New] = schemaOf(t, document)
		s.create("bystander-1", `{"colour": "red"}`)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		res, _ := s.judge()
		if len(res.Findings) == 0 || res.Findings[0].Path != ".spec.colour" || res.Findings[0].State != term.Lost || string(res.Findings[0].Cause) != cause {
			t.Errorf("custom %v: %v", custom, res.Findings)
		}
	}
}

// Where the manifests were forgotten, only clients are new: what they send of the change
// is pruned, and that is an impact. What nobody's types have is not one.
func TestForgottenManifests(t *testing.T) {
	for _, forgotten := range []bool{true, false} {
		s := ofManifests(t)
		want := "nothing-lost violation rule-3 not-accepted pruned treated-1 .spec.shine in step 3 (new)"
		if forgotten {
			want = "nothing-lost impact rule-3 not-accepted pruned treated-1 .spec.shine in step 3 (new)"
			s.schemas[oracle.OfClients(term.New)] = s.schemas[term.New]
		}
		s.schemas[term.New] = s.schemas[term.Old]
		s.stage("new", term.New, term.New)
		s.create("treated-1", onlyShine)
		s.finds(want)
	}
}

// A rollback that is refused leaves the new definition up to the end of the run.
func TestRefusedRollbackUpToTheEnd(t *testing.T) {
	for _, refused := range []bool{false, true} {
		s := ofManifests(t)
		s.stage("new", term.New, term.New)
		s.installs(term.New, history.Installed{Code: 200})
		s.create("treated-1", onlyShine)
		serves, one := term.Old, history.Installed{Code: 200}
		if refused {
			serves, one = term.New, history.Installed{Code: 422}
		}
		s.stage("rolled-back", serves, serves)
		at := s.steps
		s.installs(term.Old, one)
		s.put("treated-1", by(term.OldTyped))
		s.calledOld(at)
		if !refused {
			s.finds() // nothing that has the field reads it again
			continue
		}
		s.finds(`installs violation installs refused unattributed   in step 4 (rolled-back)`,
			`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 5 (rolled-back)`)
	}
}
