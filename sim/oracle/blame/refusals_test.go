package blame_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
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

// TestRefusedSinceTheNewTypesLackIt: the new release removes a field, and shows no stored value of it. A client with
// its types leaves the value out of a PUT, which the old server refuses. That is no stored value that the client left
// as it was. Near twins: clients that send the value back.
func TestRefusedSinceTheNewTypesLackIt(t *testing.T) {
	for client, cause := range map[term.Client]string{term.NewTyped: "client-omitted", term.OldTyped: "not-ratcheted", term.Dynamic: "not-ratcheted"} {
		run := oracletest.NewMixed(t)
		run.Publish(term.Old, oracletest.Object{oracletest.LampPath: lampOf(false)})
		later := lampOf(false)
		delete(later["properties"].(oracletest.Object), "gas")
		run.Publish(term.New, oracletest.Object{oracletest.LampPath: later})
		run.Create("bystander-1", `{"colour": "red", "lamp": {"gas": 1, "oil": 1}}`, oracletest.Via("b"))
		put := run.Put("bystander-1", oracletest.By(client), oracletest.ReadVia("b"), oracletest.Via("b"), oracletest.RefusedAsInvalid())
		invalid(run, run.Exchange(put, history.Act, "b"), "spec.lamp")
		res, _ := run.Judge()
		var causes []string
		for _, f := range res.Findings {
			if f.Outcome == term.Refused {
				causes = append(causes, string(f.Cause))
			}
		}
		assert.Equal(t, []string{cause}, causes, client)
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

// Where the new release serves another version than the copy's own, the schema of the version that is called shows what
// a server drops: all of it is there, and nothing was dropped. Near twin: that version lacks the field.
func TestRefusedInTheVersionThatIsServed(t *testing.T) {
	for lacks, want := range map[bool]string{false: "unattributed", true: "union-emptied"} {
		run := oracletest.NewRun(t)
		run.PublishV2(term.Old)
		run.PublishV2(term.New)
		run.Create("bystander-1", `{"colour": "a!"}`, oracletest.Via("b"))
		run.Create("bystander-2", `{"colour": "a!"}`, oracletest.Via("b"))
		run.NameVersion(run.Patch("bystander-1", oracletest.Via("b")), "example.dev/v2")
		run.Stage("upgrading 1/2", term.New, term.Old)
		refused := run.NameVersion(run.Patch("bystander-2", oracletest.Via("a"), oracletest.RefusedAsInvalid()), "example.dev/v2")
		objects(run, refused, history.Act, "a", "spec.colour", "FieldValueInvalid")
		run.Schemas[term.New] = onlyV2(t, lacks)
		run.History.Operations = slices.DeleteFunc(run.History.Operations, func(op history.Operation) bool {
			return op.Purpose == history.Look && op.Role == term.New // which is of v1
		})
		run.ExpectFindings(`rule-1 violation rule-1 refused ` + want + ` bystander-2  in step 6 (upgrading 1/2)`)
	}
}

// onlyV2 returns what a release publishes that serves the widget in v2 alone, there without its colour or with it.
func onlyV2(t *testing.T, colourless bool) *schema.Schema {
	definitions := oracletest.Definitions(term.New)
	widget := definitions["dev.example.v1.Widget"].(oracletest.Object)
	delete(definitions, "dev.example.v1.Widget")
	definitions["dev.example.v2.Widget"] = widget
	widget["x-kubernetes-group-version-kind"] = []any{oracletest.Object{"group": "example.dev", "version": "v2", "kind": "Widget"}}
	if colourless {
		delete(widget["properties"].(oracletest.Object)["spec"].(oracletest.Object)["properties"].(oracletest.Object), "colour")
	}
	return oracletest.Schema(t, oracletest.Document(t, definitions))
}
