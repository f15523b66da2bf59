package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/storage"
)

// The right edits of an API, and the mistakes that each can be made with. In most of these runs the
// new release adds .spec.breadth, whose default is published, and computes .status.extent from it;
// the old one computes that from .spec.length alone, which both have.

// travel plays the journey with copies of every role, up to the last upgrade.
func travel(run *oracletest.Run, plain, change string) *oracletest.Run {
	run.Create("control-1", plain)
	run.Create("control-2", plain, oracletest.Via("b"))
	run.Patch("control-1")
	run.Put("control-2", oracletest.ReadVia("a"), oracletest.Via("b"))
	run.Observe()
	run.DryRuns("control-1")
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Observe() // step 9
	run.Create("bystander-1", plain)
	run.Create("bystander-2", plain, oracletest.Via("b"))
	run.Create("treated-1", change)
	run.Create("treated-2", change, oracletest.Via("b"))
	run.Create("untouched-1", change)
	ifThere(run, run.Patch, "bystander-1")
	ifThere(run, run.Put, "bystander-2", oracletest.ReadVia("b"), oracletest.Via("a"))
	ifThere(run, run.Patch, "treated-1", oracletest.Via("b")) // step 17, where all were made
	run.Observe()
	run.Stage("new", term.New, term.New)
	run.Observe()
	run.Create("bystander-3", plain)
	run.Create("treated-3", change)
	ifThere(run, run.Put, "bystander-3", oracletest.ReadVia("a"), oracletest.Via("b"))
	run.Observe()
	run.DryRuns("control-1")
	run.Stage("rolled-back", term.Old, term.Old)
	run.Observe() // step 27
	ifThere(run, run.Patch, "bystander-3", oracletest.Via("b"))
	ifThere(run, run.Patch, "treated-3", oracletest.Via("b"))
	run.Observe()
	run.Stage("re-upgraded", term.New, term.New)
	run.Observe()
	return run.StoreAs(storage.JSON)
}

// ifThere touches a copy that some server has made.
func ifThere(run *oracletest.Run, touch func(string, ...oracletest.Option) int, name string, options ...oracletest.Option) {
	if run.Stored[name] != nil {
		touch(name, options...)
	}
}

// The right edit has impacts on those that use the field, and nothing else: that
// the default appears on the others, nobody sent and the old release does not show.
func TestFieldAdded(t *testing.T) {
	travel(oracletest.NewAddedField(t, 1, oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 1)}), oracletest.NarrowSpec, oracletest.WideSpec).ExpectFindings(
		`nothing-lost impact rule-3 dropped unknown-field treated-2 .spec.breadth in step 13 (upgrading 1/2)`,
		`nothing-lost impact rule-6 changed defaulted treated-1 .spec.breadth in step 17 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.breadth in step 17 (upgrading 1/2)`,
		`nothing-lost impact rule-6 changed defaulted treated-3 .spec.breadth in step 29 (rolled-back)`,
		`nothing-lost impact rule-6 lost unknown-field treated-3 .spec.breadth in step 29 (rolled-back)`,
		`resurrection impact resurrection resurrected unattributed untouched-1 .spec.breadth in step 32 (re-upgraded)`)
}

// A field that must be sent: what did not know it is refused, and what was
// stored without it is frozen. These are two promises, and two facts.
func TestFieldRequired(t *testing.T) {
	run := oracletest.NewAddedField(t, nil, oracletest.Behaviour{Validate: func(o oracletest.Object) string {
		if oracletest.Has(t, o, ".spec.breadth") {
			return ""
		}
		return "breadth: Required"
	}})
	travel(run, oracletest.NarrowSpec, oracletest.WideSpec).ExpectViolations(
		`rule-1 violation rule-1 refused unattributed bystander-1  in step 10 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-2  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-3  in step 20 (new) via new`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 23 (new) via new`)
}

// Validation that is tightened: what it still takes goes on as before.
func TestFieldRefused(t *testing.T) {
	low := oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 1), Validate: func(o oracletest.Object) string {
		if oracletest.Number(t, o, ".spec.length") <= 100 {
			return ""
		}
		return "length: must be at most 100"
	}}
	travel(oracletest.NewAddedField(t, 1, low), oracletest.NarrowSpec, oracletest.WideSpec).ExpectViolations()
	travel(oracletest.NewAddedField(t, 1, low), `{"length": 101}`, oracletest.WideSpec).ExpectViolations(
		`rule-1 violation rule-1 refused unattributed bystander-1  in step 10 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-2  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-3  in step 20 (new) via new`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 23 (new) via new`)
}

// A default by which objects mean something else than before. Nobody has to
// write them: the new release serves what is stored otherwise. A create shows
// of itself, and the rollback, after which all is as it was, of nothing.
func TestDefaultOfAnotherMeaning(t *testing.T) {
	res := travel(oracletest.NewAddedField(t, 2, oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 2)}), oracletest.NarrowSpec, oracletest.WideSpec).ExpectViolations(
		`rule-2 violation rule-2 changed unattributed control-1 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed control-1 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed control-2 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed control-2 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-1 .status.extent in step 10 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed bystander-1 .status.extent in step 10 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-2 .status.extent in step 11 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed bystander-2 .status.extent in step 11 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-3 .status.extent in step 21 (new) via new`)
	oracletest.ExpectOnlyMessage(t, result.Result{Findings: res.Findings[1:2]},
		`Widget control-1: what .status.extent is depends on which replica answers: at upgrading 1/2, of one stored value, a (v2.0.0) serves 6 in step 9, and b (v1.0.0) serves 3 in step 9; violation under rule-2`)
	oracletest.ExpectOnlyMessage(t, result.Result{Findings: res.Findings[:1]},
		`Widget control-1: a (v2.0.0) serves .status.extent = 6 in step 9 (upgrading 1/2), and of the same stored value a (v1.0.0) serves 3 in step 4 (old): a call that does not use the change behaves as before; violation under rule-2`)
}

// flattens makes a release one whose types do not distinguish a zero from none: its
// server fills in the default for it, and its clients do not send it.
func flattens(t testing.TB) oracletest.Behaviour {
	is := func(o oracletest.Object) bool {
		return oracletest.Has(t, o, ".spec.breadth") && oracletest.Number(t, o, ".spec.breadth") == 0
	}
	return oracletest.Behaviour{
		Default: func(o oracletest.Object) {
			if is(o) || !oracletest.Has(t, o, ".spec.breadth") {
				oracletest.With(".spec.breadth", 1)(t, o)
			}
		},
		Send: func(o oracletest.Object) {
			if is(o) {
				oracletest.With(".spec.breadth", nil)(t, o)
			}
		},
	}
}

// A zero of the change is a value as any other. What a server that has the field
// makes of it, and what its own types leave out, is no impact.
func TestZeroOfTheChange(t *testing.T) {
	const flat = `{"colour": "Red", "length": 3, "breadth": 0}`
	play := func(m oracletest.Behaviour) *oracletest.Run {
		run := oracletest.NewAddedField(t, 1, m)
		run.History.Header.Plan.Manifests["flat"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: oracletest.Spec(oracletest.Parse(t, flat))}
		travel(run, oracletest.NarrowSpec, flat)
		run.Create("treated-4", flat, oracletest.Of("flat"), oracletest.By(term.NewTyped))
		run.Create("treated-5", oracletest.WideSpec, oracletest.By(term.NewTyped))
		run.Put("treated-5", oracletest.Set(".spec.breadth", 0), oracletest.By(term.NewTyped))
		run.Patch("treated-5", oracletest.Set(".spec.breadth", 0))
		return run
	}
	play(oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 1)}).ExpectViolations()
	play(flattens(t)).ExpectViolations(
		`nothing-lost violation rule-4 dropped defaulted treated-1 .spec.breadth in step 12 (upgrading 1/2) via new`,
		`nothing-lost violation rule-4 dropped defaulted untouched-1 .spec.breadth in step 14 (upgrading 1/2) via new`,
		`nothing-lost violation rule-4 dropped defaulted treated-3 .spec.breadth in step 22 (new) via new`,
		`nothing-lost violation rule-4 dropped client-omitted treated-4 .spec.breadth in step 33 (re-upgraded) via new`,
		`nothing-lost violation rule-4 dropped client-omitted treated-5 .spec.breadth in step 35 (re-upgraded) via new`,
		`nothing-lost violation rule-4 dropped defaulted treated-5 .spec.breadth in step 36 (re-upgraded) via new`)
}

// A text is empty where it is missing, by habit: that a default takes its place
// says nothing.
func TestEmptyTextOfTheChange(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.EditAnswer(run.Create("treated-1", `{"colour": "red", "shine": {"hue": {"base": ""}}}`), oracletest.With(".spec.shine.hue.base", "dark"))
	run.ExpectLosses()
}

// A value of clients that the new release reads otherwise: reported where it is
// first served so, and again where a write has stored it so.
func TestExistingValueRewritten(t *testing.T) {
	run := oracletest.NewAddedField(t, 1, oracletest.Behaviour{Default: func(o oracletest.Object) {
		oracletest.Fill(t, "breadth", 1)(o)
		if v, ok := path.Get(o, oracletest.Path(t, ".spec.colour")); ok {
			oracletest.With(".spec.colour", strings.ToLower(v.(string)))(t, o)
		}
	}})
	travel(run, oracletest.NarrowSpec, oracletest.WideSpec).ExpectViolations(
		`nothing-lost violation rule-2 changed converted control-1 .spec.colour in step 9 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted control-2 .spec.colour in step 9 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.colour in step 10 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted bystander-2 .spec.colour in step 11 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 dropped unattributed treated-1 .spec.colour in step 12 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted treated-2 .spec.colour in step 13 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 dropped unattributed untouched-1 .spec.colour in step 14 (upgrading 1/2) via new`,
		`nothing-lost violation rule-6 changed converted bystander-2 .spec.colour in step 16 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 dropped unattributed bystander-3 .spec.colour in step 21 (new) via new`,
		`nothing-lost violation rule-2 dropped unattributed treated-3 .spec.colour in step 22 (new) via new`)
}

// One release, whose gate is off in half of the servers: what is created is
// cleared there, and what is stored stays, whatever else is written.
func TestGateClears(t *testing.T) {
	play := func(clears bool) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Schemas[term.New] = run.Schemas[term.Old]
		run.SetGate(term.Old, "Lustre", false)
		run.SetGate(term.New, "Lustre", true)
		run.Behave(term.Old, oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
			if clears || was == nil || !oracletest.Has(t, was, ".spec.lustre") {
				oracletest.With(".spec.lustre", nil)(t, now)
			}
		}})
		return travel(run, `{"colour": "Red"}`, `{"colour": "Red", "lustre": 5}`)
	}
	play(false).ExpectFindings(`nothing-lost impact lifecycle dropped gate-disabled treated-2 .spec.lustre in step 13 (upgrading 1/2)`)
	play(true).ExpectViolations(
		`nothing-lost violation lifecycle lost gate-disabled treated-1 .spec.lustre in step 17 (upgrading 1/2) via old`,
		`nothing-lost violation lifecycle lost gate-disabled treated-3 .spec.lustre in step 29 (rolled-back) via old`)
}

// A protobuf tag that both releases use, for other fields: each takes the other's
// value for its own, or finds none and fills in the default.
func TestTagReused(t *testing.T) {
	const broad, tilted = `{"colour": "Red", "breadth": 5}`, `{"colour": "Red", "breadth": 5, "tilt": 7}`
	travel(oracletest.NewTags(t, map[string]string{"t3": "breadth", "t6": "tilt"}), broad, tilted).StoreAsProtobuf().ExpectViolations()
	const finding = "nothing-lost violation storage %s encoding %s .spec.breadth in step %d (%s) via %s"
	res := travel(oracletest.NewTags(t, map[string]string{"t3": "tilt", "t6": "breadth"}), broad, tilted).StoreAsProtobuf()
	all, _ := res.Judge()
	var got []string
	for _, f := range all.Findings {
		if f.Cause == term.BadEncoding {
			got = append(got, oracletest.Brief(f)+" via "+string(f.Via))
		}
	}
	want := []string{
		fmt.Sprintf(finding, "changed", "control-1", 9, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "control-2", 9, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "bystander-1", 10, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-2", 11, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "treated-1", 12, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "treated-2", 13, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "untouched-1", 14, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-2", 16, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "lost", "treated-1", 17, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-3", 27, "rolled-back", "old"),
		fmt.Sprintf(finding, "changed", "treated-3", 27, "rolled-back", "old"),
		fmt.Sprintf(finding, "lost", "bystander-3", 28, "rolled-back", "old"),
		fmt.Sprintf(finding, "lost", "treated-3", 29, "rolled-back", "old"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("encoding:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
