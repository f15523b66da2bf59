package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// wayBack begins the story of a chain's leg on its way back, which begins at stage new
// with a copy that an earlier leg made: it is found as some server stored it then. Only
// the new release knows lamps of gas.
func wayBack(t *testing.T, name string) *story {
	s := tell(t, term.Rollback)
	s.publish(term.New, object{lamp: lampOf(false)})
	old := lampOf(false)
	delete(old["properties"].(object), "gas")
	s.publish(term.Old, object{lamp: old})
	p := &s.h.Header.Plan
	p.Leg, p.Stages, s.steps = &plan.Leg{}, nil, 0
	s.stage("new", term.New, term.New)
	p.Copies = append(p.Copies, plan.Copy{Name: name, Object: "widget", Role: term.Treated, Manifest: "widget", Leg: 1})
	s.keep(name, object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": object{"name": name}, "spec": parse(t, `{"colour": "red", "lamp": {"gas": 1}}`)})
	s.get(name, func(a *act) { a.step.Birth, a.step.Adopts = true, []string{".spec.colour", ".spec.lamp.gas"} })
	return s
}

// An old client cannot carry what a copy of an earlier leg holds, and the server refuses
// what is left: as on a copy that this leg has made, at the leg's first stage too.
func TestRefusedOfAnEarlierLeg(t *testing.T) {
	const refused = ` refused client-omitted treated-1  in step 5 (new)`
	for name, c := range map[string]struct {
		client   term.Client
		field    string
		findings []string
	}{
		"types without it":        {term.OldTyped, "spec.lamp", []string{`rule-5 violation rule-5` + refused}},
		"a client that sends all": {term.NewTyped, "spec.lamp", []string{`answers violation rule-5 refused not-ratcheted treated-1  in step 5 (new)`}},
		"another field":           {term.OldTyped, "spec.colour", []string{`rule-5 violation rule-5 refused not-ratcheted treated-1  in step 5 (new)`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := wayBack(t, "treated-1")
			s.create("bystander-1", plainSpec)
			s.put("bystander-1", by(c.client))
			put := s.put("treated-1", by(c.client), refusedAs())
			s.invalid(s.recorded(put, history.Act, "a"), c.field)
			s.finds(c.findings...)
		})
	}
}
