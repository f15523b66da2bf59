package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/exercise/rules"
)

// TestRuleTargets: the lap with gates tries the rules of versions that are off by default too, and
// none that the default lap has tried.
func TestRuleTargets(t *testing.T) {
	of := func(version string) []Row {
		return rowsOf(diff.Difference{Difference: term.RuleTightened, Group: "example.dev", Version: version, Kind: "Thing", Path: ".spec.size", Name: "maximum", Playable: true})
	}
	assert.Len(t, RuleTargets(of("v1alpha1"), term.GatesLap), 1)
	assert.Empty(t, RuleTargets(of("v1"), term.GatesLap))
	assert.Len(t, RuleTargets(of("v1"), term.DefaultLap), 1)
}

// TestNull: an explicit null that one release keeps is dropped by the other one, or means something else
// there; what only the new release keeps breaks no rule.
func TestNull(t *testing.T) {
	kept, gone, filled := rules.Answer{Accepted: true}, rules.Answer{Replaced: true}, rules.Answer{Replaced: true, Default: "d"}
	for _, c := range []struct {
		trial rules.Trial
		want  term.Fate
		class term.Class
	}{
		{rules.Trial{Old: kept, New: gone}, term.FateDropped, term.Violation},
		{rules.Trial{Old: kept, New: filled}, term.FateMeansOther, term.Violation},
		{rules.Trial{Old: gone, New: kept}, term.FateDropped, term.Impact},
		{rules.Trial{Old: filled, New: kept}, term.FateMeansOther, term.Impact},
	} {
		lap := Lap{Lap: term.DefaultLap, Rules: map[string]rules.Result{"row": {Sent: 1, Trials: []rules.Trial{c.trial}}}}
		o, known := outcomeOfRule(lap, Row{ID: "row"})
		assert.True(t, known)
		assert.Equal(t, c.want, o.Verdict)
		assert.Equal(t, c.class, o.Class)
		assert.False(t, o.Exercised)
	}
}

// TestUnansweredRule: a rule of which some values got no answer is not exercised; one whose values
// were all answered alike is kept.
func TestUnansweredRule(t *testing.T) {
	for unanswered, want := range []term.Fate{term.FateKept, term.FateNotExercised} {
		lap := Lap{Lap: term.DefaultLap, Rules: map[string]rules.Result{"row": {Sent: 2, BothAccept: 1, Unanswered: unanswered}}}
		o, known := outcomeOfRule(lap, Row{ID: "row"})
		assert.True(t, known)
		assert.Equal(t, want, o.Verdict)
		assert.NotEmpty(t, o.Reason)
	}
}
