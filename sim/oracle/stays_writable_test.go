package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

func TestStaysWritable(t *testing.T) {
	begin := func(t *testing.T) (*story, int) {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		s.create("treated-1", onlyShine)
		s.stage("new", term.New, term.New)
		return s, s.attempt("bystander-1", "treated-1")
	}
	s, step := begin(t)
	res := s.finds()
	if c := check(t, res, term.CheckStaysWritable); c.Judged != 2*2*5 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	fails(&s.tried(step, "bystander-1", "b", term.FinalizerAttempt).Exchange, 422, "spec: immutable")
	s.tried(step, "bystander-1", "b", term.FinalizerAttempt).For = []string{"bystander-2", "bystander-3"}
	message(t, s.finds(`stays-writable violation stays-writable frozen unattributed bystander-1  in step 6 (new)`),
		`Widget bystander-1 (and 2 others that differ in nothing but their names): a merge patch that adds a finalizer through b (v2.0.0), tried in step 6 (new) by dynamic without fieldValidation, was answered 422: spec: immutable; violation under stays-writable`)

	s, step = begin(t)
	fails(&s.tried(step, "treated-1", "a", term.SelfAttempt).Exchange, 500, "oops")
	s.finds(`stays-writable violation stays-writable frozen unattributed treated-1  in step 6 (new)`)

	// After a rollback it is what must be expected of what uses the change.
	s, _ = begin(t)
	s.stage("rolled-back", term.Old, term.Old)
	step = s.attempt("bystander-1", "treated-1")
	fails(&s.tried(step, "treated-1", "a", term.SelfAttempt).Exchange, 422, "oops")
	res, _ = s.judge()
	if !slices.ContainsFunc(res.Findings, func(f result.Finding) bool {
		return strings.HasPrefix(brief(f), "stays-writable impact stays-writable frozen unattributed treated-1 ")
	}) {
		t.Errorf("no impact among %+v", res.Findings)
	}
}

// What could never be written is not frozen by an upgrade, what was deleted is
// not there, and a try that met another write says nothing.
func TestNotFrozen(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec)
	before := s.attempt("control-1")
	fails(&s.tried(before, "control-1", "a", term.SelfAttempt).Exchange, 422, "never")
	fails(&s.tried(before, "control-1", "b", term.SelfAttempt).Exchange, 422, "never")
	s.stage("new", term.New, term.New)
	after := s.attempt("control-1")
	fails(&s.tried(after, "control-1", "b", term.SelfAttempt).Exchange, 422, "never")
	s.finds()
	fails(&s.tried(after, "control-1", "b", term.LabelAttempt).Exchange, 422, "not now")
	s.finds(`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`)

	s = mixed(t)
	s.create("bystander-1", plainSpec)
	s.delete("bystander-1")
	step := s.attempt("bystander-1")
	fails(&s.tried(step, "bystander-1", "a", term.LabelAttempt).Exchange, 404, "not found")
	s.finds()

	s = mixed(t)
	s.create("bystander-1", plainSpec)
	step = s.attempt("bystander-1")
	fails(&s.tried(step, "bystander-1", "a", term.SelfAttempt).Exchange, 409, "conflict")
	if c := check(t, s.finds(), term.CheckStaysWritable); c.Indeterminate != 1 || c.Verdict != term.Unknown {
		t.Errorf("a conflict: %+v", c)
	}
	again := *s.tried(step, "bystander-1", "a", term.SelfAttempt)
	again.Turn, again.Exchange.Code = 1, 200
	s.h.Operations = append([]history.Operation{again}, s.h.Operations...)
	if c := check(t, s.finds(), term.CheckStaysWritable); c.Indeterminate != 0 || c.Judged != 2*5 {
		t.Errorf("a conflict that was tried again: %+v", c)
	}
	absent(t, quiet(t).finds(), term.CheckStaysWritable)
}

// A dry-run DELETE is everything-decodes' to judge.
func TestDeleteIsTried(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	step := s.attempt("bystander-1")
	s.finds()
	fails(&s.tried(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 500, "unable to decode")
	message(t, s.finds(`everything-decodes violation storage undecodable unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: a DELETE through b (v1.0.0), tried in step 4 (upgrading 1/2), was answered 500: unable to decode; everything stored decodes in every release that may have to read it`)
	fails(&s.tried(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 422, "still in use")
	s.finds(`everything-decodes violation storage refused unattributed bystander-1  in step 4 (upgrading 1/2)`)

	s.create("bystander-2", plainSpec)
	s.delete("bystander-2", refused(422, "still in use"), respond(code(422)))
	s.finds()
}

// A copy that is frozen is reported once for each release: at the step where it
// was found, with all that was refused there.
func TestFrozenIsReportedOnce(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec)
	s.create("control-2", plainSpec)
	s.attempt("control-1", "control-2")
	s.stage("new", term.New, term.New)
	for range 2 {
		step := s.attempt("control-1", "control-2")
		for _, replica := range []string{"a", "b"} {
			for _, try := range term.Attempts() {
				fails(&s.tried(step, "control-1", replica, try.Word).Exchange, 422, "frozen")
			}
		}
		fails(&s.tried(step, "control-2", "b", term.SelfAttempt).Exchange, 422, "frozen")
	}
	res := s.finds(
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
	s := tell(t)
	for _, name := range []string{"control-1", "bystander-1", "bystander-2"} {
		s.create(name, plainSpec)
	}
	s.stage("new", term.New, term.New)
	step := s.attempt("control-1")
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step {
			op.For = []string{"bystander-1", "bystander-2"}
		}
	}
	fails(&s.tried(step, "control-1", "a", term.SelfAttempt).Exchange, 422, "frozen")
	res := s.finds(
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
	story := func(t *testing.T, before, after int, name string) *story {
		s := tell(t)
		s.create("control-1", plainSpec)
		s.create("control-2", plainSpec)
		step := s.attempt("control-1", "control-2")
		for _, replica := range []string{"a", "b"} {
			fails(&s.tried(step, "control-2", replica, term.LabelAttempt).Exchange, before, "no")
		}
		s.stage("new", term.New, term.New)
		s.create("bystander-1", plainSpec)
		step = s.attempt("control-1", "control-2", "bystander-1")
		fails(&s.tried(step, name, "a", term.LabelAttempt).Exchange, after, "no")
		return s
	}
	const frozen = `stays-writable violation stays-writable frozen unattributed `
	story(t, 422, 422, "control-2").finds()
	story(t, 422, 422, "bystander-1").finds()
	story(t, 422, 400, "bystander-1").finds(frozen + `bystander-1  in step 7 (new)`)
	story(t, 422, 422, "control-1").finds(frozen + `control-1  in step 7 (new)`)
	for _, code := range []int{0, 409, 429, 503} {
		story(t, code, 422, "control-2").finds(frozen + `control-2  in step 7 (new)`)
		story(t, code, 422, "bystander-1").finds(frozen + `bystander-1  in step 7 (new)`)
	}
	if c := check(t, story(t, 422, 503, "control-1").finds(), term.CheckStaysWritable); c.Indeterminate != 1 || c.Verdict != term.Unknown {
		t.Errorf("a server that is going: %+v", c)
	}
}

// What one server refused before the upgrade, and the other took, could be written.
func TestWhatOneServerTook(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec)
	fails(&s.tried(s.attempt("control-1"), "control-1", "a", term.LabelAttempt).Exchange, 500, "oops")
	s.stage("new", term.New, term.New)
	fails(&s.tried(s.attempt("control-1"), "control-1", "b", term.LabelAttempt).Exchange, 422, "no")
	s.finds(`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`)
}

// A refusal says which client met it, and which fieldValidation it asked for, or that it
// asked for none.
func TestRefusalsSayWhoMetThem(t *testing.T) {
	for query, want := range map[string]string{
		"dryRun=All":                        " by dynamic without fieldValidation, was answered 422",
		"dryRun=All&fieldValidation=Strict": " by dynamic with fieldValidation=Strict, was answered 422",
	} {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		s.stage("new", term.New, term.New)
		x := &s.tried(s.attempt("bystander-1"), "bystander-1", "b", term.FinalizerAttempt).Exchange
		fails(x, 422, "spec: immutable")
		x.Method, x.Query = "PATCH", query
		res, _ := s.judge()
		if len(res.Findings) == 0 || !strings.Contains(res.Findings[0].Message, want) {
			t.Errorf("%s: %+v", query, res.Findings)
		}
	}
}
