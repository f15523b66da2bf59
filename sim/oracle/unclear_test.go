package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// unreadable makes the answer to a write protobuf that its client cannot decode.
func (s *story) unreadable(step int) {
	for i := range s.h.Operations {
		if o := &s.h.Operations[i]; o.Step == step && o.Purpose == history.Act {
			o.Undecoded = "old-typed cannot decode the answer: unknown wire type"
			o.Exchange.Answer, o.Exchange.AnswerBytes, o.Exchange.Revision = s.blob("cHJvdG9idWY="), "bytes", 0
		}
	}
}

// lossesOf are the findings of nothing-lost: what else a story has is another check's.
func (s *story) lossesOf(want ...string) {
	s.t.Helper()
	res, _ := s.judge()
	var got []string
	for _, f := range res.Findings {
		if f.Check == term.CheckNothingLost {
			got = append(got, brief(f))
		}
	}
	if len(got) != len(want) || len(want) == 1 && got[0] != want[0] {
		s.t.Errorf("%q, want %q", got, want)
	}
}

// What an answer that nobody could read accepted, the look after it tells; and
// that version is the write's own.
func TestAnswerThatCannotBeRead(t *testing.T) {
	s := mixed(t)
	s.unreadable(s.create("treated-1", onlyShine))
	s.edge()
	s.lossesOf()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "treated-1"), ".spec.shine.level"); got != term.Kept {
		t.Errorf("the value is %s, want kept", got)
	}
	s.patch("treated-1", via("b"))
	s.lossesOf(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`)

	s = mixed(t)
	s.create("treated-1", onlyShine)
	s.unreadable(s.patch("treated-1", via("b")))
	s.lossesOf(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// Where nothing else shows a value, it is unknown whether it was accepted.
func TestAnswerThatCannotBeReadAndNoLook(t *testing.T) {
	s := mixed(t)
	created := s.create("treated-1", onlyShine, via("b")) // which drops it
	s.unreadable(created)
	s.edge()
	s.lossesOf()
	res, ledger := s.judge()
	verdict(t, check(t, res, term.CheckNothingLost), term.Unknown, "1 facts are indeterminate: the client could not read the answer to a write")
	c := copyOf(t, ledger, "treated-1")
	if seen := stateSeen(t, c, created, "a", ".spec.shine.level"); seen != term.Indeterminate || field(c, ".spec.shine.level") != term.Indeterminate {
		t.Errorf("the row %s, the end %s; want indeterminate", seen, field(c, ".spec.shine.level"))
	}
}

// A write that failed and stored nothing withdraws nothing: what is lost later
// is lost. One that may have stored something does.
func TestUnclearWriteThatStoredNothing(t *testing.T) {
	busy, declared := refused(500, "oops"), respond(code(500))
	lost := `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`
	for name, c := range map[string]struct {
		writes int
		seen   bool
		want   []string
	}{
		"seen as it was, later":          {1, true, []string{lost}},
		"not seen before it was gone":    {1, false, nil},
		"one of two, it is not told who": {2, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"size": "1", "colour": "red"}`)
			for range c.writes {
				s.patch("bystander-1", set(".spec.colour", nil), busy, declared)
			}
			if c.seen {
				s.edge()
			}
			s.store("bystander-1", ".spec.colour", nil)
			s.edge()
			s.finds(c.want...)
		})
	}

	s := mixed(t) // nothing was ever stored again
	s.create("bystander-1", `{"size": "1", "colour": "red"}`)
	s.patch("bystander-1", set(".spec.colour", nil), busy, declared)
	s.edge()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != term.Kept {
		t.Errorf("it is %s, want kept", got)
	}
}

// A LIST from a cache may be late: that it shows the version before clears nobody.
func TestLateListClearsNoWrite(t *testing.T) {
	for form, want := range map[term.ListForm][]string{
		term.CachedList:     nil,
		term.ConsistentList: {`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`},
	} {
		s := mixed(t)
		s.create("bystander-1", `{"size": "1", "colour": "red"}`)
		s.patch("bystander-1", set(".spec.colour", nil), refused(504, "timeout"), respond(code(504)))
		at := s.edge()
		for _, replica := range []string{"a", "b"} {
			s.listed(at, replica).Form = form
		}
		s.store("bystander-1", ".spec.colour", nil)
		s.edge()
		s.lossesOf(want...)
	}
}

// A delete without a clear answer, after which the store records a deletion,
// was done: nothing need be shown after it. One that was not done took nothing.
func TestDeleteWithoutAnAnswer(t *testing.T) {
	for _, answer := range []int{0, 504} {
		s := mixed(t)
		s.create("bystander-1", `{"size": "1"}`)
		deleted := s.delete("bystander-1", respond(code(504)))
		x := s.recorded(deleted, history.Act, "a")
		x.Code, x.Message = answer, "timeout"
		if answer == 0 {
			x.Error = "EOF"
			s.stepOf(deleted, func(p *plan.Step) { p.Respond = nil })
		}
		s.edge()
		res, _ := s.judge()
		for _, f := range res.Findings {
			if f.State == term.Lost {
				t.Errorf("%d: %s", answer, brief(f))
			}
		}
	}

	s := mixed(t)
	s.create("bystander-1", `{"size": "1"}`)
	s.delete("bystander-1", refused(504, "timeout"), respond(code(504)))
	s.edge()
	s.gone("bystander-1") // by nobody: it had been seen since
	s.edge()
	res, _ := s.judge()
	if c := check(t, res, term.CheckEverythingDecodes); c.Findings == 0 {
		t.Errorf("what vanished is not told of: %+v", res.Findings)
	}
}
