package sweep_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestOne: a count of one has the words for one, and any other the words for many.
func TestOne(t *testing.T) {
	one, two := []string{"Thing .spec.a"}, []string{"Thing .spec.a", "Thing .spec.b"}
	for want, c := range map[string]sweep.Counts{
		"At default settings, of 1 of 1 difference that was exercised: 1 that loses nothing stored, and breaks a rule (Thing .spec.a).":                                                                                                                                 {Differences: 1, Exercised: 1, Broken: one},
		"At default settings, of 2 of 3 differences that were exercised: 2 that lose nothing stored, and break a rule (Thing .spec.a, Thing .spec.b).":                                                                                                                  {Differences: 3, Exercised: 2, Broken: two},
		"At default settings no object exercised the 1 difference: nothing is known of it.":                                                                                                                                                                             {Differences: 1},
		"At default settings no object exercised any of 2 differences: nothing is known of them.":                                                                                                                                                                       {Differences: 2},
		"There is no published difference, and 1 object of the kinds that both releases serve shows at default settings: 1 can no longer be written through a release (Thing .spec.a); 2 can be written only in part through a release (Thing .spec.a, Thing .spec.b).": {Objects: 1, Harmed: map[term.Effect][]string{term.Frozen.Effect(): one, term.PartlyFrozen.Effect(): two}},
	} {
		assert.Equal(t, want, c.Sentence())
	}
}

// TestWithGates: what default settings do not allow is answered by the lap with gates; without that lap nothing is
// known, and what default settings show comes first.
func TestWithGates(t *testing.T) {
	one := map[term.Effect][]string{term.Lost.By(term.OldServer): {"Thing .spec.a"}}
	gated := sweep.Counts{Differences: 1, WithGates: 1, GatesHarmed: one}
	assert.Contains(t, gated.Sentence(), "With the gates and APIs of both releases on, of 1 of 1 difference that was exercised: 1 ")
	assert.Contains(t, gated.Sentence(), "(Thing .spec.a). At default settings no object exercised it.")
	gated.OffAtDefault = true
	assert.Contains(t, gated.Sentence(), "At default settings the gates are off, and no object exercised it.")
	gated.DroppedAtDefault = true
	assert.Contains(t, gated.Sentence(), "At default settings it is dropped as sent.")
	kept := sweep.Counts{Differences: 2, WithGates: 2}
	assert.Contains(t, kept.Sentence(), "none was lost, frozen, undecodable or read as something else")
	assert.Contains(t, sweep.Counts{Differences: 1}.Sentence(), "nothing is known of it")
	plain := sweep.Counts{Differences: 1, Exercised: 1, WithGates: 1, GatesHarmed: one}
	assert.NotContains(t, plain.Sentence(), "gates")
}

// TestNotPlayed: differences that a webhook keeps from being played are among those that the releases publish, and not further ones.
func TestNotPlayed(t *testing.T) {
	published := diff.Difference{Difference: term.FieldAdded, Kind: "Gadget"}
	r := sweep.Result{Rows: []sweep.Row{{Difference: published}, {Difference: published}}}
	assert.NotContains(t, sweep.Summarize(r, nil).Answer, "Not played")
	r.Unconverted = []sweep.Unconverted{{Kind: "Gadget.acme.test", Differences: 2}}
	assert.Contains(t, sweep.Summarize(r, nil).Answer, "any of 2 differences: nothing is known of them. Not played: 2 of them, since a webhook")
}
