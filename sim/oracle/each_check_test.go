package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// defect is a story with a defect that one check alone finds, or, where wrong is false,
// its near miss: all the same, with nothing wrong.
type defect struct {
	tell func(t *testing.T, wrong bool) *story
	want string // the finding
}

// refusedOr refuses the call of a defect.
func refusedOr(wrong bool, code int) option {
	if !wrong {
		return func(*act) {}
	}
	return refused(code, "no")
}

// touchedAfter is a story in which an old client touches a new copy as it did before.
func touchedAfter(name, spec string) func(t *testing.T, wrong bool) *story {
	return func(t *testing.T, wrong bool) *story {
		s := controlled(t)
		s.create(name, spec)
		s.patch(name, by(term.OldTyped), refusedOr(wrong, 422))
		return s
	}
}

func lostValue(t *testing.T, wrong bool) *story {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via(map[bool]string{true: "b", false: "a"}[wrong]))
	return s
}

func unreadable(t *testing.T, wrong bool) *story {
	s := mixed(t)
	step := s.create("bystander-1", plainSpec)
	if wrong {
		fails(s.recorded(step, history.Look, "b"), 500, "unable to decode")
	}
	return s
}

func frozen(t *testing.T, wrong bool) *story {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.stage("new", term.New, term.New)
	step := s.attempt("bystander-1")
	if wrong {
		fails(&s.tried(step, "bystander-1", "b", term.LabelAttempt).Exchange, 422, "no")
	}
	return s
}

func risen(t *testing.T, wrong bool) *story {
	s := rolledBack(t, "untouched-1")
	s.edge()
	if !wrong {
		s.schemas[term.Old] = s.schemas[term.New]
		for i := range s.h.Listings {
			for j := range s.h.Listings[i].Items {
				s.h.Listings[i].Items[j].Answer = s.blob(s.served("untouched-1", term.New))
			}
		}
	}
	s.reUpgraded()
	return s
}

func anotherDefault(t *testing.T, wrong bool) *story {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	step := s.patch("bystander-1", by(term.OldTyped))
	if wrong {
		x := s.recorded(step, history.Act, "a")
		x.Answer = s.bend(x.Answer, ".spec.notes.by", "a default")
	}
	return s
}

// harmfulField sends the change to the old release, which fails; or refuses it, which
// is no harm.
func harmfulField(t *testing.T, wrong bool) *story {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", read("a"), via("b"), refused(map[bool]int{true: 500, false: 422}[wrong], "no"))
	return s
}

func convertedAway(t *testing.T, wrong bool) *story {
	s := mixed(t)
	s.create("bystander-1", plainSpec, via("b"))
	step := s.patch("bystander-1")
	s.stepOf(step, func(p *plan.Step) { p.APIVersion = "example.dev/v1beta1" })
	if wrong {
		for _, replica := range []string{"a", "b"} {
			look := s.recorded(step, history.Look, replica)
			look.Answer = s.bend(look.Answer, ".spec.size", nil)
		}
	}
	return s
}

func changedByRollback(t *testing.T, wrong bool) *story {
	return back(t, "bystander-1", func(s *story) {
		if wrong {
			s.store("bystander-1", ".spec.notes.by", "another")
		}
	})
}

func refusedManifest(t *testing.T, wrong bool) *story {
	s := ofManifests(t)
	s.stage("new", term.New, term.New)
	s.installs(term.New, history.Installed{Code: 200, Stored: []string{"v1"}})
	s.stage("rolled-back", term.Old, term.Old)
	s.installs(term.Old, history.Installed{Code: map[bool]int{true: 422, false: 200}[wrong], Stored: []string{"v1"}, Versions: []string{"v1"}})
	s.create("bystander-1", twoParts)
	return s
}

func unlikeEmulated(t *testing.T, wrong bool) *story {
	s := side(t).emulating("1.0")
	if !wrong {
		s.schemas[term.Old] = s.schemas[term.New]
	}
	s.create("untouched-1", onlyShine, via("a"))
	return s
}

func wrongAnswer(t *testing.T, wrong bool) *story {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.patch("bystander-1", refusedOr(wrong, 422))
	return s
}

// defects has one of each check.
func defects() map[term.CheckName]defect {
	return map[term.CheckName]defect{
		term.CheckNothingLost:       {lostValue, "nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)"},
		term.CheckEverythingDecodes: {unreadable, "everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)"},
		term.CheckStaysWritable:     {frozen, "stays-writable violation stays-writable frozen unattributed bystander-1  in step 5 (new)"},
		term.CheckResurrection:      {risen, "resurrection impact resurrection resurrected unattributed untouched-1 .spec.shine in step 9 (re-upgrading 1/2)"},
		term.CheckRule1:             {touchedAfter("bystander-1", plainSpec), "rule-1 violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)"},
		term.CheckRule2:             {anotherDefault, "rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)"},
		term.CheckRule3:             {harmfulField, "rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)"},
		term.CheckRule4:             {convertedAway, "rule-4 violation rule-4 lost converted bystander-1 .spec.size in step 4 (upgrading 1/2)"},
		term.CheckRule5:             {touchedAfter("treated-1", onlyShine), "rule-5 violation rule-5 refused unattributed treated-1  in step 7 (upgrading 1/2)"},
		term.CheckRule6:             {changedByRollback, "rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 9 (rolled-back)"},
		term.CheckInstalls:          {refusedManifest, "installs violation installs refused unattributed   in step 3 (rolled-back)"},
		term.CheckAnswers:           {wrongAnswer, "answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)"},
		term.CheckEmulates:          {unlikeEmulated, "emulates impact emulation varies unattributed untouched-1 .spec.shine.level in step 3 (upgrading 1/2)"},
	}
}

// briefsOf are the findings of a check, one line each.
func briefsOf(res result.Result, of term.CheckName) (all []string) {
	for _, f := range res.Findings {
		if f.Check == of {
			all = append(all, brief(f))
		}
	}
	return all
}

// Each check finds a defect that no other check finds: with the check's body removed, the
// finding is gone and none comes in its place. The near miss has no finding of the check.
func TestEachCheckAlone(t *testing.T) {
	for _, word := range term.Checks().Words() {
		t.Run(word, func(t *testing.T) {
			name := term.CheckName(word)
			d, known := defects()[name]
			require.True(t, known, "no defect is written for the check")
			s := d.tell(t, true)
			res := s.result()
			assert.Equal(t, []string{d.want}, briefsOf(res, name))
			assert.Equal(t, term.Fail, check(t, res, name).Verdict)

			blind := oracle.Without(name, s.h, s.schemas)
			assert.Empty(t, briefsOf(blind, name))
			assert.Len(t, blind.Findings, len(res.Findings)-1, "another check finds it too")
			assert.NotEqual(t, term.Fail, check(t, blind, name).Verdict)

			assert.Empty(t, briefsOf(d.tell(t, false).result(), name), "the near miss")
		})
	}
}
