package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// toSecondLeg begins the run of a chain's leg on its way back, which begins at stage new
// with a copy that an earlier leg made: it is found as some server stored it then. Only
// the new release knows lamps of gas.
func toSecondLeg(t *testing.T, name string) *oracletest.Run {
	run := oracletest.NewRun(t, term.Rollback)
	run.Publish(term.New, oracletest.Object{oracletest.LampPath: lampOf(false)})
	old := lampOf(false)
	delete(old["properties"].(oracletest.Object), "gas")
	run.Publish(term.Old, oracletest.Object{oracletest.LampPath: old})
	p := &run.History.Header.Plan
	p.Leg, p.Stages, run.Steps = &plan.Leg{}, nil, 0
	run.Stage("new", term.New, term.New)
	p.Copies = append(p.Copies, plan.Copy{Name: name, Object: "widget", Role: term.Treated, Manifest: "widget", Leg: 1})
	run.Keep(name, oracletest.Object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": oracletest.Object{"name": name}, "spec": oracletest.Parse(t, `{"colour": "red", "lamp": {"gas": 1}}`)})
	run.Get(name, func(a *oracletest.Call) {
		a.Step.Birth, a.Step.Adopts = true, []string{".spec.colour", ".spec.lamp.gas"}
	})
	return run
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
			run := toSecondLeg(t, "treated-1")
			run.Create("bystander-1", oracletest.PlainSpec)
			run.Put("bystander-1", oracletest.By(c.client))
			put := run.Put("treated-1", oracletest.By(c.client), oracletest.RefusedAsInvalid())
			invalid(run, run.Exchange(put, history.Act, "a"), c.field)
			run.ExpectFindings(c.findings...)
		})
	}
}

// lampOfOldIsOil begins a run in which only the new release knows lamps of gas.
func lampOfOldIsOil(t *testing.T, union bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Publish(term.New, oracletest.Object{oracletest.LampPath: lampOf(union)})
	old := lampOf(union)
	delete(old["properties"].(oracletest.Object), "gas")
	run.Publish(term.Old, oracletest.Object{oracletest.LampPath: old})
	return run
}

// A server refuses an object since a client did not send back what it holds: its types
// could not carry it, or it had not been shown it. That shows at the field that the
// server names. Else the server refuses what was there before, for another reason.
func TestRefusedSinceNotSentBack(t *testing.T) {
	const omitted, hidden, notRatcheted = "client-omitted", "read-hidden", "not-ratcheted"
	for name, c := range map[string]struct {
		client       term.Client
		field, cause string
		read         string
	}{
		"types without it":        {term.OldTyped, "spec.lamp", omitted, "a"},
		"a field above it":        {term.OldTyped, "spec", omitted, "a"},
		"another field":           {term.OldTyped, "spec.colour", notRatcheted, "a"},
		"a field that is not":     {term.OldTyped, "spec.shade", notRatcheted, "a"},
		"a client that sends all": {term.NewTyped, "spec.lamp", notRatcheted, "a"},
		"a read that hides it":    {term.Dynamic, "spec.lamp", hidden, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			run := lampOfOldIsOil(t, false)
			run.Create("treated-1", `{"colour": "red", "lamp": {"gas": 1}}`, oracletest.Via("a"))
			put := run.Put("treated-1", oracletest.By(c.client), oracletest.ReadVia(c.read), oracletest.Via("a"), oracletest.RefusedAsInvalid())
			invalid(run, run.Exchange(put, history.Act, "a"), c.field)
			run.ExpectFindings(`answers violation rule-5 refused ` + c.cause + ` treated-1  in step 4 (upgrading 1/2)`)
		})
	}
}

// A server that refuses what its own drop has left says what it misses, and not that it
// dropped what was there. That it did shows in what was sent, at the field that it names.
func TestRefusedSinceEmptied(t *testing.T) {
	const refused = `answers impact lifecycle refused union-emptied treated-3  in step 8 (upgrading 1/2)`
	const seen = `answers impact lifecycle refused unattributed treated-3  in step 8 (upgrading 1/2)` // it sends the member as well
	const unclear = `answers violation rule-5 refused unattributed treated-3  in step 8 (upgrading 1/2)`
	for name, c := range map[string]struct{ spec, field, want string }{
		"what the drop has left": {`{"lamp": {"gas": 1}}`, "spec.lamp", refused},
		"another field":          {`{"lamp": {"gas": 1}, "colour": "red"}`, "spec.colour", unclear},
		"something is left":      {`{"lamp": {"gas": 1, "oil": 1}}`, "spec.lamp", seen},
		"it was sent empty":      {`{"lamp": {}, "colour": "red"}`, "spec.lamp", unclear},
	} {
		t.Run(name, func(t *testing.T) {
			run := lamps(t, true)
			created := run.Create("treated-3", c.spec, oracletest.Via("b"), oracletest.RefusedAsInvalid())
			invalid(run, run.Exchange(created, history.Act, "b"), c.field)
			run.Create("treated-4", `{"lamp": {"gas": 1}}`, oracletest.Via("a")) // the new release takes it, and the old one keeps it
			run.Patch("treated-4", oracletest.Via("b"))
			run.ExpectFindings(c.want)
		})
	}
	run := lamps(t, true)
	created := run.Create("treated-3", `{"lamp": {"gas": 1}}`, oracletest.Via("b"), oracletest.RefusedAsInvalid())
	x := run.Exchange(created, history.Act, "b")
	invalid(run, x, "spec.lamp")
	x.Answer = run.Edited(x.Answer, ".details.causes[0].message", "Invalid value: 1: must be more") // so it was seen
	run.Create("treated-4", `{"lamp": {"gas": 1}}`, oracletest.Via("a"))
	run.Patch("treated-4", oracletest.Via("b"))
	run.ExpectFindings(seen)
}
