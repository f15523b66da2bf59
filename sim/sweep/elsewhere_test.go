package sweep_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestElsewhere: the loss of a field that the new release removed is not put down to a change of the
// list that it was in, and any other loss is.
func TestElsewhere(t *testing.T) {
	const list = ".status.claims"
	removed := []string{".status.claims[].resources"}
	at := func(path string) result.Finding { return result.Finding{Outcome: term.Lost, Path: path} }
	frozen := func(words string) result.Finding {
		return result.Finding{Outcome: term.Frozen, Message: `a PUT was answered 422: Pod "p" is invalid: ` + words}
	}
	for _, f := range []result.Finding{
		at(`.status.claims[name="a"].resources`),
		at(`.status.claims[1].resources.cpu`),
		frozen("status.claims[0].resources: Required value: must not be empty"),
	} {
		assert.True(t, sweep.Elsewhere(f, list, removed), "%s %s", f.Path, f.Message)
		assert.False(t, sweep.Elsewhere(f, removed[0], removed), "the field's own row: %s %s", f.Path, f.Message)
		assert.False(t, sweep.Elsewhere(f, "", removed), "a whole object: %s %s", f.Path, f.Message)
		assert.False(t, sweep.Elsewhere(f, list, nil), "nothing is removed: %s %s", f.Path, f.Message)
	}
	for _, f := range []result.Finding{
		at(`.status.claims[name="a"].containers`),
		at(`.status.claims`),
		at(`.status.claims[name="a"].resourcesLeft`),
		frozen("[status.claims[0].containers: Required value, status.claims[0].resources: Required value]"),
		frozen("something else"),
	} {
		assert.False(t, sweep.Elsewhere(f, list, removed), "%s %s", f.Path, f.Message)
	}
}

// TestElsewhereInMap: what is lost of an entry of a map is of the row of the removed field, which says [] for any
// entry: elsewhere for an object that is for the entry, and not for the one that is for the field.
func TestElsewhereInMap(t *testing.T) {
	lost := result.Finding{Outcome: term.Lost, Path: ".spec.m.sample.b"}
	for value, want := range map[string]bool{".spec.m": true, ".spec.m.sample": true, ".spec.m.sample.b": false, ".spec.m.sample.c": false} {
		assert.Equal(t, want, sweep.Elsewhere(lost, value, []string{".spec.m[].b"}), value)
	}
}
