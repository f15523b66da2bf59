package oracle_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// finds judges the story and compares all its findings, one line each.
func (s *story) finds(want ...string) result.Result {
	s.t.Helper()
	res, _ := s.judge()
	var got []string
	for _, f := range res.Findings {
		got = append(got, brief(f))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("findings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return res
}

// check returns one check of a result.
func check(t *testing.T, res result.Result, name term.CheckName) result.Check {
	t.Helper()
	for _, c := range res.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %s in %+v", name, res.Checks)
	return result.Check{}
}

// verdict compares the verdict and the reason of a check.
func verdict(t *testing.T, c result.Check, want term.VerdictWord, reason string) {
	t.Helper()
	if c.Verdict != want || c.Reason != reason {
		t.Errorf("%s: %s: %q, want %s: %q", c.Name, c.Verdict, c.Reason, want, reason)
	}
}

// copyOf returns the ledger of one copy.
func copyOf(t *testing.T, ledger result.Ledger, name string) result.CopyLedger {
	t.Helper()
	for _, c := range ledger.Copies {
		if c.Copy == name {
			return c
		}
	}
	t.Fatalf("no copy %s", name)
	return result.CopyLedger{}
}

// field is the state of one value at the end, "" when the ledger has none.
func field(c result.CopyLedger, at string) term.State {
	state := term.State("")
	for _, f := range c.Fields {
		if f.Path == at {
			state = f.State // the last: a value that is set again has two
		}
	}
	return state
}

// stateSeen is the state of a value in one row, through one replica.
func stateSeen(t *testing.T, c result.CopyLedger, step int, replica, at string) term.State {
	t.Helper()
	for _, row := range c.Rows {
		for _, v := range row.Views {
			if row.Step == step && v.Replica == replica {
				if state, ok := v.States[at]; ok {
					return state
				}
				return term.Kept
			}
		}
	}
	t.Fatalf("%s: no row of step %d shows %s", c.Copy, step, replica)
	return ""
}

// recorded is the operation of a step, for a test to bend.
func (s *story) recorded(step int, purpose history.Purpose, replica string) *history.Exchange {
	s.t.Helper()
	for i := range s.h.Operations {
		op := &s.h.Operations[i]
		if op.Step == step && op.Purpose == purpose && op.Replica == replica {
			return &op.Exchange
		}
	}
	s.t.Fatalf("step %d has no %s through %s", step, purpose, replica)
	return nil
}

// fails makes an exchange one that a server could not answer.
func fails(x *history.Exchange, code int, message string) {
	*x = history.Exchange{Method: x.Method, Code: code, Message: message}
	if code == 0 {
		x.Message, x.Error = "", message
	}
}

// listed is a LIST, for a test to bend.
func (s *story) listed(step int, replica string) *history.Listing {
	s.t.Helper()
	for i := range s.h.Listings {
		if l := &s.h.Listings[i]; l.Step == step && l.Replica == replica {
			return l
		}
	}
	s.t.Fatalf("step %d has no LIST through %s", step, replica)
	return nil
}

// bend records a changed form of an answer: value nil takes the path away.
func (s *story) bend(digest, at string, value any) string {
	s.t.Helper()
	o := s.h.Object(digest)
	p := parsePath(s.t, at)
	if value == nil {
		if !path.Remove(o, p) {
			s.t.Fatalf("%s is not there", at)
		}
	} else if err := path.Set(o, p, value); err != nil {
		s.t.Fatal(err)
	}
	return s.blob(o)
}

func parsePath(t testing.TB, text string) fieldpath.Path {
	t.Helper()
	p, err := path.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bodyOf makes a step one whose line gives the body.
func (s *story) bodyOf(step int, body any) {
	for i := range s.h.Header.Plan.Stages {
		for j := range s.h.Header.Plan.Stages[i].Steps {
			if at := &s.h.Header.Plan.Stages[i].Steps[j]; at.Number == step {
				at.Change.Kind, at.Change.Body, at.Change.Fields = plan.Body, body, nil
			}
		}
	}
}

func skip(step int, reason string) history.Skip { return history.Skip{Step: step, Reason: reason} }
