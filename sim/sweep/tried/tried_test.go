package tried

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise/rules"
)

// TestOfParts: parts that only the old release keeps are lost by the new one, which breaks a rule; parts
// that only the new one keeps are kept. Other trials say nothing of parts.
func TestOfParts(t *testing.T) {
	kept, gone := rules.Answer{Accepted: true}, rules.Answer{Replaced: true}
	v, shown := OfParts(rules.Result{Trials: []rules.Trial{{Old: kept, New: gone}}})
	assert.True(t, shown)
	assert.Equal(t, []any{term.FateLostByNew, term.Violation}, []any{v.Fate, v.Class})
	assert.Contains(t, v.Reason, "removes the others through the new release")
	v, shown = OfParts(rules.Result{Trials: []rules.Trial{{Old: gone, New: kept}}})
	assert.True(t, shown)
	assert.Contains(t, v.Reason, "removes the others through the old release")
	assert.Equal(t, []any{term.FateKept, term.Class("")}, []any{v.Fate, v.Class})
	assert.NotEmpty(t, v.Reason)
	_, shown = OfParts(rules.Result{Trials: []rules.Trial{{Old: kept, New: rules.Answer{Code: 422}}}})
	assert.False(t, shown)
	_, shown = OfParts(rules.Result{})
	assert.False(t, shown)
}

// TestNoValidValue: releases that refuse every value show nothing of what they permit; with one value that both
// permit and one that both refuse, they are the same.
func TestNoValidValue(t *testing.T) {
	for _, oneDefinition := range []bool{false, true} {
		v := OfRule(rules.Result{Sent: 2, BothRefuse: 2}, oneDefinition)
		assert.Equal(t, term.FateNotExercised, v.Fate)
		assert.NotEmpty(t, v.Reason)
	}
	assert.Equal(t, term.FateKept, OfRule(rules.Result{Sent: 2, BothRefuse: 1, BothAccept: 1}, false).Fate)
}

// TestOfRule: dry runs alone decide a null that one release keeps, what one release refuses, and that both
// answer alike, which is no answer where one definition at a time is compared.
func TestOfRule(t *testing.T) {
	kept, refused, gone := rules.Answer{Accepted: true}, rules.Answer{Code: 422, Message: "too long"}, rules.Answer{Replaced: true}
	filled := rules.Answer{Replaced: true, Default: "q"}
	for name, c := range map[string]struct {
		r       rules.Result
		oneOnly bool
		want    Verdict
	}{
		"null that the old one keeps":       {rules.Result{Trials: []rules.Trial{{Old: kept, New: gone}}}, false, Verdict{term.FateDropped, term.Violation, term.Rule2, term.Pruned, ""}},
		"null that the new one keeps":       {rules.Result{Trials: []rules.Trial{{Old: gone, New: kept}}}, false, Verdict{term.FateDropped, term.Impact, term.Rule6, term.Pruned, ""}},
		"null that the new one fills":       {rules.Result{Trials: []rules.Trial{{Old: kept, New: filled}}}, false, Verdict{term.FateMeansOther, term.Violation, term.Rule2, term.Defaulted, ""}},
		"null that the old one fills":       {rules.Result{Trials: []rules.Trial{{Old: filled, New: kept}}}, false, Verdict{term.FateMeansOther, term.Impact, term.Rule6, term.Defaulted, ""}},
		"a value that one refuses":          {rules.Result{Trials: []rules.Trial{{Old: kept, New: refused}}, Unanswered: 1}, false, Verdict{Fate: term.FateRefused}},
		"alike":                             {rules.Result{Sent: 1, BothAccept: 1}, false, Verdict{Fate: term.FateKept}},
		"alike, one definition at a time":   {rules.Result{Sent: 1, BothAccept: 1}, true, Verdict{Fate: term.FateNotExercised}},
		"one value was not answered":        {rules.Result{Sent: 2, BothAccept: 1, Unanswered: 1}, false, Verdict{Fate: term.FateNotExercised}},
		"a release drops a value":           {rules.Result{Sent: 2, BothAccept: 1, Dropped: 1}, false, Verdict{Fate: term.FateNotExercised}},
		"nothing was sent":                  {rules.Result{}, false, Verdict{Fate: term.FateNotExercised}},
		"not tried, and a value unanswered": {rules.Result{Reason: "no object", Unanswered: 1}, false, Verdict{Fate: term.FateNotExercised}},
	} {
		v := OfRule(c.r, c.oneOnly)
		assert.NotEmpty(t, v.Reason, name)
		if c.r.Reason != "" {
			assert.Equal(t, c.r.Reason, v.Reason, name)
		}
		v.Reason = ""
		assert.Equal(t, c.want, v, name)
	}
	v := OfRule(rules.Result{Trials: []rules.Trial{{Old: kept, New: refused}}}, false)
	assert.Contains(t, v.Reason, "only the old release", "the one that accepts it")
	assert.Contains(t, v.Reason, refused.Message)
	v = OfRule(rules.Result{Trials: []rules.Trial{{Old: refused, New: kept}}}, false)
	assert.Contains(t, v.Reason, "only the new release", "the one that accepts it")
	assert.Contains(t, v.Reason, refused.Message)
	null := OfRule(rules.Result{Trials: []rules.Trial{{Held: ".spec.x", Old: rules.Answer{Replaced: true, Message: "nothing"}, New: kept}}}, false)
	for _, words := range []string{"only the new release", ".spec.x", "nothing"} {
		assert.Contains(t, null.Reason, words)
	}
}
