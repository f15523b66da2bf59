package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A copy that a call sends a value of the change to uses the change from then on,
// whatever it was made as; one that is merely touched is judged as before.
func TestChangeSentToABystander(t *testing.T) {
	play := func(change option) *story {
		s := adds(t, nil, mind{})
		s.create("control-1", narrow)
		s.patch("control-1", set(".spec.colour", "Blue"))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("bystander-1", narrow, via("b"))
		s.patch("bystander-1", change) // step 6
		return s
	}
	s := play(set(".spec.breadth", 9))
	if c := check(t, s.finds(), term.CheckRule2); c.Judged == 0 {
		t.Error("what it was before is judged")
	}

	s = play(set(".spec.colour", "Blue"))
	s.thinks(term.New, mind{shows: func(o object) { with(".status.extent", 27)(t, o) }})
	s.patch("bystander-1", set(".spec.colour", "Green")) // step 7
	s.finds(
		`rule-2 violation rule-2 changed unattributed bystander-1 .status.extent in step 7 (upgrading 1/2)`,
		`rule-2 violation rule-2 varies unattributed bystander-1 .status.extent in step 7 (upgrading 1/2)`)
}

// What a server without the change makes of it is an impact, on a bystander as on
// a treated copy; what a client's types have no place for, it did not send.
func TestChangeSentToABystanderThroughOld(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", via("b"), set(".spec.shine.level", 3))
	s.finds(`nothing-lost impact rule-3 not-accepted unknown-field bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	fail := refused(500, "field not declared")
	s = mixed(t)
	s.create("bystander-1", plainSpec)
	s.probe(s.patch("bystander-1", via("b"), set(".spec.shine.level", 3), fail), "b", 500)
	s.finds(`rule-3 impact rule-3 refused unattributed bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	for _, change := range []option{set(".spec.colour", "blue"), set(".spec.shine.level", nil)} {
		s = mixed(t)
		s.create("bystander-1", plainSpec)
		s.put("bystander-1", via("b"), change, by(term.OldTyped), fail)
		s.finds(`answers violation rule-1 failed unattributed bystander-1  in step 4 (upgrading 1/2)`)
	}
}

// After a rollback, too: who was sent the change is impacted by it, and who was
// not is served as before.
func TestRollbackOfABystanderWithTheChange(t *testing.T) {
	play := func(change option) *story {
		s := tell(t, term.Upgrade, term.Rollback)
		s.create("bystander-1", plainSpec)
		s.edge()
		s.stage("new", term.New, term.New)
		s.patch("bystander-1", change) // step 5
		s.stage("rolling-back 1/2", term.Old, term.New)
		s.edge()
		s.stage("rolled-back", term.Old, term.Old)
		s.store("bystander-1", ".metadata.annotations.made", "up")
		s.edge() // step 9
		return s
	}
	play(set(".spec.shine.level", 3)).finds()
	play(set(".spec.colour", "blue")).finds(`rule-6 violation rule-6 changed unattributed bystander-1 .metadata.annotations.made in step 9 (rolled-back)`)
}

// rule-3: a release that cannot decode the object at all fails at whatever it is
// sent, an unknown field too; that is no word about fields.
func TestRule3OfAnUnreadableObject(t *testing.T) {
	play := func(readable bool) *story {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		number := s.put("treated-1", read("a"), via("b"), refused(500, "no kind Widget is registered")) // step 4
		s.probe(number, "b", 500)
		if !readable {
			fails(s.recorded(3, history.Look, "b"), 500, "no kind Widget is registered")
			fails(s.recorded(number, history.Look, "b"), 500, "no kind Widget is registered")
		}
		return s
	}
	play(true).finds(`rule-3 impact rule-3 refused unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	play(false).finds(`everything-decodes violation storage undecodable unattributed treated-1  in step 3 (upgrading 1/2)`,
		`answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`)
}
