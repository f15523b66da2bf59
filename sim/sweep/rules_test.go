package sweep

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/result"
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
	assert.True(t, RuleTargets(of("v1"), term.DefaultLap)[0].Both, "no rule that either release has refuses the object before a change")
}

// TestNull: an explicit null that one release keeps is dropped by the other one, or means something else
// there; what only the new release keeps breaks no rule.
func TestNull(t *testing.T) {
	kept, gone, filled := try.Answer{Accepted: true}, try.Answer{Replaced: true}, try.Answer{Replaced: true, Default: "d"}
	for _, c := range []struct {
		trial try.Trial
		want  term.Effect
		class term.Class
	}{
		{try.Trial{Old: kept, New: gone}, term.Dropped.Effect(), term.Violation},
		{try.Trial{Old: kept, New: filled}, term.Changed.Effect(), term.Violation},
		{try.Trial{Old: gone, New: kept}, term.Dropped.Effect(), term.Impact},
		{try.Trial{Old: filled, New: kept}, term.Changed.Effect(), term.Impact},
	} {
		lap := Lap{Lap: term.DefaultLap, Rules: map[string]try.Result{"row": {Sent: 1, Trials: []try.Trial{c.trial}}}}
		o, known := outcomeOfRule(lap, Row{ID: "row"})
		assert.True(t, known)
		assert.Equal(t, c.want, o.Effect)
		assert.Equal(t, c.class, o.Class)
		assert.False(t, o.Exercised)
	}
}

// TestUnansweredRule: a rule of which some values got no answer is not exercised; one whose values
// were all answered alike is kept.
func TestUnansweredRule(t *testing.T) {
	for unanswered, want := range []term.Effect{term.Kept.Effect(), term.NotExercised.Effect()} {
		lap := Lap{Lap: term.DefaultLap, Rules: map[string]try.Result{"row": {Sent: 2, BothAccept: 1, Unanswered: unanswered}}}
		o, known := outcomeOfRule(lap, Row{ID: "row"})
		assert.True(t, known)
		assert.Equal(t, want, o.Effect)
		assert.NotEmpty(t, o.Reason)
	}
}

// TestPlayable: of many changes that a rule answers differently at most six are played, whatever their order is among
// others: one that each release accepts, a removal, an update, a value of each type, an empty one, one of each reason
// of a refusal. Others that are like one of these are counted.
func TestPlayable(t *testing.T) {
	old, new := try.Answer{Accepted: true}, try.Answer{Accepted: false, Code: 422, StatusCauses: []result.StatusCause{{Field: "spec.a", Reason: "FieldValueInvalid"}}}
	of := func(value any) try.Trial {
		return try.Trial{APIVersion: "v1", Kind: "Thing", Path: ".spec.a", Held: ".spec.a", Value: value, Object: map[string]any{}, Before: map[string]any{}, Old: old, New: new}
	}
	var many []try.Trial
	for i := range 50 {
		one := of(fmt.Sprint("a", i))
		one.New.StatusCauses = []result.StatusCause{{Field: "spec.a", Reason: "FieldValueInvalid", Message: fmt.Sprintf(`Invalid value: "a\"%d": must have %d letters or fewer`, i, i%3)}}
		many = append(many, one)
	}
	byNew, removal, update, unsupported := of("n"), of(nil), of("u"), of("s")
	byNew.Old, byNew.New, removal.Removed, update.Update = new, old, true, true
	unsupported.New.StatusCauses = []result.StatusCause{{Field: "spec.a", Reason: "FieldValueNotSupported"}}
	byHand := of("h")
	byHand.New.StatusCauses = []result.StatusCause{{Field: "spec.a", Reason: "FieldValueInvalid", Message: `Invalid value: "h": must not be h`}}
	row := ofThing(term.RuleChanged, ".spec.a", "pattern", "", "^b")
	for name, rare := range map[string][]try.Trial{
		"of each way and type":          {byNew, removal, update, of(int64(7))},
		"an empty value":                {of("")},
		"for another reason":            {unsupported},
		"by another validator":          {byHand},
		"two of one type, and an empty": {of(int64(8)), of(false)},
	} {
		for order, trials := range map[string][]try.Trial{"last": slices.Concat(many, rare), "first": slices.Concat(rare, many)} {
			some, leftOut := row.playable(try.Result{Trials: trials})
			assert.Subset(t, some, rare, "%s %s", name, order)
			assert.LessOrEqual(t, len(some), len(rare)+1, "%s %s", name, order)
			assert.Equal(t, len(trials), len(some)+leftOut, "%s %s", name, order)
			assert.Len(t, RuleObjects(row, try.Result{Trials: trials}), len(some), "%s %s", name, order)
			again, _ := row.playable(try.Result{Trials: trials})
			assert.Equal(t, some, again, "%s %s", name, order)
		}
	}
	var places []try.Trial
	for i := range 50 {
		place := of("a")
		place.Held = fmt.Sprintf(".spec.a[%d]", i)
		places = append(places, place)
	}
	some, leftOut := row.playable(try.Result{Trials: places})
	assert.Len(t, some, 6)
	assert.Equal(t, 44, leftOut)
}

// TestHiddenRule: a change whose refusal leaves open what a rule in CEL says is played, and shows the row only
// where something happens to it; one that is refused for another field alone is not, nor for a rule of a schema.
func TestHiddenRule(t *testing.T) {
	causes := []result.StatusCause{{Field: "spec.in.kind", Message: `Unsupported value: "b"`}, {Field: "<nil>", Message: "some validation rules were not checked because the object was invalid"}}
	of := func(rule string, causes []result.StatusCause) []Object {
		row := ofThing(term.RuleChanged, ".spec.in", rule, rule, rule+" || self.kind == 'b'")
		row.Messages = []string{"it needs a"}
		if rule == "oneOf" {
			row.New = `[{"required":["kind"]}]`
		}
		return RuleObjects(row, try.Result{Trials: []try.Trial{{
			APIVersion: "example.dev/v1", Kind: "Thing", Path: ".spec.in", Held: ".spec.in.kind", Value: "b", Object: map[string]any{}, Before: map[string]any{},
			Old: try.Answer{Code: 422, StatusCauses: causes}, New: try.Answer{Accepted: true},
		}}})
	}
	hidden := of("self.kind == 'a'", causes)
	require.Len(t, hidden, 1)
	assert.True(t, hidden[0].Target.Hidden)
	assert.Empty(t, of("self.kind == 'a'", causes[:1]))
	assert.Empty(t, of("oneOf", causes))
	rule := ofThing(term.RuleChanged, ".spec.in", "", "", "")
	assert.False(t, uses(rule, hidden[0].Target, []Cell{{Effect: term.Kept.Effect()}}))
	assert.True(t, uses(rule, hidden[0].Target, []Cell{{Effect: term.Kept.Effect()}, {Effect: term.PartlyFrozen.Effect()}}))
	assert.True(t, uses(rule, Target{}, []Cell{{Effect: term.Kept.Effect()}}))
}

// TestShowsNothing: what no release publishes is a row as far as servers show it; a published difference is one always.
func TestShowsNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		verdict term.Effect
		want    bool
	}{
		{Unstated, term.NotExercised.Effect(), true}, {Unstated, term.Kept.Effect(), true}, {Unstated, term.Refused.Effect(), false},
		{"minimum", term.NotExercised.Effect(), false}, {"minimum", term.Kept.Effect(), false},
	} {
		r := ofThing(term.RuleChanged, ".spec.a", c.name, "", "")
		r.Effect = c.verdict
		assert.Equal(t, c.want, r.showsNothing(), "%s %s", c.name, c.verdict)
	}
}
