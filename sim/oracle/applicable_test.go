package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// unplayed plans a call of a control copy that the run then skips.
func (s *story) unplayed(verb term.Verb, name string, options ...option) {
	a := s.begin(verb, name, options)
	if p := &s.h.Header.Plan; verb == term.Create {
		p.Copies = append(p.Copies, plan.Copy{Name: name, Object: a.kind, Role: term.Control, Manifest: a.kind})
	}
	s.h.Skips = append(s.h.Skips, history.Skip{Step: a.step.Number, Reason: "some reason"})
}

// newcomer is a run whose calls at stage old are all skipped: the old release does not
// serve the kind or, in the counterexample, something else was in the way.
func newcomer(t *testing.T, serves bool) *story {
	s := tell(t, term.Upgrade, term.Rollback)
	if !serves {
		s.schemas[term.Old] = schemaOf(t, documentOf(t, object{"Meta": metadata()}))
	}
	for role, release := range s.h.Releases {
		release.Schemas = map[string]string{"example.dev/v1": "digest"}
		s.h.Releases[role] = release
	}
	s.unplayed(term.Create, "control-1", by(term.OldTyped))
	s.unplayed(term.MergePatch, "control-1")
	s.unplayed(term.MergePatch, "control-1", by(term.OldTyped))
	s.stage("new", term.New, term.New)
	s.create("bystander-1", plainSpec)
	s.create("treated-1", plainSpec)
	s.patch("bystander-1")
	s.unplayed(term.MergePatch, "treated-1", by(term.OldTyped))
	s.edge()
	s.stage("rolled-back", term.Old, term.Old)
	return s
}

func verdictsOf(res result.Result) map[term.CheckName]term.VerdictWord {
	all := map[term.CheckName]term.VerdictWord{}
	for _, c := range res.Checks {
		all[c.Name] = c.Verdict
	}
	return all
}

// TestKindOfOneReleaseOnly: of a kind that the old release does not serve, no call can be
// held against the same call before the upgrade: such checks are not applicable. Where both
// serve it, and nothing was seen, they are unknown.
func TestKindOfOneReleaseOnly(t *testing.T) {
	about := []term.CheckName{term.CheckRule1, term.CheckRule2, term.CheckRule6}
	for serves, want := range map[bool]term.VerdictWord{false: term.NotApplicable, true: term.Unknown} {
		s := newcomer(t, serves)
		res := s.finds()
		for _, name := range about {
			c := check(t, res, name)
			assert.Equal(t, []any{want, 0}, []any{c.Verdict, c.Judged}, "%s: %s", name, c.Reason)
			assert.NotEmpty(t, c.Reason)
		}
		overall := term.Pass
		if serves {
			overall = term.Unknown
		}
		assert.Equal(t, overall, res.Verdict, res.Reason)
	}
}

// TestKindOfNoRelease: of a kind that neither release of an A/A run serves, no call can be
// played, and nothing can be lost. Where they serve it, and nothing was seen, that is unknown.
// A merge accepts each of these results, also where the run ended early.
func TestKindOfNoRelease(t *testing.T) {
	for serves, want := range map[bool]term.VerdictWord{false: term.NotApplicable, true: term.Unknown} {
		s := tell(t, term.Upgrade)
		s.h.Header.Plan.Releases = []plan.Release{{Role: term.Old}, {Role: term.New}} // as each run has
		for role, release := range s.h.Releases {
			release.Schemas = map[string]string{"example.dev/v1": "digest"}
			s.h.Releases[role] = release
			if !serves {
				s.schemas[role] = schemaOf(t, documentOf(t, object{"Meta": metadata()}))
			}
		}
		s.unplayed(term.Create, "control-1")
		s.unplayed(term.MergePatch, "control-1")
		s.edge()
		res := s.finds()
		for _, name := range []term.CheckName{term.CheckNothingLost, term.CheckAnswers} {
			c := check(t, res, name)
			assert.Equal(t, []any{want, 0}, []any{c.Verdict, c.Judged}, "%s: %s", name, c.Reason)
			assert.NotEmpty(t, c.Reason)
		}
		overall := term.Pass
		if serves {
			overall = term.Unknown
		}
		assert.Equal(t, overall, res.Verdict, res.Reason)
		assert.NoError(t, res.Contradictions())
		s.h.End.Outcome = history.Interrupted
		ended := s.result()
		assert.Equal(t, term.Unknown, ended.Verdict)
		assert.NoError(t, ended.Contradictions())
	}
}

// TestEveryCheckIsListed: a check that the plan has no subject for is listed, and says why.
func TestEveryCheckIsListed(t *testing.T) {
	s := tell(t, term.Upgrade)
	s.create("treated-1", plainSpec)
	s.edge()
	res := s.finds()
	is := verdictsOf(res)
	for _, e := range term.Checks() {
		assert.Contains(t, is, e.Word)
	}
	for _, name := range []term.CheckName{term.CheckResurrection, term.CheckRule4, term.CheckRule6, term.CheckInstalls, term.CheckEmulates} {
		absent(t, res, name)
	}
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
}
