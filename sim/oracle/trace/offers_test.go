package trace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

const fineOffer = `.status.conditions[type="Fine"].status`

// A kind that serves its status apart takes none from a create: it is not
// offered. Of one that does not, it is a value like any other.
func TestStatusOfACreate(t *testing.T) {
	for kind, want := range map[string][]string{
		"widget": nil,
		"gadget": {`nothing-lost violation rule-3 dropped unknown-field bystander-1 .status in step 3 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", `{"size": "1"}`, oracletest.Of(kind))
		x := run.Exchange(created, history.Act, "a")
		x.Sent = run.Edited(x.Sent, ".status", oracletest.Object{"phase": "Done"})
		run.ExpectFindings(want...)
	}
}

// A value that a client sends in another version is the object's value of that name, unless a webhook converts the kind: it
// may have another meaning there. Labels are what they are in every version.
func TestOfferedInAnotherVersion(t *testing.T) {
	for _, webhook := range []bool{false, true} {
		for version, other := range map[string]bool{"": false, "example.dev/v1beta1": true} {
			run := oracletest.NewMixed(t)
			run.NamePlurals()
			run.Install(term.New, history.Installed{Name: "widgets.example.dev", Code: 200, Webhook: webhook})
			run.Create("bystander-1", `{"colour": "red"}`)
			put := run.Put("bystander-1", oracletest.Via("a"))
			run.NameVersion(put, version)
			tr := trace.Build(run.History, run.Schemas)
			can := func(text string) bool {
				p, err := path.Parse(text)
				require.NoError(t, err)
				return trace.CanOffer(tr, tr.ByCopy["bystander-1"], tr.Acts[put], p)
			}
			assert.Equal(t, !webhook || !other, can(".spec.colour"))
			assert.True(t, can(".metadata.labels.a"))
			assert.False(t, can(".metadata.uid"))
		}
	}
}

// A status write changes the status and nothing else: what it names beside
// that is not withdrawn.
func TestStatusWriteWithdrawsTheStatusAlone(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.StatusPatch("bystander-1", oracletest.Set(fineOffer, "True"))
	run.StatusPatch("bystander-1", oracletest.Set(fineOffer, "False"), oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 5 (upgrading 1/2)`)

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings()
}

// An element that is added to a list without keys is where the client put it, after the others. Another value
// of it withdraws the first; an answer without it has not accepted it.
func TestElementOfAPlainList(t *testing.T) {
	const two = `.spec.steps[name="two"]`
	counted := func(n int) oracletest.Object { return oracletest.Object{"name": "two", "count": n} }
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"steps": [{"name": "one"}]}`)
	run.Put("bystander-1", oracletest.Set(two, counted(1)))
	run.Put("bystander-1", oracletest.Set(two, counted(2)))
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.steps[1].count"); got != term.Kept {
		t.Errorf("the count is %q, want kept", got)
	}

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"steps": [{"name": "one"}]}`)
	step := run.Patch("bystander-1", oracletest.Set(".spec.colour", "red"))
	x := run.Exchange(step, history.Act, "a")
	names(run, step, map[string]any{two: counted(1)})
	x.Sent = run.Edited(x.Sent, ".spec.steps", []any{oracletest.Object{"name": "one"}, counted(1)})
	_, ledger = run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.steps[1].count"); got != term.Dropped {
		t.Errorf("the count is %q, want dropped", got)
	}
}

// A body with both parts offers the one that its call writes.
func TestBodyWithSpecAndStatus(t *testing.T) {
	body := oracletest.Object{"spec": oracletest.Object{"colour": "blue"}, "status": oracletest.Object{"conditions": []any{oracletest.Object{"type": "Fine", "status": "True"}}}}
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.SendBody(term.StatusPatch, "bystander-1", body, oracletest.Set(fineOffer, "True"))
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), fineOffer); got != term.Kept {
		t.Errorf("the status is %q, want kept", got)
	}

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"size": "1"}`)
	run.SendBody(term.MergePatch, "bystander-1", body, oracletest.Set(".spec.notes.k", "v"))
	run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
}

const hunter2, swordfish = "aHVudGVyMg==", "c3dvcmRmaXNo"

// What a Secret holds as text is stored among its data.
func TestStringDataOfACreate(t *testing.T) {
	for text, want := range map[string][]string{
		"hunter2":   nil,
		"swordfish": {`nothing-lost violation rule-2 dropped unattributed bystander-1 .data.password in step 3 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", `{"password": "`+hunter2+`"}`, oracletest.Of("secret"))
		x := run.Exchange(created, history.Act, "a")
		x.Sent = run.Blob(oracletest.Object{"apiVersion": "v1", "kind": "Secret", "stringData": oracletest.Object{"password": text}})
		run.ExpectFindings(want...)
	}
}

// Text that is set later takes the place of the data of the same key, and of
// no other.
func TestStringDataThatIsSet(t *testing.T) {
	for key, want := range map[string][]string{
		"password": nil,
		"user":     {`nothing-lost violation rule-6 changed unattributed bystander-1 .data.password in step 4 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"password": "`+hunter2+`"}`, oracletest.Of("secret"))
		step := run.Patch("bystander-1", oracletest.Set(".data.password", swordfish), oracletest.Set(".data."+key, swordfish))
		names(run, step, map[string]any{".stringData." + key: "swordfish"})
		run.ExpectFindings(want...)
	}
}

// names makes a step one that sets these values and no other.
func names(run *oracletest.Run, step int, sets map[string]any) {
	a := oracletest.Call{Sets: sets}
	for i := range run.History.Header.Plan.Stages {
		for j := range run.History.Header.Plan.Stages[i].Steps {
			if at := &run.History.Header.Plan.Stages[i].Steps[j]; at.Number == step {
				at.Change = a.Change()
			}
		}
	}
}

// A strategic merge patch's directives are no values, and what they delete is
// not offered.
func TestStrategicDirectives(t *testing.T) {
	parts := func(elements ...any) oracletest.Object {
		return oracletest.Object{"spec": oracletest.Object{"parts": elements}}
	}
	cases := map[string]struct {
		body oracletest.Object
		want []string
	}{
		"an element deleted":   {parts(oracletest.Object{"name": "x", "$patch": "delete"}), nil},
		"the elements' order":  {oracletest.Object{"spec": oracletest.Object{"$setElementOrder/parts": []any{oracletest.Object{"name": "y"}}}}, nil},
		"a struct replaced":    {oracletest.Object{"spec": oracletest.Object{"finish": oracletest.Object{"$patch": "replace", "tone": "dark"}}}, nil},
		"a value beside it":    {parts(oracletest.Object{"name": "x", "$patch": "delete"}, oracletest.Object{"name": "y", "count": 9}), []string{`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.parts[name="y"].count in step 4 (upgrading 1/2)`}},
		"a value that is kept": {oracletest.Object{"spec": oracletest.Object{"finish": oracletest.Object{"$retainKeys": []any{"tone"}, "tone": "light"}}}, []string{`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"parts": [{"name": "x"}, {"name": "y"}]}`)
			run.SendBody(term.StrategicPatch, "bystander-1", c.body, oracletest.Set(`.spec.parts[name="x"]`, nil), oracletest.Set(".spec.finish.tone", "dark"))
			run.ExpectFindings(c.want...)
		})
	}
}

// Only a strategic merge patch has directives: elsewhere such a key is a key.
func TestDollarInAMergePatch(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.SendBody(term.MergePatch, "bystander-1", oracletest.Object{"spec": oracletest.Object{"notes": oracletest.Object{"$patch": "delete"}}}, oracletest.Set(".spec.notes.k", "v"))
	run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.notes.$patch in step 4 (upgrading 1/2)`)
}
