package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// rolledBack has a copy that is created on the new release and then seen
// by nobody but the old.
func rolledBack(t *testing.T, name string) *story {
	s := mixed(t)
	s.create(name, onlyShine) // step 3
	s.stage("rolling-back 1/2", term.Old, term.New)
	s.edge()
	s.stage("rolled-back", term.Old, term.Old)
	return s // step 6
}

func (s *story) reUpgraded() {
	s.stage("re-upgrading 1/2", term.New, term.Old)
	s.edge()
}

func TestResurrection(t *testing.T) {
	s := rolledBack(t, "untouched-1")
	hidden := s.edge()
	s.reUpgraded()
	res := s.finds(`resurrection impact resurrection resurrected unattributed untouched-1 .spec.shine in step 9 (re-upgrading 1/2)`)
	f := res.Findings[0]
	want := `Widget untouched-1: .spec.shine = {"level":3}, acknowledged in step 3 (v2.0.0), hidden from every replica at rolled-back, is served again in step 9 (re-upgrading 1/2) by a (v2.0.0), though nothing wrote it: the operator thought it gone; impact under resurrection`
	if f.Message != want || f.Replica != "a" || f.Via != term.New || f.Release != newVersion {
		t.Errorf("finding: %+v\nwant message: %s", f, want)
	}
	_, ledger := s.judge()
	c := copyOf(t, ledger, "untouched-1")
	if got := stateSeen(t, c, 3, "a", ".spec.shine.level"); got != term.Kept {
		t.Errorf("at first: %s, want kept", got)
	}
	if got := stateSeen(t, c, hidden, "a", ".spec.shine.level"); got != term.Hidden {
		t.Errorf("rolled back: %s, want hidden", got)
	}
	if got := stateSeen(t, c, 9, "a", ".spec.shine.level"); got != term.Resurrected {
		t.Errorf("re-upgraded: %s, want resurrected", got)
	}
	if field(c, ".spec.shine.level") != term.Resurrected || field(c, ".spec.colour") != term.Kept || c.State != term.Resurrected {
		t.Errorf("ends: %+v, copy %s", c.Fields, c.State)
	}
}

// The near misses: each takes away one thing without which nothing was risen.
func TestNoResurrection(t *testing.T) {
	cases := map[string]func(t *testing.T) *story{
		"one replica showed it throughout": func(t *testing.T) *story {
			s := mixed(t)
			s.create("untouched-1", onlyShine)
			s.edge()
			s.stage("rolling-back 1/2", term.Old, term.New)
			s.edge()
			s.reUpgraded()
			return s
		},
		"a replica did not answer while it was hidden": func(t *testing.T) *story {
			s := rolledBack(t, "untouched-1")
			edge := s.edge()
			l := s.listed(edge, "b")
			l.Items = nil
			fails(&l.Exchange, 500, "busy")
			s.reUpgraded()
			return s
		},
		"the record lost a replica's answer while it was hidden": func(t *testing.T) *story {
			s := rolledBack(t, "untouched-1")
			s.listed(s.edge(), "b").Items[0].Answer = "gone"
			s.reUpgraded()
			return s
		},
		"nothing looked while it was hidden": func(t *testing.T) *story {
			s := rolledBack(t, "untouched-1")
			s.reUpgraded()
			return s
		},
		"it was lost, not hidden": func(t *testing.T) *story {
			s := rolledBack(t, "untouched-1")
			s.edge()
			s.store("untouched-1", ".spec.shine", nil)
			s.reUpgraded()
			return s
		},
		"it came back as another value": func(t *testing.T) *story {
			s := rolledBack(t, "untouched-1")
			s.edge()
			s.store("untouched-1", ".spec.shine", object{"level": 4})
			s.reUpgraded()
			return s
		},
		"the copy is not an untouched one": func(t *testing.T) *story {
			s := rolledBack(t, "treated-1")
			s.edge()
			s.reUpgraded()
			return s
		},
	}
	for name, told := range cases {
		t.Run(name, func(t *testing.T) {
			res, _ := told(t).judge()
			for _, f := range res.Findings {
				if f.Check == term.CheckResurrection {
					t.Errorf("found: %s", f.Message)
				}
			}
		})
	}
}

// The check belongs to journeys that come back, and to histories that hold an
// untouched copy.
func TestResurrectionApplies(t *testing.T) {
	s := mixed(t, term.Upgrade, term.Rollback)
	s.create("untouched-1", `{"colour": "red"}`)
	res, _ := s.judge()
	absent(t, res, term.CheckResurrection)

	s = mixed(t)
	s.create("treated-1", `{"colour": "red"}`)
	res, _ = s.judge()
	absent(t, res, term.CheckResurrection)

	s = mixed(t)
	s.create("untouched-1", `{"colour": "red"}`, refused(422, "no"))
	res, _ = s.judge()
	verdict(t, check(t, res, term.CheckResurrection), term.Unknown, "it saw nothing to judge")
}

// A value that comes back where the old release publishes it too is no impact.
func TestResurrectionOfWhatBothPublish(t *testing.T) {
	s := mixed(t)
	created := s.create("untouched-1", `{"colour": "red", "size": "1"}`)
	s.stage("rolled-back", term.Old, term.Old)
	edge := s.edge()
	for _, replica := range []string{"a", "b"} {
		item := &s.listed(edge, replica).Items[0]
		item.Answer = s.bend(item.Answer, ".spec.colour", nil)
	}
	s.reUpgraded()
	if created != 3 || s.recorded(created, history.Act, "a").Code != 200 {
		t.Fatal("the story has changed")
	}
	s.finds(
		`nothing-lost violation rule-2 hidden unattributed untouched-1 .spec.colour in step 5 (rolled-back)`,
		`resurrection violation resurrection resurrected unattributed untouched-1 .spec.colour in step 7 (re-upgrading 1/2)`)
}
