package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// skipCall plans a call of a control copy that the run then skips.
func skipCall(run *oracletest.Run, verb term.Verb, name string, options ...oracletest.Option) {
	a := run.Begin(verb, name, options)
	if p := &run.History.Header.Plan; verb == term.Create {
		p.Copies = append(p.Copies, plan.Copy{Name: name, Object: a.Manifest, Role: term.Control, Manifest: a.Manifest})
	}
	run.History.Skips = append(run.History.Skips, history.Skip{Step: a.Step.Number, Reason: "some reason"})
}

// newKind is a run whose calls at stage old are all skipped: the old release does not
// serve the kind or, in the counterexample, something else was in the way.
func newKind(t *testing.T, serves bool) *oracletest.Run {
	run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
	if !serves {
		run.Schemas[term.Old] = oracletest.Schema(t, oracletest.Document(t, oracletest.Object{"Meta": oracletest.Metadata()}))
	}
	for role, release := range run.History.Releases {
		release.Schemas = map[string]string{"example.dev/v1": "digest"}
		run.History.Releases[role] = release
	}
	skipCall(run, term.Create, "control-1", oracletest.By(term.OldTyped))
	skipCall(run, term.MergePatch, "control-1")
	skipCall(run, term.MergePatch, "control-1", oracletest.By(term.OldTyped))
	run.Stage("new", term.New, term.New)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Create("treated-1", oracletest.PlainSpec)
	run.Patch("bystander-1")
	skipCall(run, term.MergePatch, "treated-1", oracletest.By(term.OldTyped))
	run.Observe()
	run.Stage("rolled-back", term.Old, term.Old)
	return run
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
		run := newKind(t, serves)
		res := run.ExpectFindings()
		for _, name := range about {
			c := oracletest.Check(t, res, name)
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
		run := oracletest.NewRun(t, term.Upgrade)
		run.History.Header.Plan.Releases = []plan.Release{{Role: term.Old}, {Role: term.New}} // as each run has
		for role, release := range run.History.Releases {
			release.Schemas = map[string]string{"example.dev/v1": "digest"}
			run.History.Releases[role] = release
			if !serves {
				run.Schemas[role] = oracletest.Schema(t, oracletest.Document(t, oracletest.Object{"Meta": oracletest.Metadata()}))
			}
		}
		skipCall(run, term.Create, "control-1")
		skipCall(run, term.MergePatch, "control-1")
		run.Observe()
		res := run.ExpectFindings()
		for _, name := range []term.CheckName{term.CheckNothingLost, term.CheckAnswers} {
			c := oracletest.Check(t, res, name)
			assert.Equal(t, []any{want, 0}, []any{c.Verdict, c.Judged}, "%s: %s", name, c.Reason)
			assert.NotEmpty(t, c.Reason)
		}
		overall := term.Pass
		if serves {
			overall = term.Unknown
		}
		assert.Equal(t, overall, res.Verdict, res.Reason)
		assert.NoError(t, res.Contradictions())
		run.History.End.Outcome = history.Interrupted
		ended := run.Result()
		assert.Equal(t, term.Unknown, ended.Verdict)
		assert.NoError(t, ended.Contradictions())
	}
}

// TestEveryCheckIsListed: a check that the plan has no subject for is listed, and says why.
func TestEveryCheckIsListed(t *testing.T) {
	run := oracletest.NewRun(t, term.Upgrade)
	run.Create("treated-1", oracletest.PlainSpec)
	run.Observe()
	res := run.ExpectFindings()
	is := verdictsOf(res)
	for _, e := range term.Checks() {
		assert.Contains(t, is, e.Word)
	}
	for _, name := range []term.CheckName{term.CheckResurrection, term.CheckRule4, term.CheckRule6, term.CheckInstalls, term.CheckEmulates} {
		oracletest.ExpectNotApplicable(t, res, name)
	}
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
}
