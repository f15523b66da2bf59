package checks_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

func TestStaysWritable(t *testing.T) {
	begin := func(t *testing.T) (*oracletest.Run, int) {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Create("treated-1", oracletest.ShineSpec)
		run.Stage("new", term.New, term.New)
		return run, run.DryRuns("bystander-1", "treated-1")
	}
	run, step := begin(t)
	res := run.ExpectFindings()
	if c := oracletest.Check(t, res, term.CheckStaysWritable); c.Judged != 2*2*5 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.FinalizerAttempt).Exchange, 422, "spec: immutable")
	run.DryRun(step, "bystander-1", "b", term.FinalizerAttempt).For = []string{"bystander-2", "bystander-3"}
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`stays-writable violation stays-writable frozen unattributed bystander-1  in step 6 (new)`),
		`Widget bystander-1 (and 2 others that differ in nothing but their names): a merge patch that adds a finalizer through b (v2.0.0), tried in step 6 (new) by dynamic without fieldValidation, was answered 422: spec: immutable; violation under stays-writable`)

	run, step = begin(t)
	oracletest.Fail(&run.DryRun(step, "treated-1", "a", term.SelfAttempt).Exchange, 500, "oops")
	run.ExpectFindings(`stays-writable violation stays-writable frozen unattributed treated-1  in step 6 (new)`)

	// After a rollback it is what must be expected of what uses the change.
	run, _ = begin(t)
	run.Stage("rolled-back", term.Old, term.Old)
	step = run.DryRuns("bystander-1", "treated-1")
	oracletest.Fail(&run.DryRun(step, "treated-1", "a", term.SelfAttempt).Exchange, 422, "oops")
	res, _ = run.Judge()
	if !slices.ContainsFunc(res.Findings, func(f result.Finding) bool {
		return strings.HasPrefix(oracletest.Brief(f), "stays-writable impact stays-writable frozen unattributed treated-1 ")
	}) {
		t.Errorf("no impact among %+v", res.Findings)
	}
}

// What could never be written is not frozen by an upgrade, what was deleted is
// not there, and a try that met another write says nothing.
func TestNotFrozen(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec)
	before := run.DryRuns("control-1")
	oracletest.Fail(&run.DryRun(before, "control-1", "a", term.SelfAttempt).Exchange, 422, "never")
	oracletest.Fail(&run.DryRun(before, "control-1", "b", term.SelfAttempt).Exchange, 422, "never")
	run.Stage("new", term.New, term.New)
	after := run.DryRuns("control-1")
	oracletest.Fail(&run.DryRun(after, "control-1", "b", term.SelfAttempt).Exchange, 422, "never")
	run.ExpectFindings()
	oracletest.Fail(&run.DryRun(after, "control-1", "b", term.LabelAttempt).Exchange, 422, "not now")
	run.ExpectFindings(`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`)

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Delete("bystander-1")
	step := run.DryRuns("bystander-1")
	oracletest.Fail(&run.DryRun(step, "bystander-1", "a", term.LabelAttempt).Exchange, 404, "not found")
	run.ExpectFindings()

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	step = run.DryRuns("bystander-1")
	oracletest.Fail(&run.DryRun(step, "bystander-1", "a", term.SelfAttempt).Exchange, 409, "conflict")
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckStaysWritable); c.Indeterminate != 1 || c.Verdict != term.Unknown {
		t.Errorf("a conflict: %+v", c)
	}
	again := *run.DryRun(step, "bystander-1", "a", term.SelfAttempt)
	again.Turn, again.Exchange.Code = 1, 200
	run.History.Operations = append([]history.Operation{again}, run.History.Operations...)
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckStaysWritable); c.Indeterminate != 0 || c.Judged != 2*5 {
		t.Errorf("a conflict that was tried again: %+v", c)
	}
	oracletest.ExpectNotApplicable(t, oracletest.NewQuiet(t).ExpectFindings(), term.CheckStaysWritable)
}

// A dry-run DELETE is everything-decodes' to judge.
func TestDeleteIsTried(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	step := run.DryRuns("bystander-1")
	run.ExpectFindings()
	oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 500, "unable to decode")
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage undecodable unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: a DELETE through b (v1.0.0), tried in step 4 (upgrading 1/2), was answered 500: unable to decode; everything stored decodes in every release that may have to read it`)
	oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 422, "still in use")
	run.ExpectFindings(`everything-decodes violation storage refused unattributed bystander-1  in step 4 (upgrading 1/2)`)

	run.Create("bystander-2", oracletest.PlainSpec)
	run.Delete("bystander-2", oracletest.Refused(422, "still in use"), oracletest.Respond(oracletest.Code(422)))
	run.ExpectFindings()
}

// A copy that is frozen is reported once for each release: at the step where it
// was found, with all that was refused there.
func TestFrozenIsReportedOnce(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec)
	run.Create("control-2", oracletest.PlainSpec)
	run.DryRuns("control-1", "control-2")
	run.Stage("new", term.New, term.New)
	for range 2 {
		step := run.DryRuns("control-1", "control-2")
		for _, replica := range []string{"a", "b"} {
			for _, try := range term.Attempts() {
				oracletest.Fail(&run.DryRun(step, "control-1", replica, try.Word).Exchange, 422, "frozen")
			}
		}
		oracletest.Fail(&run.DryRun(step, "control-2", "b", term.SelfAttempt).Exchange, 422, "frozen")
	}
	res := run.ExpectFindings(
		`everything-decodes violation storage refused unattributed control-1  in step 6 (new)`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 6 (new)`,
		`stays-writable violation stays-writable frozen unattributed control-2  in step 6 (new)`)
	want := `Widget control-1: a PUT of it to /status, where the kind has one through a and b; a PUT of the scale that the replica serves to /scale, where the kind has one through a and b; a PUT of the very object that the replica serves through a and b; a merge patch of a label through a and b; a merge patch that adds a finalizer through a and b (v2.0.0), tried in step 6 (new) by dynamic without fieldValidation, was answered 422: frozen; violation under stays-writable`
	if got := res.Findings[1].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A try may speak for copies that are there for other things: a finding is about
// those of one object and role, and names one of them.
func TestFrozenIsReportedForEachSort(t *testing.T) {
	run := oracletest.NewRun(t)
	for _, name := range []string{"control-1", "bystander-1", "bystander-2"} {
		run.Create(name, oracletest.PlainSpec)
	}
	run.Stage("new", term.New, term.New)
	step := run.DryRuns("control-1")
	for i := range run.History.Operations {
		if op := &run.History.Operations[i]; op.Step == step {
			op.For = []string{"bystander-1", "bystander-2"}
		}
	}
	oracletest.Fail(&run.DryRun(step, "control-1", "a", term.SelfAttempt).Exchange, 422, "frozen")
	res := run.ExpectFindings(
		`stays-writable violation stays-writable frozen unattributed bystander-1  in step 6 (new)`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 6 (new)`)
	if got := res.Findings[0].Message; !strings.Contains(got, "bystander-1 (and one other that differs in nothing but its name)") {
		t.Error(got)
	}
}

// What one copy was refused before the upgrade excuses that copy, and of those
// that came later the ones which are refused alike. That a try met another
// write, or a server that was busy, excuses nothing.
func TestWhatNeverCouldBeWritten(t *testing.T) {
	newRun := func(t *testing.T, before, after int, name string) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec)
		run.Create("control-2", oracletest.PlainSpec)
		step := run.DryRuns("control-1", "control-2")
		for _, replica := range []string{"a", "b"} {
			oracletest.Fail(&run.DryRun(step, "control-2", replica, term.LabelAttempt).Exchange, before, "no")
		}
		run.Stage("new", term.New, term.New)
		run.Create("bystander-1", oracletest.PlainSpec)
		step = run.DryRuns("control-1", "control-2", "bystander-1")
		oracletest.Fail(&run.DryRun(step, name, "a", term.LabelAttempt).Exchange, after, "no")
		return run
	}
	const frozen = `stays-writable violation stays-writable frozen unattributed `
	newRun(t, 422, 422, "control-2").ExpectFindings()
	newRun(t, 422, 422, "bystander-1").ExpectFindings()
	newRun(t, 422, 400, "bystander-1").ExpectFindings(frozen + `bystander-1  in step 7 (new)`)
	newRun(t, 422, 422, "control-1").ExpectFindings(frozen + `control-1  in step 7 (new)`)
	for _, code := range []int{0, 409, 429, 503} {
		newRun(t, code, 422, "control-2").ExpectFindings(frozen + `control-2  in step 7 (new)`)
		newRun(t, code, 422, "bystander-1").ExpectFindings(frozen + `bystander-1  in step 7 (new)`)
	}
	if c := oracletest.Check(t, newRun(t, 422, 503, "control-1").ExpectFindings(), term.CheckStaysWritable); c.Indeterminate != 1 || c.Verdict != term.Unknown {
		t.Errorf("a server that is going: %+v", c)
	}
}

// What one server refused before the upgrade, and the other took, could be written.
func TestWhatOneServerTook(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec)
	oracletest.Fail(&run.DryRun(run.DryRuns("control-1"), "control-1", "a", term.LabelAttempt).Exchange, 500, "oops")
	run.Stage("new", term.New, term.New)
	oracletest.Fail(&run.DryRun(run.DryRuns("control-1"), "control-1", "b", term.LabelAttempt).Exchange, 422, "no")
	run.ExpectFindings(`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`)
}

// A refusal says which client met it, and which fieldValidation it asked for, or that it
// asked for none.
func TestRefusalsSayWhoMetThem(t *testing.T) {
	for query, want := range map[string]string{
		"dryRun=All":                        " by dynamic without fieldValidation, was answered 422",
		"dryRun=All&fieldValidation=Strict": " by dynamic with fieldValidation=Strict, was answered 422",
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Stage("new", term.New, term.New)
		x := &run.DryRun(run.DryRuns("bystander-1"), "bystander-1", "b", term.FinalizerAttempt).Exchange
		oracletest.Fail(x, 422, "spec: immutable")
		x.Method, x.Query = "PATCH", query
		res, _ := run.Judge()
		if len(res.Findings) == 0 || !strings.Contains(res.Findings[0].Message, want) {
			t.Errorf("%s: %+v", query, res.Findings)
		}
	}
}

// What a copy on its way out was refused before the upgrade excuses no other.
func TestFinalizerOfACopyThatIsLeaving(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Create("bystander-2", oracletest.PlainSpec)
	run.DeleteHeldUp("bystander-2")
	before := run.DryRuns("bystander-1", "bystander-2")
	for _, replica := range []string{"a", "b"} {
		oracletest.Fail(&run.DryRun(before, "bystander-2", replica, term.FinalizerAttempt).Exchange, 422, "no new finalizers can be added if the object is being deleted")
	}
	run.Stage("new", term.New, term.New)
	run.Create("bystander-3", oracletest.PlainSpec)
	after := run.DryRuns("bystander-1", "bystander-2", "bystander-3")
	for _, name := range []string{"bystander-1", "bystander-2", "bystander-3"} {
		oracletest.Fail(&run.DryRun(after, name, "a", term.FinalizerAttempt).Exchange, 422, "frozen")
	}
	run.ExpectFindings(
		`stays-writable violation stays-writable frozen unattributed bystander-1  in step 8 (new)`,
		`stays-writable violation stays-writable frozen unattributed bystander-3  in step 8 (new)`)
}

// What one server refused before the upgrade, and the other could not answer, was never
// writable. Near miss: no server refused it.
func TestNeverWritableThroughOneServer(t *testing.T) {
	for code, want := range map[int][]string{
		422: nil,
		503: {`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`},
	} {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec)
		before := run.DryRuns("control-1")
		oracletest.Fail(&run.DryRun(before, "control-1", "a", term.LabelAttempt).Exchange, code, "no")
		oracletest.Fail(&run.DryRun(before, "control-1", "b", term.LabelAttempt).Exchange, 503, "busy")
		run.Stage("new", term.New, term.New)
		after := run.DryRuns("control-1")
		oracletest.Fail(&run.DryRun(after, "control-1", "a", term.LabelAttempt).Exchange, 422, "no")
		run.ExpectFindings(want...)
	}
}

// A frozen object that no GET through the release has met is stored in a version, or an
// encoding, that the release does not read. Near miss: in one that it reads.
func TestFrozenInAFormThatIsNotRead(t *testing.T) {
	for want, c := range map[term.Cause]struct{ version, encoding string }{
		term.BadVersion:   {"example.dev/v2", "json"},
		term.BadEncoding:  {"example.dev/v1", "cbor"},
		term.Unattributed: {"example.dev/v1", "json"},
	} {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		r := run.History.Releases[term.New]
		r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget"})
		run.History.Releases[term.New] = r
		run.Create("control-1", oracletest.PlainSpec)
		read := run.StoredChange("control-1")
		read.APIVersion, read.Kind, read.Encoding = "example.dev/v1", "Widget", "json"
		run.Stage("new", term.New, term.New)
		run.Unobserved = true
		run.Create("bystander-1", oracletest.PlainSpec)
		stored := run.StoredChange("bystander-1")
		stored.APIVersion, stored.Kind, stored.Encoding = c.version, "Widget", c.encoding
		run.Stage("rolled-back", term.Old, term.Old)
		step := run.DryRuns("bystander-1")
		oracletest.Fail(&run.DryRun(step, "bystander-1", "a", term.SelfAttempt).Exchange, 500, "unable to decode")
		var causes []term.Cause
		for _, f := range run.Result().Findings {
			if f.Outcome == term.Frozen {
				causes = append(causes, f.Cause)
			}
		}
		assert.Equal(t, []term.Cause{want}, causes)
	}
}

// A custom resource without replicas has no scale, so it cannot be written there. Another answer,
// and the same one to another dry run, freezes the object.
func TestObjectsWithoutAScale(t *testing.T) {
	const none = `Internal error occurred: the spec replicas field ".spec.replicas" does not exist`
	frozen := []string{`stays-writable violation stays-writable frozen unattributed treated-1  in step 5 (new)`}
	for _, c := range []struct {
		name, message string
		attempt       term.Attempt
		want          []string
	}{
		{name: "no replicas", attempt: term.ScaleAttempt, message: none},
		{name: "another answer", attempt: term.ScaleAttempt, message: "Internal error occurred: no", want: frozen},
		{name: "another dry run", attempt: term.SelfAttempt, message: none, want: frozen},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			run.Stage("new", term.New, term.New)
			step := run.DryRuns("treated-1")
			oracletest.Fail(&run.DryRun(step, "treated-1", "a", c.attempt).Exchange, http.StatusInternalServerError, c.message)
			run.ExpectFindings(c.want...)
		})
	}
}

// TestNotFrozenInAnUnservedVersion: the servers keep the new definition when they refuse the old one, and answer 404
// in a version that only the old one has. That says nothing of what is stored. A 404 in a version that the definition
// in place has does.
func TestNotFrozenInAnUnservedVersion(t *testing.T) {
	for _, served := range []bool{false, true} {
		run := oracletest.NewManifests(t)
		run.Create("control-1", oracletest.PlainSpec)
		run.DryRuns("control-1")
		run.Stage("new", term.New, term.New)
		run.Install(term.New, history.Installed{Code: 200})
		if !served {
			release := run.History.Releases[term.New]
			release.Resources = slices.DeleteFunc(oracletest.Resources(), func(r history.Resource) bool { return r.Kind == "Widget" })
			run.History.Releases[term.New] = release
		}
		run.Stage("rolled-back", term.Old, term.Old)
		at := run.Steps
		run.Install(term.Old, history.Installed{Code: 422, Message: "no"})
		step := run.DryRuns("control-1")
		for _, replica := range []string{"a", "b"} {
			for _, try := range term.Attempts() {
				oracletest.Fail(&run.DryRun(step, "control-1", replica, try.Word).Exchange, 404, "the server could not find the requested resource")
			}
		}
		calledOld(run, at)
		res, _ := run.Judge()
		var frozen []string
		for _, f := range res.Findings {
			if f.Check != term.CheckInstalls {
				frozen = append(frozen, oracletest.Brief(f))
			}
		}
		if !served {
			assert.Empty(t, frozen)
			continue
		}
		assert.Len(t, frozen, 2)
		for _, f := range frozen {
			assert.Contains(t, f, "control-1  in step")
		}
	}
}
