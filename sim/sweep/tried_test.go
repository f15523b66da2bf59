package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestOfParts: parts that only the old release keeps are lost by the new one, which breaks a rule; parts
// that only the new one keeps are kept. Other trials say nothing of parts.
func TestOfParts(t *testing.T) {
	kept, gone := try.Answer{Accepted: true}, try.Answer{Replaced: true}
	v, shown := VerdictOfParts(try.Result{Trials: []try.Trial{{Old: kept, New: gone}}})
	assert.True(t, shown)
	assert.Equal(t, []any{term.Lost.By(term.NewRelease), term.Violation}, []any{v.Effect, v.Class})
	assert.Contains(t, v.Reason, "removes the others through the new release")
	v, shown = VerdictOfParts(try.Result{Trials: []try.Trial{{Old: gone, New: kept}}})
	assert.True(t, shown)
	assert.Contains(t, v.Reason, "removes the others through the old release")
	assert.Equal(t, []any{term.Kept.Effect(), term.Class("")}, []any{v.Effect, v.Class})
	assert.NotEmpty(t, v.Reason)
	_, shown = VerdictOfParts(try.Result{Trials: []try.Trial{{Old: kept, New: try.Answer{Code: 422}}}})
	assert.False(t, shown)
	_, shown = VerdictOfParts(try.Result{})
	assert.False(t, shown)
}

// TestNoValidValue: releases that refuse every value show nothing of what they permit; with one value that both
// permit and one that both refuse, they are the same.
func TestNoValidValue(t *testing.T) {
	for _, oneDefinition := range []bool{false, true} {
		v := VerdictOfRule(try.Result{Sent: 2, BothRefuse: 2}, oneDefinition)
		assert.Equal(t, term.NotExercised.Effect(), v.Effect)
		assert.NotEmpty(t, v.Reason)
	}
	assert.Equal(t, term.Kept.Effect(), VerdictOfRule(try.Result{Sent: 2, BothRefuse: 1, BothAccept: 1}, false).Effect)
}

// TestOfRule: dry runs alone decide a null that one release keeps, what one release refuses, and that both
// answer alike, which is no answer where one definition at a time is compared.
func TestOfRule(t *testing.T) {
	kept, refused, gone := try.Answer{Accepted: true}, try.Answer{Code: 422, Message: "too long"}, try.Answer{Replaced: true}
	filled := try.Answer{Replaced: true, Default: "q"}
	for name, c := range map[string]struct {
		r       try.Result
		oneOnly bool
		want    Verdict
	}{
		"null that the old one keeps":       {try.Result{Trials: []try.Trial{{Old: kept, New: gone}}}, false, Verdict{term.Dropped.Effect(), term.Violation, term.Rule2, term.Pruned, ""}},
		"null that the new one keeps":       {try.Result{Trials: []try.Trial{{Old: gone, New: kept}}}, false, Verdict{term.Dropped.Effect(), term.Impact, term.Rule6, term.Pruned, ""}},
		"null that the new one fills":       {try.Result{Trials: []try.Trial{{Old: kept, New: filled}}}, false, Verdict{term.Changed.Effect(), term.Violation, term.Rule2, term.Defaulted, ""}},
		"null that the old one fills":       {try.Result{Trials: []try.Trial{{Old: filled, New: kept}}}, false, Verdict{term.Changed.Effect(), term.Impact, term.Rule6, term.Defaulted, ""}},
		"a value that one refuses":          {try.Result{Trials: []try.Trial{{Old: kept, New: refused}}, Unanswered: 1}, false, Verdict{Effect: term.Refused.Effect()}},
		"alike":                             {try.Result{Sent: 1, BothAccept: 1}, false, Verdict{Effect: term.Kept.Effect()}},
		"alike, one definition at a time":   {try.Result{Sent: 1, BothAccept: 1}, true, Verdict{Effect: term.NotExercised.Effect()}},
		"one value was not answered":        {try.Result{Sent: 2, BothAccept: 1, Unanswered: 1}, false, Verdict{Effect: term.NotExercised.Effect()}},
		"a release drops a value":           {try.Result{Sent: 2, BothAccept: 1, Dropped: 1}, false, Verdict{Effect: term.NotExercised.Effect()}},
		"nothing was sent":                  {try.Result{}, false, Verdict{Effect: term.NotExercised.Effect()}},
		"not tried, and a value unanswered": {try.Result{Reason: "no object", Unanswered: 1}, false, Verdict{Effect: term.NotExercised.Effect()}},
	} {
		v := VerdictOfRule(c.r, c.oneOnly)
		assert.NotEmpty(t, v.Reason, name)
		if c.r.Reason != "" {
			assert.Equal(t, c.r.Reason, v.Reason, name)
		}
		v.Reason = ""
		assert.Equal(t, c.want, v, name)
	}
	v := VerdictOfRule(try.Result{Trials: []try.Trial{{Old: kept, New: refused}}}, false)
	assert.Contains(t, v.Reason, "only the old release", "the one that accepts it")
	assert.Contains(t, v.Reason, refused.Message)
	v = VerdictOfRule(try.Result{Trials: []try.Trial{{Old: refused, New: kept}}}, false)
	assert.Contains(t, v.Reason, "only the new release", "the one that accepts it")
	assert.Contains(t, v.Reason, refused.Message)
	null := VerdictOfRule(try.Result{Trials: []try.Trial{{Held: ".spec.x", Old: try.Answer{Replaced: true, Message: "nothing"}, New: kept}}}, false)
	for _, words := range []string{"only the new release", ".spec.x", "nothing"} {
		assert.Contains(t, null.Reason, words)
	}
}
