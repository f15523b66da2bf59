package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A watch that its server ended, and that was opened again where it left off, is
// one watch: it owes what it owed before.
func TestWatchOpenedAgain(t *testing.T) {
	begin := func() (*story, *watching) {
		s := mixed(t)
		w := s.watch("b") // step 3, revision 10
		s.create("bystander-1", plainSpec)
		s.patch("bystander-1")
		s.delete("bystander-1") // revisions 11, 12, 13
		w.tell(history.WatchAdded, "bystander-1", 11)
		return s, w
	}
	s, w := begin()
	w.tell(history.WatchOpened, "", 11)
	w.tell(history.WatchModified, "bystander-1", 12)
	w.tell(history.WatchDeleted, "bystander-1", 13)
	w.close()
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("the control: %+v", c)
	}

	s, w = begin()
	w.tell(history.WatchDeleted, "bystander-1", 13)
	w.tell(history.WatchOpened, "", 13)
	s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
}

// What a trial waited for no longer is not told: late and left out look the same.
func TestTrialGaveUp(t *testing.T) {
	s := oneStored(t)
	s.trial()
	late := s.trialOf(history.TrialWatch, term.Old, "")
	late.Missing = []string{"bystander-1"}
	s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
	late.GaveUp = true
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Unknown,
		"1 facts are indeterminate: on a scratch store, the run stopped waiting for what a LIST or a WATCH had not shown yet")
}

// A conflict that a client went on from is not what its step came to, when what
// it read then failed: the step was not played.
func TestSkippedAfterConflict(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	n := s.put("bystander-1")
	x := s.recorded(n, history.Act, "a")
	x.Code, x.Reason = 409, "Conflict"
	if len(briefs(s)) == 0 {
		t.Error("the control: a conflict that stands")
	}
	s.h.Skips = append(s.h.Skips, skip(n, "the read before it was answered 500"))
	if found := briefs(s); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}

func briefs(s *story) (all []string) {
	res, _ := s.judge()
	for _, f := range res.Findings {
		all = append(all, brief(f))
	}
	return all
}

// A WATCH that was closed owes what was stored by then, also by the servers themselves.
func TestWatchOwesWhatWasStoredByItsEnd(t *testing.T) {
	for late, untold := range map[bool]int{true: 1, false: 0} {
		s := mixed(t)
		w := s.watch("a")
		s.create("bystander-1", plainSpec)
		w.catchUp()
		s.store("bystander-1", ".metadata.annotations.note", "a server's")
		end := s.head
		if !late {
			end--
		}
		w.tell(history.WatchClosed, "", end)
		if got := check(t, s.finds(), term.CheckEverythingDecodes).Indeterminate; got != untold {
			t.Errorf("late %t: %d facts are indeterminate, want %d", late, got, untold)
		}
	}
}
