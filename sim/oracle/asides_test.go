package oracle_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// triedAt is what a trial of a release makes of a stored version of a copy.
func (s *story) triedAt(role term.Role, name string, revision int64) *history.Trial {
	i := slices.IndexFunc(s.h.Changes, func(c history.Change) bool { return c.Revision == revision && c.Key == "/example/"+name })
	if i < 0 {
		s.t.Fatalf("no change of %s at %d", name, revision)
	}
	o := s.prune(role, s.h.Object(s.h.Changes[i].Value))
	o["metadata"].(object)["resourceVersion"] = "4" // of the scratch store
	s.h.Trials = append(s.h.Trials, history.Trial{
		Role: role, Trial: history.TrialGet, APIVersion: o["apiVersion"].(string), Kind: o["kind"].(string), Copy: name,
		Key: s.h.Changes[i].Key, Value: s.h.Changes[i].Value, Revision: revision, Code: 200, Answer: s.blob(o),
	})
	return &s.h.Trials[len(s.h.Trials)-1]
}

// eventOf is an event of a watch that shows a stored version of a copy.
func (s *story) eventOf(event history.WatchEvent, role term.Role, name string) {
	o := s.served(name, role)
	s.h.Watches = append(s.h.Watches, history.Watch{
		Step: 1, Replica: "a", Role: role, APIVersion: "example.dev/v1", Kind: "Widget", Event: event, Copy: name,
		Answer: s.blob(o), Revision: s.revision[name],
	})
}

// readByOldAlone ends rolled back, with a write that only the old release looked at.
func readByOldAlone(t *testing.T, store any) *story {
	s := mixed(t, term.Upgrade, term.Rollback)
	s.create("treated-1", onlyShine)
	s.stage("rolled-back", term.Old, term.Old)
	s.patch("treated-1", via("b"))
	if store != nil { // a server that carried it, unlike a real one
		o := clone(t, s.stored["treated-1"])
		with(".spec.shine", store)(t, o)
		s.h.Changes[len(s.h.Changes)-1].Value = s.blob(o)
	}
	return s
}

// A trial reports what nothing else has read. It shows the loss, and that there is
// none; one of the other release, of other bytes or that failed tells nothing.
func TestTrialDecides(t *testing.T) {
	kept := object{"level": int64(3)}
	lost := `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (rolled-back)`
	cases := map[string]struct {
		store  any
		try    func(s *story)
		untold int
		want   []string
	}{
		"nothing tried":       {nil, func(*story) {}, 1, nil},
		"lost":                {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12) }, 0, []string{lost}},
		"kept":                {kept, func(s *story) { s.triedAt(term.New, "treated-1", 12) }, 0, nil},
		"the old release's":   {nil, func(s *story) { s.triedAt(term.Old, "treated-1", 12) }, 1, nil},
		"of another version":  {nil, func(s *story) { s.triedAt(term.New, "treated-1", 11) }, 1, nil},
		"of other bytes":      {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Value = "other" }, 1, nil},
		"of another key":      {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Key = "other" }, 1, nil},
		"of another revision": {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Revision = 99 }, 1, nil},
		"of another form":     {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).APIVersion = "example.dev/v2" }, 1, nil},
		"a LIST":              {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Trial = history.TrialList }, 1, nil},
		"without an object":   {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Answer = "" }, 1, nil},
		"of no copy":          {nil, func(s *story) { s.triedAt(term.New, "treated-1", 12).Copy = "who" }, 1, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := readByOldAlone(t, c.store)
			c.try(s)
			res, _ := s.judge()
			if got := check(t, res, term.CheckNothingLost).Indeterminate; got != c.untold {
				t.Errorf("indeterminate %d, want %d", got, c.untold)
			}
			var got []string
			for _, f := range res.Findings {
				if f.Check == term.CheckNothingLost {
					got = append(got, brief(f))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("findings: %v, want %v", got, c.want)
			}
		})
	}
}

// A trial puts a write of the servers' own where it happened, not where it was
// seen.
func TestTrialPlacesOwnWrites(t *testing.T) {
	story := func() *story {
		s := mixed(t)
		s.create("bystander-1", `{"colour": "red"}`)
		s.store("bystander-1", ".spec.colour", nil) // revision 12
		s.patch("bystander-1", via("a"))
		return s
	}
	s := story()
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
	s = story()
	s.triedAt(term.New, "bystander-1", 12)
	s.says(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`,
		"was lost after step 3 (upgrading 1/2) and before step 4 (upgrading 1/2): a write that no step asked for")
}

// What a trial reads nobody was served: no row shows it, nothing comes alive by
// it, and it makes no fact.
func TestTrialServesNobody(t *testing.T) {
	s := mixed(t)
	s.create("untouched-1", onlyShine)
	s.stage("rolled-back", term.Old, term.Old)
	s.edge()
	before, ledger := s.judge()
	s.triedAt(term.New, "untouched-1", 11)
	after, withTrial := s.judge()
	if before.Checks[0].Judged != after.Checks[0].Judged || len(after.Findings) != len(before.Findings) {
		t.Errorf("before: %+v\nafter: %+v", before.Checks, after.Checks)
	}
	if rows := len(copyOf(t, withTrial, "untouched-1").Rows); rows != len(copyOf(t, ledger, "untouched-1").Rows) {
		t.Errorf("%d rows", rows)
	}
	for _, c := range after.Checks {
		if c.Name == term.CheckResurrection && c.Findings > 0 {
			t.Error("a trial resurrected a value")
		}
	}
}

// An event of a watch shows its version too; that of a deletion shows none.
func TestWatchDecides(t *testing.T) {
	lost := `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (rolled-back)`
	for event, want := range map[history.WatchEvent][]string{history.WatchAdded: {lost}, history.WatchModified: {lost}, history.WatchDeleted: nil, history.WatchBookmark: nil} {
		s := readByOldAlone(t, nil)
		s.eventOf(event, term.New, "treated-1")
		res, _ := s.judge()
		var got []string
		for _, f := range res.Findings {
			if f.Check == term.CheckNothingLost {
				got = append(got, brief(f))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", event, got, want)
		}
	}
}

// A watch that does not show what is stored withholds it, as any answer does; a
// trial serves nobody, and withholds nothing.
func TestWatchWithholds(t *testing.T) {
	s := mixed(t)
	created := s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	trial := s.triedAt(term.New, "bystander-1", 11)
	trial.Answer = s.bend(trial.Answer, ".spec.colour", nil)
	s.finds()
	s.eventOf(history.WatchAdded, term.New, "bystander-1")
	s.finds()
	s.h.Watches[0].Answer = s.bend(s.h.Watches[0].Answer, ".spec.colour", nil)
	s.finds(`nothing-lost violation rule-2 hidden unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	if created != 3 {
		t.Errorf("created in step %d", created)
	}
}
