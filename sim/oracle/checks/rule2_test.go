package checks_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// What a client's types made of protobuf lacks what does not travel in it, such
// as the types of nested objects: that is no effect of a call, and no loss after
// a rollback. The same answer as JSON is.
func TestRulesCompareWhatCameAsItCame(t *testing.T) {
	for bytes, want := range map[string][]string{
		"digest": nil,
		"":       {`rule-2 violation rule-2 lost unattributed bystander-1 .spec.size in step 7 (upgrading 1/2)`},
	} {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		answer := run.Exchange(run.Patch("bystander-1", oracletest.By(term.OldTyped)), history.Act, "a")
		answer.Answer, answer.AnswerBytes = run.Edited(answer.Answer, ".spec.size", nil), bytes
		run.ExpectFindings(want...)
	}
	for bytes, want := range map[string][]string{
		"digest": nil,
		"":       {`rule-6 violation rule-6 lost unattributed bystander-1 .spec.notes.by in step 10 (rolled-back)`},
	} {
		run := oracletest.NewRoundTrip(t, "bystander-1", func(*oracletest.Run) {})
		read := run.Exchange(run.Get("bystander-1", oracletest.By(term.OldTyped)), history.Act, "a")
		read.Answer, read.AnswerBytes = run.Edited(read.Answer, ".spec.notes.by", nil), bytes
		run.ExpectFindings(want...)
	}
}

// What the servers themselves wrote between the last look and a call is not part of
// the call's doing: a watch shows how the call found it.
func TestRule2KnowsOwnWrites(t *testing.T) {
	recorded := func(t *testing.T, reported bool) *oracletest.Run {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Change("bystander-1", ".spec.notes.by", "a controller")
		if reported {
			run.ShowInWatch(history.WatchModified, term.New, "bystander-1")
		}
		run.Patch("bystander-1", oracletest.By(term.OldTyped))
		return run
	}
	for reported, judged := range map[bool]int{true: 4, false: 3} { // two copies as each release serves them, the birth, and the patch where it is known
		res, _ := recorded(t, reported).Judge()
		if c := oracletest.Check(t, res, term.CheckRule2); c.Judged != judged || c.Findings != 0 {
			t.Errorf("told %t: %+v", reported, c)
		}
	}
}

// rule-2: the same call on the same kind of object does the same.
func TestRule2(t *testing.T) {
	begin := func(t *testing.T, edit func(*oracletest.Run, *history.Exchange)) *oracletest.Run {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		step := run.Patch("bystander-1", oracletest.By(term.OldTyped))
		edit(run, run.Exchange(step, history.Act, "a"))
		return run
	}
	answers := func(at string, v any) func(*oracletest.Run, *history.Exchange) {
		return func(run *oracletest.Run, x *history.Exchange) { x.Answer = run.Edited(x.Answer, at, v) }
	}
	c := oracletest.Check(t, begin(t, func(*oracletest.Run, *history.Exchange) {}).ExpectFindings(), term.CheckRule2)
	if c.Judged != 4 || c.Verdict != term.Pass { // two copies as each release serves them, the birth, and the patch
		t.Errorf("the control: %+v", c)
	}
	begin(t, answers(".spec.shine.level", 3)).ExpectFindings() // new to the old release: none of its behaviour
	begin(t, answers(".metadata.generation", 3)).ExpectFindings()

	oracletest.ExpectOnlyMessage(t, begin(t, answers(".spec.notes.by", "a default")).ExpectFindings(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`),
		`Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) set .spec.notes.by = "a default"; the same call left it unchanged in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); defaulted: a default replaced the value, or its absence; violation under rule-2`)
	begin(t, answers(".spec.colour", "blue")).ExpectFindings(`rule-2 violation rule-2 changed unattributed bystander-1 .spec.colour in step 7 (upgrading 1/2)`)
	begin(t, answers(".spec.size", nil)).ExpectFindings(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.size in step 7 (upgrading 1/2)`)

	// An annotation of a custom resource that was never stored is its conversion's. Near twin: of a kind that is built in.
	const kept = `.metadata.annotations["example.dev/kept"]`
	for defined, want := range map[string][]string{
		"widgets.example.dev": nil, "gadgets.example.dev": {"rule-2 violation rule-2 changed defaulted bystander-1 " + kept + " in step 7 (upgrading 1/2)"},
	} {
		run := begin(t, answers(kept, "{}"))
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": defined}},
		}
		run.ExpectFindings(want...)
	}

	// What the release of the reference stored is an ordinary annotation, such as one that a webhook sets: the call that leaves
	// it out lost it. Near twins: the reference showed it, or a client sent back what it was shown, and nobody stored it.
	for name, store := range map[string]func(run *oracletest.Run, x *history.Exchange){
		"stored": func(run *oracletest.Run, _ *history.Exchange) {
			c := run.StoredChange("control-1")
			c.Value = run.Edited(c.Value, kept, "{}")
		},
		"sent":    func(run *oracletest.Run, x *history.Exchange) { x.Sent = run.Edited(x.Sent, kept, "{}") },
		"neither": func(*oracletest.Run, *history.Exchange) {},
	} {
		run := oracletest.NewControlled(t)
		of := run.Exchange(4, history.Act, "a")
		of.Answer = run.Edited(of.Answer, kept, "{}")
		store(run, of)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1", oracletest.By(term.OldTyped))
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": "widgets.example.dev"}},
		}
		res, _ := run.Judge()
		found := slices.ContainsFunc(res.Findings, func(f result.Finding) bool {
			return f.Check == term.CheckRule2 && f.Copy == "bystander-1" && f.Path == kept
		})
		if found != (name == "stored") {
			t.Errorf("%s: %+v", name, res.Findings)
		}
	}

	for form, want := range map[string]string{"example.dev/v1": "unattributed", "example.dev/v2": "converted"} {
		run := begin(t, answers(".spec.colour", "blue"))
		for i := range run.History.Changes {
			run.History.Changes[i].APIVersion = "example.dev/v1"
		}
		run.StoredChange("bystander-1").APIVersion = form
		run.ExpectFindings(`rule-2 violation rule-2 changed ` + want + ` bystander-1 .spec.colour in step 7 (upgrading 1/2)`)
	}
}

// What a server makes of the copy's own name, or of the time, differs by nature.
func TestRule2KnowsNames(t *testing.T) {
	recorded := func(t *testing.T, before, after string, at string) *oracletest.Run {
		run := oracletest.NewControlled(t)
		act := run.Exchange(4, history.Act, "a")
		act.Answer = run.Edited(act.Answer, at, before)
		run.Create("bystander-1", oracletest.PlainSpec)
		act = run.Exchange(run.Patch("bystander-1", oracletest.By(term.OldTyped)), history.Act, "a")
		act.Answer = run.Edited(act.Answer, at, after)
		return run
	}
	recorded(t, "of control-1, step-4", "of bystander-1, step-7", ".metadata.annotations.last").ExpectFindings()
	recorded(t, "2020-01-02T03:04:05Z", "2021-01-02T03:04:05Z", ".spec.since").ExpectFindings()
	recorded(t, "30001", "30002", ".spec.notes.port").ExpectFindings() // drawn anew, it may be
}

// Births of equal bodies are answered alike, where two before the upgrade were.
func TestRule2Births(t *testing.T) {
	at := ".spec.notes.by"
	begin := func(t *testing.T, one, two, now any) *oracletest.Run {
		run := oracletest.NewControlled(t)
		created := run.Create("bystander-1", oracletest.PlainSpec, oracletest.By(term.NewTyped))
		for step, v := range map[int]any{2: one, 3: two, created: now} {
			replica := map[int]string{2: "a", 3: "b", created: "a"}[step]
			if x := run.Exchange(step, history.Act, replica); v != nil {
				x.Answer = run.Edited(x.Answer, at, v)
			}
		}
		return run
	}
	const changed = `rule-2 violation rule-2 changed unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`
	begin(t, nil, nil, nil).ExpectFindings()
	begin(t, "x", "x", "x").ExpectFindings()
	begin(t, "10.0.0.1", "10.0.0.2", "10.0.0.3").ExpectFindings()
	begin(t, "of control-1", "of control-2", "of bystander-1").ExpectFindings()
	oracletest.ExpectOnlyMessage(t, begin(t, "x", "x", nil).ExpectFindings(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`),
		`Widget bystander-1: step 6 (upgrading 1/2: create by new-typed, via a (v2.0.0)) was answered with nothing there at .spec.notes.by; the same body was answered with "x" in step 2 (old: create by old-typed, via a (v1.0.0), on control-1); unattributed: the evidence does not say why; violation under rule-2`)
	begin(t, nil, nil, "x").ExpectFindings(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`)
	if res, _ := begin(t, "x", "x", "y").Judge(); len(res.Findings) != 1 || oracletest.Brief(res.Findings[0]) != changed && res.Findings[0].Cause != term.Defaulted {
		t.Errorf("findings: %+v", res.Findings)
	}
	at = ".spec.grain" // a default of the old release is gone; another value was none
	begin(t, "fine", "fine", nil).ExpectFindings(`rule-2 violation rule-2 lost defaulted bystander-1 .spec.grain in step 6 (upgrading 1/2)`)
	begin(t, "odd", "odd", nil).ExpectFindings(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.grain in step 6 (upgrading 1/2)`)
	at = ".spec.trim.edge" // what the default of the struct around it fills in
	begin(t, "plain", "plain", nil).ExpectFindings(`rule-2 violation rule-2 lost defaulted bystander-1 .spec.trim.edge in step 6 (upgrading 1/2)`)
	begin(t, "odd", "odd", nil).ExpectFindings(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.trim.edge in step 6 (upgrading 1/2)`)
}
