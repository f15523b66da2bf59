package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// born makes a create the copy's birth by another verb.
func (s *story) born(step int, verb term.Verb, code int, birth bool) {
	at := s.planned(step)
	at.Verb, at.Birth = verb, birth
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step && op.Purpose == history.Act {
			op.Exchange.Code = code
		}
	}
}

// An apply that makes an object offers what it sends, as a create does; whether
// it made one, the plan or the server's answer says.
func TestBirthByOtherVerbs(t *testing.T) {
	lost := `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`
	for _, c := range []struct {
		verb  term.Verb
		code  int
		birth bool
		want  []string
	}{
		{term.Apply, 201, true, []string{lost}},
		{term.Apply, 201, false, []string{lost}},
		{term.Apply, 200, true, []string{lost}},
		{term.ClientSideApply, 201, true, []string{lost}},
		{term.Apply, 200, false, nil}, // it was there before: nobody saw it come
	} {
		s := mixed(t)
		created := s.create("treated-1", onlyShine)
		s.patch("treated-1", via("b"))
		s.born(created, c.verb, c.code, c.birth)
		s.finds(c.want...)
	}
}

// Each apply sends everything again: that offers nothing anew, and a value that
// it brings back is there again.
func TestApplySendsEverythingAgain(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b")) // step 4
	s.does(term.Apply, "treated-1", parse(t, `{"spec": `+onlyShine+`}`), []edit{with(".spec.shine", object{"level": int64(3)})}, via("a"))
	s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "treated-1"), ".spec.shine.level"); got != term.Kept {
		t.Errorf("it ends %s, want kept", got)
	}
	s.patch("treated-1", via("b")) // step 6
	s.finds(
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 6 (upgrading 1/2)`)
}

// What one life of a copy held, the next does not owe.
func TestDeletedAndMadeAnew(t *testing.T) {
	for _, verb := range []term.Verb{term.Delete, term.DeleteCollection} {
		s := mixed(t)
		s.create("bystander-1", `{"colour": "red", "size": "1"}`)
		deleted := s.delete("bystander-1")
		s.planned(deleted).Verb = verb
		s.again("bystander-1", `{"size": "2"}`)
		s.patch("bystander-1", via("b"))
		res := s.finds()
		verdict(t, check(t, res, term.CheckNothingLost), term.Pass, "")
		s.store("bystander-1", ".spec.size", "3")
		s.edge()
		s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)
		_, ledger := s.judge()
		c := copyOf(t, ledger, "bystander-1")
		if c.Fields[0].State != term.Withdrawn || c.State != term.Changed {
			t.Errorf("%s: fields %+v, the copy %s", verb, c.Fields, c.State)
		}
	}
}

// again makes a copy that was deleted.
func (s *story) again(name, spec string) int {
	copies := s.h.Header.Plan.Copies
	number := s.create(name, spec)
	s.h.Header.Plan.Copies = copies
	return number
}

// A delete of a collection answers with a list, whose revision is any object's.
func TestRevisionOfACollection(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.create("bystander-2", `{"colour": "red"}`)
	deleted := s.delete("bystander-1")
	s.planned(deleted).Verb = term.DeleteCollection
	s.recorded(deleted, history.Act, "a").Revision = 12 // that of bystander-2
	res := s.finds()
	verdict(t, check(t, res, term.CheckNothingLost), term.Pass, "")
}

// The answer of /scale is no view of the object: its revision is the object's,
// and what the step names there it shows.
func TestScale(t *testing.T) {
	const size = ".spec.copies"
	play := func(edits ...edit) (*story, int) {
		s := mixed(t)
		s.h.Header.Plan.Manifests["widget"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget"}
		s.create("bystander-1", `{"colour": "red"}`)
		number := s.does(term.ScalePut, "bystander-1", spec(object{"size": "4"}), edits, read("a"), set(".spec.size", "4"))
		for _, purpose := range []history.Purpose{history.Read, history.Act} {
			x := s.recorded(number, purpose, "a")
			x.Answer = s.blob(object{"kind": "Scale", "spec": object{"size": "4"}, "metadata": object{"resourceVersion": "12"}})
		}
		return s, number
	}
	s, _ := play()
	s.finds()
	s.store("bystander-1", ".spec.size", "5")
	s.edge()
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)

	s, _ = play(with(".spec.colour", nil))
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)

	s, number := play(with(".spec.colour", nil)) // nothing but the scale's answer tells whose write it was
	for _, replica := range []string{"a", "b"} {
		s.recorded(number, history.Look, replica).Code = 503
	}
	s.edge()
	res, _ := s.judge()
	if f := res.Findings[len(res.Findings)-1]; f.Check == term.CheckNothingLost && f.Step != number {
		t.Errorf("%s", brief(f))
	}
	_ = size
}

// The outcome of a write that met conflicts is that of its last turn.
func TestTurns(t *testing.T) {
	for name, order := range map[string]bool{"in order": true, "the last turn first": false} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		put := s.put("treated-1", read("b"), via("a"))
		var first []history.Operation
		for i := range s.h.Operations {
			op := &s.h.Operations[i]
			if op.Step != put || op.Purpose == history.Look {
				continue
			}
			conflict := *op
			if op.Purpose == history.Act {
				conflict.Exchange = history.Exchange{Method: "PUT", Code: 409, Message: "conflict", Sent: op.Exchange.Sent}
			} else { // the first read was shown the value: the last one was not
				conflict.Exchange.Answer = s.blob(s.h.Object(s.h.Changes[0].Value))
			}
			op.Turn = 1
			first = append(first, conflict)
		}
		if order {
			s.h.Operations = append(first, s.h.Operations...)
		} else {
			s.h.Operations = append(s.h.Operations, first...)
		}
		res, _ := s.judge()
		if got := brief(res.Findings[0]); len(res.Findings) != 1 || got != `nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What a dry run answers is not what is stored.
func TestDryRunsShowNothing(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	tried := s.step(plan.Step{Action: plan.Attempt})
	o := s.served("bystander-1", term.New)
	with(".spec.colour", nil)(t, o)
	for _, purpose := range []history.Purpose{history.Try, history.Probe} {
		s.h.Operations = append(s.h.Operations, history.Operation{
			Step: tried, Copy: "bystander-1", Purpose: purpose, Replica: "a", Role: term.New, Attempt: term.LabelAttempt,
			Exchange: history.Exchange{Method: "PATCH", Code: 200, Answer: s.blob(o), Revision: 11},
		})
	}
	res, _ := s.judge()
	for _, f := range res.Findings {
		if f.Check == term.CheckNothingLost {
			t.Error(brief(f))
		}
	}
	if res.Counts.Looks != 4 || res.Counts.Operations != 1 {
		t.Errorf("%+v", res.Counts)
	}
}

// A version that no step wrote is placed among those that had not seen it, and
// those that had.
func TestOwnWriteAmongSteps(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.get("bystander-1") // step 4
	s.store("bystander-1", ".spec.colour", nil)
	s.get("bystander-1") // step 5
	s.patch("bystander-1")
	s.says(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`,
		"was lost after step 4 (upgrading 1/2) and before step 5 (upgrading 1/2): a write that no step asked for (the servers' own)")

	s = mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	patched := s.patch("bystander-1") // a server writes after it, before the looks
	s.store("bystander-1", ".spec.colour", nil)
	for _, replica := range []string{"a", "b"} {
		x := s.recorded(patched, history.Look, replica)
		x.Answer, x.Revision = s.blob(s.served("bystander-1", s.serving[replica])), s.revision["bystander-1"]
	}
	s.says(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`, "was lost while step 4 (upgrading 1/2) was played")

	res, _ := s.judge()
	if f := res.Findings[0]; f.Client != "" || f.Verb != "" || f.Via != "" || strings.Contains(f.Message, "dynamic") {
		t.Errorf("a client is named: %+v", f)
	}
}
