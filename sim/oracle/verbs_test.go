package oracle_test

import (
	"maps"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// edit is a change of what is stored, or sent.
type edit func(t testing.TB, o object)

// with sets a path, or takes it away when the value is nil.
func with(at string, value any) edit {
	return func(t testing.TB, o object) {
		p := parsePath(t, at)
		if value == nil {
			path.Remove(o, p)
		} else if err := path.Set(o, p, value); err != nil {
			t.Fatal(err)
		}
	}
}

// does plays any verb on a copy: it sends the body, and the server makes of what
// it had stored what the edits say. Verbs that read do so first.
func (s *story) does(verb term.Verb, name string, body any, edits []edit, options ...option) int {
	s.t.Helper()
	a := s.begin(verb, name, options)
	if verb.Reads() {
		if a.step.Read == "" {
			s.t.Fatalf("%s reads: say through whom", verb)
		}
		s.record(a, history.Read, a.step.Read, history.Exchange{
			Method: "GET", Code: 200, Answer: s.blob(s.served(name, a.step.ReadRole)), Revision: s.revision[name],
		})
	}
	whole := s.changed(a, s.served(name, a.step.ViaRole))
	for _, e := range edits {
		e(s.t, whole)
	}
	s.write(a, object{}, whole)
	s.recorded(a.step.Number, history.Act, a.step.Via).Sent = s.blob(body)
	return a.step.Number
}

func manager(name string) option { return func(a *act) { a.step.Manager = name } }

// gates is what a release says of its feature gates.
func (s *story) gates(role term.Role, name string, on bool) {
	release := s.h.Releases[role]
	release.Gates = maps.Clone(release.Gates)
	if release.Gates == nil {
		release.Gates = map[string]bool{}
	}
	release.Gates[name] = on
	s.h.Releases[role] = release
}

// alpha says which of a release's feature gates are alpha.
func (s *story) alpha(role term.Role, names ...string) {
	release := s.h.Releases[role]
	release.Alpha = names
	s.h.Releases[role] = release
}

// applied makes a stored object say that a manager has applied these fields.
func (s *story) applied(name, manager string, fields object) {
	s.store(name, ".metadata.managedFields", []any{object{"manager": manager, "operation": "Apply", "apiVersion": "example.dev/v1", "fieldsType": "FieldsV1", "fieldsV1": fields}})
}

// step returns a planned step, for a test to bend.
func (s *story) planned(number int) *plan.Step {
	s.t.Helper()
	for i := range s.h.Header.Plan.Stages {
		for j := range s.h.Header.Plan.Stages[i].Steps {
			if at := &s.h.Header.Plan.Stages[i].Steps[j]; at.Number == number {
				return at
			}
		}
	}
	s.t.Fatalf("no step %d", number)
	return nil
}

// spec is a body with nothing but these members of .spec.
func spec(of object) object {
	return object{"apiVersion": "example.dev/v1", "kind": "Widget", "spec": of}
}

func parts(elements ...any) object { return spec(object{"parts": elements}) }

func part(name string, count int) object { return object{"name": name, "count": count} }
