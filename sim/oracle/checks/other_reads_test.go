package checks_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// readByOldAlone ends rolled back, with a write that only the old release looked at.
func readByOldAlone(t *testing.T, store any) *oracletest.Run {
	run := oracletest.NewMixed(t, term.Upgrade, term.Rollback)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Patch("treated-1", oracletest.Via("b"))
	if store != nil { // a server that carried it, unlike a real one
		o := oracletest.Clone(t, run.Stored["treated-1"])
		oracletest.With(".spec.shine", store)(t, o)
		run.History.Changes[len(run.History.Changes)-1].Value = run.Blob(o)
	}
	return run
}

// A scratch store shows what nothing else has read. It shows the loss, and that there is
// none; one of the other release, of other bytes or that failed shows nothing.
func TestScratchStoreDecides(t *testing.T) {
	kept := oracletest.Object{"level": int64(3)}
	lost := `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (rolled-back)`
	cases := map[string]struct {
		store         any
		try           func(run *oracletest.Run)
		indeterminate int
		want          []string
	}{
		"nothing tried":       {nil, func(*oracletest.Run) {}, 1, nil},
		"lost":                {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12) }, 0, []string{lost}},
		"kept":                {kept, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12) }, 0, nil},
		"the old release's":   {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.Old, "treated-1", 12) }, 1, nil},
		"of another version":  {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 11) }, 1, nil},
		"of other bytes":      {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Value = "other" }, 1, nil},
		"of another key":      {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Key = "other" }, 1, nil},
		"of another revision": {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Revision = 99 }, 1, nil},
		"of another form": {nil, func(run *oracletest.Run) {
			run.ReadInScratchStore(term.New, "treated-1", 12).APIVersion = "example.dev/v2"
		}, 1, nil},
		"a LIST":            {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Trial = history.TrialList }, 1, nil},
		"without an object": {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Answer = "" }, 1, nil},
		"of no copy":        {nil, func(run *oracletest.Run) { run.ReadInScratchStore(term.New, "treated-1", 12).Copy = "who" }, 1, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			run := readByOldAlone(t, c.store)
			c.try(run)
			res, _ := run.Judge()
			if got := oracletest.Check(t, res, term.CheckNothingLost).Indeterminate; got != c.indeterminate {
				t.Errorf("indeterminate %d, want %d", got, c.indeterminate)
			}
			var got []string
			for _, f := range res.Findings {
				if f.Check == term.CheckNothingLost {
					got = append(got, oracletest.Brief(f))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("findings: %v, want %v", got, c.want)
			}
		})
	}
}

// A scratch store places a write of the servers' own where it happened, not where it was
// seen.
func TestScratchStorePlacesOwnWrites(t *testing.T) {
	begin := func() *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Change("bystander-1", ".spec.colour", nil) // revision 12
		run.Patch("bystander-1", oracletest.Via("a"))
		return run
	}
	run := begin()
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
	run = begin()
	run.ReadInScratchStore(term.New, "bystander-1", 12)
	run.ExpectMessage(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`,
		"was lost after step 3 (upgrading 1/2) and before step 4 (upgrading 1/2): a write that no step asked for")
}

// What is read in a scratch store nobody was served: no row shows it, nothing comes alive by
// it, and it makes no fact.
func TestScratchStoreServesNobody(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("untouched-1", oracletest.ShineSpec)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Observe()
	before, ledger := run.Judge()
	run.ReadInScratchStore(term.New, "untouched-1", 11)
	after, withTrial := run.Judge()
	if before.Checks[0].Judged != after.Checks[0].Judged || len(after.Findings) != len(before.Findings) {
		t.Errorf("before: %+v\nafter: %+v", before.Checks, after.Checks)
	}
	if rows := len(oracletest.Ledger(t, withTrial, "untouched-1").Rows); rows != len(oracletest.Ledger(t, ledger, "untouched-1").Rows) {
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
		run := readByOldAlone(t, nil)
		run.ShowInWatch(event, term.New, "treated-1")
		res, _ := run.Judge()
		var got []string
		for _, f := range res.Findings {
			if f.Check == term.CheckNothingLost {
				got = append(got, oracletest.Brief(f))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", event, got, want)
		}
	}
}

// A watch that does not show what is stored withholds it, as any answer does; a
// scratch store serves nobody, and withholds nothing.
func TestWatchWithholds(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	trial := run.ReadInScratchStore(term.New, "bystander-1", 11)
	trial.Answer = run.Edited(trial.Answer, ".spec.colour", nil)
	run.ExpectFindings()
	run.ShowInWatch(history.WatchAdded, term.New, "bystander-1")
	run.ExpectFindings()
	run.History.Watches[0].Answer = run.Edited(run.History.Watches[0].Answer, ".spec.colour", nil)
	run.ExpectFindings(`nothing-lost violation rule-2 hidden unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	if created != 3 {
		t.Errorf("created in step %d", created)
	}
}
