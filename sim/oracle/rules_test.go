package oracle_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// message compares the sentence of the only finding.
func message(t *testing.T, res result.Result, want string) {
	t.Helper()
	if len(res.Findings) != 1 || res.Findings[0].Message != want {
		t.Errorf("findings: %+v\nwant message: %s", res.Findings, want)
	}
}

// absent holds that a check is not applicable, and says why: the plan has nothing for it.
func absent(t *testing.T, res result.Result, name term.CheckName) {
	t.Helper()
	if c := check(t, res, name); c.Verdict != term.NotApplicable || c.Judged > 0 || c.Reason == "" {
		t.Errorf("judged: %+v", c)
	}
}

// rule-1: the same call on the same kind of object, before and after.
func TestRule1(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", by(term.OldTyped))
	if c := check(t, s.finds(), term.CheckRule1); c.Judged != 1 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	s = controlled(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", by(term.OldTyped), via("b"), refused(422, "spec: immutable"))
	res := s.finds(`rule-1 violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)`)
	message(t, res, `Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via b (v1.0.0)) was answered 422: spec: immutable; the same call succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-1`)
	if c := check(t, res, term.CheckRule1); c.Judged != 1 || check(t, res, term.CheckAnswers).Judged != 1 {
		t.Errorf("judged: %+v", res.Checks)
	}
}

// Any difference in the call makes it another one, which answers reports.
func TestRule1ComparesTheSameCall(t *testing.T) {
	no := refused(422, "no")
	cases := map[string]func(s *story){
		"another client": func(s *story) { s.patch("bystander-1", by(term.NewTyped), no) },
		"another verb":   func(s *story) { s.put("bystander-1", by(term.OldTyped), no) },
		"another value":  func(s *story) { s.patch("bystander-1", by(term.OldTyped), set(".spec.colour", "blue"), no) },
		"another manner": func(s *story) {
			step := s.patch("bystander-1", by(term.OldTyped), no)
			s.stepOf(step, func(p *plan.Step) { p.FieldValidation = term.Strict })
		},
	}
	for name, told := range cases {
		t.Run(name, func(t *testing.T) {
			s := controlled(t)
			s.create("bystander-1", plainSpec)
			told(s)
			s.finds(`answers violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)`)
		})
	}
}

// What failed before may fail, what respond declares is answers' matter, and
// what is not there cannot be called.
func TestRule1Mutants(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec)
	s.patch("control-1", refused(422, "never"))
	s.stage("upgrading 1/2", term.New, term.Old)
	s.create("control-2", plainSpec)
	s.patch("control-2", refused(422, "never"))
	s.finds()

	s = controlled(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", by(term.OldTyped), refused(422, "no"), respond(code(422)))
	s.finds()

	s = controlled(t)
	s.create("control-3", plainSpec, by(term.OldTyped), refused(422, "no"))
	s.get("control-3", by(term.OldTyped), refused(404, "not found"))
	s.finds(`rule-1 violation rule-1 refused unattributed control-3  in step 6 (upgrading 1/2)`)

	s = controlled(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", by(term.OldTyped), refused(0, "context canceled"))
	s.h.End = nil
	if c := check(t, s.finds(), term.CheckRule1); c.Indeterminate != 1 {
		t.Errorf("cut off: %+v", c)
	}
}

// A control copy is there for rule-1 alone: that its birth was refused from the
// first is nobody's finding.
func TestControlIsNoAnswer(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec, refused(422, "no"))
	s.get("control-1", refused(404, "not found"))
	s.finds()
}

// A server that ends by itself breaks rule-1; where a call with the change was
// the last to go unanswered, rule-3.
func TestDeaths(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	s.dies("b")
	res := s.finds(`rule-1 violation rule-1 failed unattributed   in step 6 (upgrading 1/2)`)
	message(t, res, `the server of b (v1.0.0) ended by itself in step 6 (upgrading 1/2): exit status 2; every call had been answered; violation under rule-1`)
	s.h.Servers[len(s.h.Servers)-1].Killed = true // by somebody: no call did it
	s.finds()

	s = mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", read("a"), via("b"), refused(0, "EOF"))
	s.dies("b")
	res = s.finds(
		`rule-3 violation rule-3 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
		`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	for i, want := range []string{
		`the server of b (v1.0.0) ended by itself in step 4 (upgrading 1/2): exit status 2; the last call without an answer was step 4 (put by dynamic, read a (v2.0.0), via b (v1.0.0), on treated-1), which used the change; violation under rule-3`,
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered not at all: EOF; no dry run shows that it fails in the same way for any unknown field; violation under rule-3`,
	} {
		if got := res.Findings[i].Message; got != want {
			t.Errorf("message:\n%s\nwant:\n%s", got, want)
		}
	}
}

// A server that ends before it was ready, with nothing stored yet, met no change:
// the run has failed, and nothing was found. One that ends so later is found.
func TestDeathBeforeAll(t *testing.T) {
	s := controlled(t)
	starting := history.Server{Step: 1, Replica: "b", Event: history.Starting}
	s.h.Servers = append(s.h.Servers, starting)
	s.dies("b")
	last := &s.h.Servers[len(s.h.Servers)-1]
	last.Step = 1
	s.finds()
	s.h.Servers = append(s.h.Servers, history.Server{Step: 1, Replica: "b", Event: history.Ready})
	s.finds(`rule-1 violation rule-1 failed unattributed   in step 1 (old)`)
}

// A server that ended while it was held off the store is reported in a note, not as a
// finding; one that the run gave up is not told at all.
func TestEndedEarly(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	s.dies("b")
	last := &s.h.Servers[len(s.h.Servers)-1]
	last.Log, last.Message = "logs/b-2.log", "server b-2: exited with status 1; its last lines:\n  panic: x"
	note := `a server of v1.0.0, executed ahead of step 6 for replica b and held off the store, ended by itself, and another was executed in its turn. Holding it off may be why it ended: see logs/b-2.log. Its last words: panic: x`
	first := `a server of v1.0.0, one of those that fill the empty store at once for step 6 (replica b), ended by itself, and another was executed: see logs/b-2.log. Its last words: panic: x`
	for event, want := range map[history.ServerEvent][]string{history.EndedEarly: {note}, history.Tripped: {first}, history.Stopped: nil} {
		last.Event = event
		res := s.finds()
		told := slices.DeleteFunc(slices.Clone(res.Notes), func(n string) bool { return n != note && n != first })
		if !slices.Equal(told, want) {
			t.Errorf("%s: notes: %q", event, res.Notes)
		}
	}
}

// A server that the change has killed ends the run, and fails it.
func TestDeathThatEndsTheRun(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", read("a"), via("b"), refused(0, "EOF"))
	s.h.End = &history.End{Outcome: history.Failed, Message: "server b ended by itself"}
	if res, _ := s.judge(); res.Verdict != term.Unknown {
		t.Errorf("the control: %s: %s", res.Verdict, res.Reason)
	}
	s.dies("b")
	res, _ := s.judge()
	want := "rule-3: 1 findings not expected, 0 expectations not met; and the run could not continue: server b ended by itself"
	if res.Verdict != term.Fail || res.Reason != want {
		t.Errorf("%s: %s\nwant: %s", res.Verdict, res.Reason, want)
	}
	s.h.Damage = []string{"line 3: damaged"}
	if res, _ := s.judge(); res.Verdict != term.Unknown {
		t.Errorf("damaged: %s: %s", res.Verdict, res.Reason)
	}
}

// rule-3: trouble that an unknown field gives too is a refusal, and a refusal is
// no harm.
func TestRule3(t *testing.T) {
	harm := func(t *testing.T, code int) (*story, int) {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		return s, s.put("treated-1", read("a"), via("b"), refused(code, "field not declared"))
	}
	s, step := harm(t, 500)
	s.finds(`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	s.probe(step, "b", 200)
	message(t, s.finds(`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered 500: field not declared; an unknown field is answered 200: field not declared; violation under rule-3`)

	s, step = harm(t, 500)
	s.probe(step, "b", 500)
	message(t, s.finds(`rule-3 impact rule-3 refused unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered 500: field not declared; an unknown field is answered the same; impact under rule-3`)

	s, _ = harm(t, 422)
	res := s.finds(`answers violation rule-5 refused unattributed treated-1  in step 4 (upgrading 1/2)`)
	if c := check(t, res, term.CheckRule3); c.Judged != 1 || c.Findings != 0 {
		t.Errorf("the control: %+v", c)
	}
}

// A call that does not send the change is not judged by rule-3, whatever its answer.
func TestRule3IsAboutTheChange(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.create("treated-2", onlyShine)
	s.put("treated-1", read("a"), via("b"), by(term.OldTyped), refused(500, "oops"))
	s.put("treated-2", read("a"), via("a"), refused(500, "oops"))
	res := s.finds(
		`answers violation rule-5 failed unattributed treated-1  in step 5 (upgrading 1/2)`,
		`answers violation rule-5 failed unattributed treated-2  in step 6 (upgrading 1/2)`)
	absent(t, res, term.CheckRule3)
}

// rule-4: the version that a write goes through is to carry everything.
func TestRule4(t *testing.T) {
	through := func(t *testing.T, loses any) *story {
		s := mixed(t)
		s.create("bystander-1", plainSpec, via("b"))
		step := s.patch("bystander-1")
		s.stepOf(step, func(p *plan.Step) { p.APIVersion = "example.dev/v1beta1" })
		for _, replica := range []string{"a", "b"} {
			look := s.recorded(step, history.Look, replica)
			if loses != "1" {
				look.Answer = s.bend(look.Answer, ".spec.size", loses)
			}
		}
		return s
	}
	if c := check(t, through(t, "1").finds(), term.CheckRule4); c.Judged == 0 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}
	res, _ := through(t, nil).judge()
	found := false
	for _, f := range res.Findings {
		if f.Check == term.CheckRule4 {
			found = true
			if got, want := brief(f), `rule-4 violation rule-4 lost converted bystander-1 .spec.size in step 4 (upgrading 1/2)`; got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		}
	}
	if !found {
		t.Errorf("findings: %+v", res.Findings)
	}
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1")
	absent(t, s.finds(), term.CheckRule4)
}

// rule-5: an old client goes on as before, on what new clients have made.
func TestRule5(t *testing.T) {
	s := controlled(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", by(term.OldTyped))
	if c := check(t, s.finds(), term.CheckRule5); c.Judged != 1 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	s = controlled(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", by(term.OldTyped), refused(422, "shine may not change"))
	res := s.finds(`rule-5 violation rule-5 refused unattributed treated-1  in step 7 (upgrading 1/2)`)
	message(t, res, `Widget treated-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) was answered 422: shine may not change; the same call on an object that does not use the change succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-5`)

	s = controlled(t)
	s.create("treated-1", onlyShine)
	s.create("treated-2", onlyShine)
	s.patch("treated-1", by(term.OldTyped), refused(422, "no"), respond(code(422)))
	s.patch("treated-2", by(term.NewTyped), refused(422, "no"))
	res = s.finds(`answers violation rule-5 refused unattributed treated-2  in step 9 (upgrading 1/2)`)
	if c := check(t, res, term.CheckRule5); c.Judged != 0 || c.Verdict != term.Unknown {
		t.Errorf("a declared refusal, and a new client: %+v", c)
	}
}

// A call that was planned and could carry the change is what rule-3 is about, though it
// was not played; one of a client without the change is not.
func TestRule3OfACallThatWasNotPlayed(t *testing.T) {
	for client, applies := range map[term.Client]bool{term.Dynamic: true, term.OldTyped: false} {
		s := mixed(t)
		m := s.h.Header.Plan.Manifests["widget"]
		m.Body = object{"spec": parse(t, onlyShine)}
		s.h.Header.Plan.Manifests["widget"] = m
		s.create("treated-1", onlyShine)
		step := s.put("treated-1", read("a"), via("b"), by(client))
		s.h.Operations = slices.DeleteFunc(s.h.Operations, func(op history.Operation) bool { return op.Step == step })
		s.h.Skips = append(s.h.Skips, skip(step, "not played"))
		if res := s.result(); applies {
			verdict(t, check(t, res, term.CheckRule3), term.Unknown, "it saw nothing to judge")
		} else {
			absent(t, res, term.CheckRule3)
		}
	}
}

// A call that names the change is planned to send it; one that names another value is not.
func TestRule3OfANameThatWasNotSent(t *testing.T) {
	for at, applies := range map[string]bool{".spec.shine.level": true, ".spec.colour": false} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		step := s.patch("treated-1", via("b"), set(at, "4"))
		s.h.Operations = slices.DeleteFunc(s.h.Operations, func(op history.Operation) bool { return op.Step == step })
		s.h.Skips = append(s.h.Skips, skip(step, "not played"))
		if res := s.result(); applies {
			verdict(t, check(t, res, term.CheckRule3), term.Unknown, "it saw nothing to judge")
		} else {
			absent(t, res, term.CheckRule3)
		}
	}
}

// What a list of instructions sends is what it names.
func TestRule3OfInstructions(t *testing.T) {
	for at, want := range map[string]string{
		".spec.shine.level": `rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		".spec.colour":      `answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
	} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		step := s.patchWith(term.JSONPatch, "treated-1", []option{via("b"), set(at, "4"), refused(500, "no")})
		s.operation(step, history.Act).Exchange.Sent = s.blob([]any{object{"op": "add", "path": "/spec", "value": "4"}})
		s.finds(want)
	}
}
